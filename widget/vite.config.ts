import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Scripts of the workers, by name. */
const WORKERS = Object.fromEntries(
  readdirSync(resolve(root, 'src/llm'))
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [file.slice(0, -3), resolve(root, 'src/llm', file)]),
);

/** The WebAssembly of wllama, beside the worker that loads it. */
const wllamaWasm: Plugin = {
  name: 'wllama-wasm',
  writeBundle() {
    copyFileSync(resolve(root, 'node_modules/@wllama/wllama/esm/wasm/wllama.wasm'), resolve(root, 'dist/chunks/wllama.wasm'));
  },
};

/** An empty list of mirrored models, so that a site that mirrors none answers no 404; `anamnesis models pull --dir dist/models` fills it. */
const modelIndex: Plugin = {
  name: 'model-index',
  writeBundle() {
    const index = resolve(root, 'dist/models/index.json');
    if (existsSync(index)) return;
    mkdirSync(resolve(root, 'dist/models'), { recursive: true });
    writeFileSync(index, '{"kind":"anamnesis-models","formatVersion":1,"variants":[]}\n');
  },
};

const removeOldChunks: Plugin = {
  name: 'remove-old-chunks',
  configResolved({ build }) {
    rmSync(resolve(root, build.outDir, 'chunks'), { recursive: true, force: true });
  },
};

const POLICY = /([\w$]+)\.createPolicy\("lit-html",(\{createHTML:\(?[\w$]+\)?=>[\w$]+\})\)/;

/**
 * Lit makes a Trusted Types policy named `lit-html` as it is evaluated, which throws where a page under that policy holds
 * another copy of Lit. Here the policy is then named `anamnesis`; and a second copy of this script, which only warns and
 * stands back, makes none. Remove it once Lit takes the policy's name as an option.
 */
const sharedPolicyName: Plugin = {
  name: 'shared-policy-name',
  transform: {
    filter: { id: /lit-html\/lit-html\.js$/ },
    handler(code) {
      if (!POLICY.test(code)) this.error('lit-html makes its Trusted Types policy in another way now; look at sharedPolicyName again.');
      return {
        code: code.replace(POLICY, (_all, types: string, rules: string) => `(()=>{if(globalThis.customElements?.get("anamnesis-chat"))return;for(const name of["lit-html","anamnesis"])try{return ${types}.createPolicy(name,${rules})}catch{}})()`),
        map: null,
      };
    },
  },
};

/**
 * `vite build` makes `dist/anamnesis.js` and the chunks that it loads after consent; `vite build --mode workers` then adds
 * the workers' scripts. Two builds, so that no page waits for code that it shares with a worker. Everything else in `dist/`
 * is left alone.
 */
export default defineConfig(({ mode }) => {
  const isWorkers = mode === 'workers';
  return {
    root,
    base: './',
    publicDir: false,
    plugins: isWorkers ? [wllamaWasm] : [removeOldChunks, sharedPolicyName, modelIndex],
    build: {
      target: 'es2022',
      outDir: 'dist',
      emptyOutDir: false,
      // The runtimes' maps are larger than the runtimes.
      sourcemap: !isWorkers,
      chunkSizeWarningLimit: 7_000,
      // The helper would add link elements to the host page.
      modulePreload: false,
      rolldownOptions: {
        input: isWorkers ? WORKERS : { anamnesis: fileURLToPath(new URL('script.ts', import.meta.url)) },
        // Workers keep their names and lie beside the chunks, where `spawnWorker` looks for them.
        output: { format: 'es', entryFileNames: isWorkers ? 'chunks/[name].js' : '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  };
});
