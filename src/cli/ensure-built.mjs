// Plain JavaScript, so that it runs before anything is installed or built.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/js/src/cli/main.js');

function hasBundles() {
  const bundles = join(ROOT, 'dist/bundles');
  return existsSync(bundles) && readdirSync(bundles).some((name) => existsSync(join(bundles, name, 'manifest.json')));
}

/**
 * In a source checkout: installs the locked dependencies and builds, where they are missing. In an installed package
 * there is nothing to do. Whatever this prints goes to standard error, so that standard output holds the result alone.
 * @throws {Error} where installing or building failed
 */
export async function ensureBuilt({ bundles }) {
  const installer = new URL('../../test/ensure-installed.mjs', import.meta.url);
  if (!existsSync(fileURLToPath(installer))) return;
  const print = console.log;
  console.log = console.error;
  try {
    const { ensureInstalled } = await import(installer.href);
    ensureInstalled();
  } finally {
    console.log = print;
  }
  if (existsSync(MAIN) && (!bundles || hasBundles())) return;
  console.error('Building …');
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0 && (!existsSync(MAIN) || (bundles && !hasBundles()))) throw new Error('npm run build failed; see above.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureBuilt({ bundles: true });
  } catch (error) {
    console.error(`install-incomplete: ${error.message}`);
    process.exitCode = 1;
  }
}
