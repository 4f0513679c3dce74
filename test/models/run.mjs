// `npm run test:models`: real weights in a real browser and behind a real server. Slow; see test/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../ensure-installed.mjs';
import { prepareModels } from './prepare.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = join(ROOT, 'test/output/models.json');
const shell = process.platform === 'win32';

await ensureInstalled();
const models = prepareModels();
if (models.ANAMNESIS_GGUF === undefined && models.ANAMNESIS_ENCODER === undefined) {
  console.log('\n0 passed, 0 failed: no real weights could be had (above); nothing was tested.');
  process.exit(0);
}
const built = spawnSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: 'inherit', shell });
if (built.status !== 0) process.exit(built.status ?? 1);
rmSync(REPORT, { force: true });
const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'models', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`], { cwd: ROOT, stdio: 'inherit', shell, env: { ...process.env, ...models } });
const { numPassedTests = 0, numFailedTests = 1 } = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')) : {};
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed with real weights`);
process.exit(status ?? 1);
