import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

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

/** Builds `dist/anamnesis.js` and the chunks that it loads after consent. Everything else in `dist/` is left alone. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [removeOldChunks, sharedPolicyName],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    sourcemap: true,
    // The helper would add link elements to the host page.
    modulePreload: false,
    rolldownOptions: {
      input: { anamnesis: fileURLToPath(new URL('script.ts', import.meta.url)) },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
