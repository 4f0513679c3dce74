import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds `dist/anamnesis.js` and the chunks that it loads after consent. Everything else in `dist/` is left alone. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [
    {
      name: 'remove-old-chunks',
      configResolved({ build }) {
        rmSync(resolve(root, build.outDir, 'chunks'), { recursive: true, force: true });
      },
    },
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    sourcemap: true,
    // The helper would add link elements to the host page.
    modulePreload: false,
    rolldownOptions: {
      // `package.json` names the built files that have side effects; here the sources are bundled.
      treeshake: { moduleSideEffects: true },
      input: { anamnesis: fileURLToPath(new URL('script.ts', import.meta.url)) },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
