import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../test/ensure-installed.mjs';
import { createDemoServer, HUB_CSP, STRICT_CSP } from './server.mjs';

/** `npm start`: installs what is missing, builds everything, serves the demo and prints its address. */

const FIRST_PORT = 8080;
const root = fileURLToPath(new URL('..', import.meta.url));

// `npm start --open --port 8080` without `--`: npm keeps the flags and hands them on in the environment.
const { values, positionals } = parseArgs({ options: { open: { type: 'boolean', default: process.env.npm_config_open === 'true' }, port: { type: 'string' } }, allowPositionals: true });
const named = values.port ?? (process.env.npm_config_port === 'true' ? positionals[0] : process.env.npm_config_port);
const wanted = named === undefined || named === '' ? undefined : Number(named);
if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 0 && wanted <= 65_535)) {
  console.error(`--port must be a number from 0 to 65535, not ${named}`);
  process.exit(2);
}

await ensureInstalled();
const built = spawnSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (built.status !== 0) process.exit(built.status ?? 1);

const server = createDemoServer({ roots: [`${root}demo`, `${root}dist`], csp: (file) => (file.endsWith('hospital-page.html') ? STRICT_CSP : HUB_CSP) });

/** Listens on the first port that is free; a port that was asked for is the only one tried. */
function listen(port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server.address().port);
    });
  });
}

let port;
try {
  port = await listen(wanted ?? FIRST_PORT);
} catch (error) {
  if (wanted !== undefined || error.code !== 'EADDRINUSE') {
    console.error(error.code === 'EADDRINUSE' ? `Port ${wanted} is in use; leave --port out to take a free one.` : String(error));
    process.exit(1);
  }
  port = await listen(0);
}
const address = `http://localhost:${port}/`;
console.log(`Anamnesis is running at ${address}\nA hospital page with a strict policy: ${address}hospital-page.html\nStop with Ctrl+C.`);
if (values.open) openInBrowser(address);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.closeAllConnections();
    server.close(() => process.exit(0));
  });
}

function openInBrowser(url) {
  const [command, ...args] = process.platform === 'darwin' ? ['open', url] : process.platform === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => console.log('No browser could be opened; use the address above.'))
    .unref();
}
