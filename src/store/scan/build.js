// Compiles `scan.ts` with AssemblyScript into `scan-wasm.ts`: `node src/store/scan/build.js`.
// With `--check` it writes nothing and fails when the committed file differs from a fresh build.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('.', import.meta.url));
const target = new URL('scan-wasm.ts', import.meta.url);

async function compile() {
  let wasm;
  const { error, stderr } = await asc.main(
    // The `stub` runtime leaves no allocator in the module: all memory is laid out by `int8-scan.ts`.
    // prettier-ignore
    ['scan.ts', '--baseDir', folder, '--outFile', 'scan.wasm', '--runtime', 'stub', '--importMemory', '--noExportMemory',
      '--enable', 'simd', '--optimizeLevel', '3', '--noAssert'],
    {
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) wasm = contents;
      },
    },
  );
  if (error || !wasm) throw new Error(`AssemblyScript failed: ${stderr.toString()}`, { cause: error });
  return wasm;
}

function toSource(wasm) {
  const lines = Buffer.from(wasm)
    .toString('base64')
    .match(/.{1,100}/g);
  return [
    '// Generated from scan.ts by build.js (`node src/store/scan/build.js`). Do not edit.',
    '',
    `/** The scan of the exact store as a WebAssembly module of ${wasm.length} bytes, in base64. */`,
    'export const SCAN_WASM_BASE64 =',
    lines.map((line) => `  '${line}'`).join(' +\n') + ';',
    '',
  ].join('\n');
}

const source = toSource(await compile());
if (!process.argv.includes('--check')) {
  await writeFile(target, source);
} else if ((await readFile(target, 'utf8')) !== source) {
  process.stderr.write('scan-wasm.ts is not what scan.ts compiles to; run node src/store/scan/build.js\n');
  process.exitCode = 1;
}
