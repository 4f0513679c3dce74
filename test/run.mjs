// `npm test`: everything that must hold, in order; the last line counts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, ROOT } from './ensure-installed.mjs';
import { prepareTinyModel } from './models/prepare.mjs';

const OUTPUT = join(ROOT, 'test/output');
let passed = 0;
let failed = 0;

function run(command, args) {
  return spawnSync('npx', ['--no-install', command, ...args], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' }).status === 0;
}

function step(name, action) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  const good = action();
  if (good) passed++;
  else failed++;
  console.log(`${good ? 'ok' : 'FAILED'}: ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return good;
}

/** Runs a vitest project; its tests count one by one. */
function tests(project) {
  const report = join(OUTPUT, `${project}.json`);
  rmSync(report, { force: true });
  const good = run('vitest', ['run', '--config', 'test/vitest.config.ts', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  if (!existsSync(report)) return false;
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  passed += numPassedTests;
  failed += numFailedTests;
  return good;
}

ensureInstalled();
mkdirSync(OUTPUT, { recursive: true });
Object.assign(process.env, prepareTinyModel());
step('types', () => run('tsc', ['-p', '.']));
step('lint', () => run('eslint', ['--config', 'test/eslint.config.js', '--max-warnings', '0', 'src', 'widget', 'kb-bundles/build', 'test', 'demo']));
step('build', () => spawnSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' }).status === 0);
step('unit tests, boundaries and size gate', () => tests('unit'));
step('tests in a real browser', () => tests('browser'));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
