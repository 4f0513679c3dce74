import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../bundles.js';

/**
 * Bundles a test page's script and writes a page around it. Workers are those of the build in `dist/`.
 * @param script path of the script from the top of the repository; its name becomes the page's
 * @param external modules that the page never imports
 * @returns directory to be served; holds `<name>.html`
 */
export async function buildPage(script: string, external: readonly string[] = []): Promise<string> {
  const name = script.slice(script.lastIndexOf('/') + 1).replace(/\.ts$/, '');
  const output = join(ROOT, 'test/output', name);
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, `${name}.html`), `<!doctype html><title>${name}</title><script type="module" src="${name}.js"></script>`);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { target: 'es2022', outDir: output, emptyOutDir: false, modulePreload: false, chunkSizeWarningLimit: 9_000, rolldownOptions: { external: [...external], input: { [name]: join(ROOT, script) }, output: { format: 'es', entryFileNames: '[name].js' } } },
  });
  return output;
}
