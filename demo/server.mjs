import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The strictest policy under which everything works; the README gives it to integrators. */
export const STRICT_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html anamnesis-worker',
].join('; ');

/** The same for a page that offers models from the public hub: the lists of files are asked for by the page itself. */
export const HUB_CSP = STRICT_CSP.replace("connect-src 'self'", "connect-src 'self' https://huggingface.co https://api.github.com");

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
};
const COMPRESSED = new Set(['.html', '.js', '.mjs', '.css', '.json', '.map', '.svg', '.wasm', '.bin', '.txt']);
/** Names that hold the hash of what is in them never change; those of workers hold none. */
const HASHED = /-[\w-]{8,}(?<!-worker)\.(?:js|bin|wasm)$/;
/** Larger files, such as weights, are sent as they are, whole or from where a visitor's download stopped. */
const MOST_COMPRESSED_BYTES = 10_000_000;

/**
 * A server of static files for the demo and the tests: looks in each root in turn, never outside of them.
 * @param {object} options
 * @param {readonly string[]} options.roots directories, first one wins
 * @param {string | null | ((file: string) => string | null)} [options.csp] header for pages, by their file; null: none
 * @param {Readonly<Record<string, string>>} [options.headers] further headers for every answer
 * @returns {import('node:http').Server} not yet listening
 */
export function createDemoServer({ roots, csp = STRICT_CSP, headers = {} }) {
  const compressed = new Map();
  return createServer((request, response) => {
    const answer = (status, type, body) => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, TYPES['.txt'], 'Method not allowed\n');
    const file = findFile(roots, request.url ?? '/');
    if (file === undefined) return answer(404, TYPES['.txt'], 'Not found\n');
    const extension = extname(file.path);
    const policy = extension !== '.html' ? null : typeof csp === 'function' ? csp(file.path) : csp;
    const head = {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'cache-control': HASHED.test(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      etag: `"${file.size.toString(36)}-${Math.round(file.modifiedMs).toString(36)}"`,
      ...(COMPRESSED.has(extension) ? { vary: 'accept-encoding' } : {}),
      ...(policy !== null ? { 'content-security-policy': policy } : {}),
      ...headers,
    };
    if (request.headers['if-none-match'] === head.etag) {
      response.writeHead(304, head);
      return response.end();
    }
    const isSmall = COMPRESSED.has(extension) && file.size <= MOST_COMPRESSED_BYTES;
    const encoding = isSmall ? chooseEncoding(request.headers['accept-encoding']) : undefined;
    const from = isSmall ? undefined : rangeStart(request.headers.range, file.size);
    if (from !== undefined) {
      response.writeHead(206, { ...head, 'content-length': file.size - from, 'content-range': `bytes ${from}-${file.size - 1}/${file.size}` });
      if (request.method === 'HEAD') return response.end();
      return createReadStream(file.path, { start: from })
        .on('error', () => response.destroy())
        .pipe(response);
    }
    if (encoding === undefined) {
      response.writeHead(200, { ...head, 'content-length': file.size });
      if (request.method === 'HEAD') return response.end();
      return createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response);
    }
    const name = `${encoding} ${file.path} ${head.etag}`;
    let body = compressed.get(name);
    if (body === undefined) {
      body = compress(readFileSync(file.path), encoding);
      compressed.set(name, body);
    }
    response.writeHead(200, { ...head, 'content-encoding': encoding, 'content-length': body.length });
    return response.end(request.method === 'HEAD' ? undefined : body);
  });
}

/** The file of an address in the first root that has it; a directory answers with its index. */
function findFile(roots, address) {
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(address, 'http://demo.invalid').pathname));
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.split(/[\\/]/).some((part) => part === '..' || part.startsWith('.'))) return undefined;
  for (const root of roots) {
    const base = normalize(root + sep);
    for (const candidate of [join(base, path), join(base, path, 'index.html')]) {
      if (!candidate.startsWith(base)) continue;
      try {
        const stats = statSync(candidate);
        if (stats.isFile()) return { path: candidate, size: stats.size, modifiedMs: stats.mtimeMs };
      } catch {
        // Not in this root.
      }
    }
  }
  return undefined;
}

/** First byte of the one kind of range that a download goes on with: from there to the end. */
function rangeStart(range, size) {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? Number.NaN);
  return from < size ? from : undefined;
}

function chooseEncoding(accepted = '') {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

function compress(bytes, encoding) {
  // Quality 5 keeps the first visit of a demo quick; a real site compresses ahead of time.
  return encoding === 'br' ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }) : gzipSync(bytes);
}
