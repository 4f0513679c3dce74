import type { CatalogueModel, ModelManifest, ModelVariant } from '../../src/llm/catalogue.js';
import { type HubFile, noise, sha256Of } from '../fakes/hub-server.js';

/** Files of an invented model, each above a socket's buffer. */
export const FILES: readonly HubFile[] = [
  { path: 'mlc-chat-config.json', bytes: new TextEncoder().encode('{"a":1}\n') },
  { path: 'params_shard_0.bin', bytes: noise(300_000, 1), lfs: true },
  { path: 'params_shard_1.bin', bytes: noise(250_000, 2), lfs: true },
  { path: 'params_shard_2.bin', bytes: noise(400_000, 3), lfs: true },
  { path: 'params_shard_10.bin', bytes: noise(200_000, 4), lfs: true },
];
export const LIBRARY: HubFile = { path: 'tiny.wasm', bytes: noise(50_000, 5) };
export const TOTAL_BYTES = FILES.reduce((sum, file) => sum + file.bytes.length, 0);

export const VARIANT: ModelVariant = {
  id: 'q4f16',
  runtime: 'web-llm',
  device: 'gpu',
  features: ['shader-f16'],
  downloadBytes: null,
  memoryBytes: 1_000_000,
  bufferBytes: 0,
  contextTokens: 4096,
  hub: { repository: 'makers/tiny', revision: 'main', files: ['mlc-chat-config.json', 'params_shard_*.bin'], library: 'https://raw.githubusercontent.com/makers/libraries/main/v1/base/tiny.wasm' },
};
export const MODEL: CatalogueModel = { id: 'tiny', name: 'Tiny', parameters: 1_000, languages: ['en'], licence: 'Apache-2.0', licenceUrl: 'https://licences.test/', note: '', thinks: false, variants: [VARIANT] };

/** The manifest of files, as a mirror has it. */
export function manifestOf(files: readonly HubFile[], id = 'tiny/q4f16'): ModelManifest {
  return { kind: 'anamnesis-model', formatVersion: 1, id, files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length, digest: `sha256:${sha256Of(bytes)}` })), library: '', source: null };
}
