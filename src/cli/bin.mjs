#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Only a source checkout has something to install or build first.
const ensure = new URL('ensure-built.mjs', import.meta.url);
if (existsSync(fileURLToPath(ensure))) {
  const [group, command] = process.argv.slice(2);
  const readsBundles = group === 'eval' || group === 'read' || command === 'inspect' || command === 'search';
  try {
    const { ensureBuilt } = await import(ensure.href);
    await ensureBuilt({ bundles: readsBundles });
  } catch (error) {
    console.error(`install-incomplete: ${error.message}`);
    process.exit(1);
  }
}
await import(new URL('../../dist/js/src/cli/main.js', import.meta.url).href);
