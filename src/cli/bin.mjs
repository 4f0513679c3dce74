#!/usr/bin/env node
// Plain JavaScript, so that it runs before anything is installed or built. In a source checkout it first installs and
// builds what is missing; whatever that prints goes to standard error, so that standard output holds the result alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => new URL(`../../${path}`, import.meta.url);
const has = (path) => existsSync(fileURLToPath(at(path)));
const MAIN = 'dist/js/src/cli/main.js';

if (has('test/ensure-installed.mjs')) {
  const print = console.log;
  console.log = console.error;
  try {
    const { ensureInstalled } = await import(at('test/ensure-installed.mjs').href);
    ensureInstalled();
  } catch (error) {
    console.error(`install-incomplete: ${error.message}`);
    process.exit(1);
  }
  console.log = print;
  const words = process.argv.slice(2);
  const needsBundles = words[0] === 'eval' || words[0] === 'read' || (words[0] === 'bundle' && (words[1] === 'inspect' || words[1] === 'search'));
  // A build calls this program itself: it must not start another.
  if ((!has(MAIN) || (needsBundles && !has('dist/bundles'))) && process.env.ANAMNESIS_BUILDING !== '1') {
    const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
      cwd: fileURLToPath(at('.')),
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ANAMNESIS_BUILDING: '1' },
      shell: process.platform === 'win32',
    });
    if (status !== 0 && !has(MAIN)) {
      console.error('install-incomplete: npm run build failed; see above.');
      process.exit(1);
    }
  }
}
await import(at(MAIN).href);
