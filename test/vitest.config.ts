import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What runs in a browser or on real weights is tried once more where it fails: machines are noisy. `models`: real weights, see `test/models/`. `.test.ts` needs Node, `.browser.test.ts` drives a real Chromium through playwright-core against the built `dist/`. */
export default defineConfig({
  root,
  test: {
    root,
    projects: [
      { test: { name: 'unit', root, include: ['test/**/*.test.ts'], exclude: ['test/**/*.browser.test.ts', 'test/models/**', '**/node_modules/**'], testTimeout: 30_000 } },
      { test: { name: 'browser', root, include: ['test/**/*.browser.test.ts'], retry: 1, testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false } },
      { test: { name: 'models', root, include: ['test/models/**/*.test.ts'], retry: 1, testTimeout: 900_000, hookTimeout: 300_000, fileParallelism: false } },
    ],
  },
});
