import * as webLlm from '@mlc-ai/web-llm';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/llm/catalogue-data.js';
import { parseCatalogue } from '../../src/llm/model-manifest.js';

/** WebLLM's own types do not resolve under NodeNext. */
interface WebLlmRecord {
  readonly model: string;
  readonly model_lib: string;
  readonly vram_required_MB?: number;
  readonly required_features?: readonly string[];
  readonly overrides?: { readonly context_window_size?: number };
}

const RECORDS = (webLlm as unknown as { readonly prebuiltAppConfig: { readonly model_list: readonly WebLlmRecord[] } }).prebuiltAppConfig.model_list;

const variants = CATALOGUE.models.flatMap((model) => model.variants.map((variant) => ({ model, variant, id: `${model.id}/${variant.id}` })));
const ofWebLlm = variants.filter(({ variant }) => variant.runtime === 'web-llm');
const ofWllama = variants.filter(({ variant }) => variant.runtime === 'wllama');

describe('CATALOGUE', () => {
  it('follows its format', () => {
    expect(parseCatalogue(JSON.parse(JSON.stringify(CATALOGUE)))).toEqual(CATALOGUE);
  });

  it('names each model and each variant once', () => {
    expect(new Set(CATALOGUE.models.map(({ id }) => id)).size).toBe(CATALOGUE.models.length);
    expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
  });

  it.each(CATALOGUE.models)('says under which licence $id stands and what is known of it', (model) => {
    expect(model.licence).not.toBe('');
    expect(new URL(model.licenceUrl).protocol).toBe('https:');
    expect(model.note).toMatch(/\.$/);
  });

  it('has models that write Chinese, the smallest first', () => {
    const chinese = CATALOGUE.models.filter(({ languages }) => languages.includes('zh'));
    expect(chinese.map(({ id }) => id)).toEqual(['qwen3-0.6b', 'qwen2.5-0.5b', 'qwen3-1.7b', 'qwen2.5-1.5b']);
    expect(CATALOGUE.models.slice(0, 2).every(({ languages, parameters }) => languages.includes('zh') && parameters < 650e6)).toBe(true);
  });

  it('offers each model on a GPU and as one GGUF file', () => {
    for (const { variants: own } of CATALOGUE.models) {
      expect(own.map(({ device }) => device)).toContain('gpu');
      expect(own.filter(({ runtime }) => runtime === 'wllama').map(({ device }) => device)).toEqual(['cpu']);
    }
  });
});

describe('the WebLLM variants', () => {
  it.each(ofWebLlm)('$id stands in the list of the installed WebLLM, with the same library and memory', ({ variant }) => {
    const record = RECORDS.find(({ model }) => model === `https://huggingface.co/${variant.hub?.repository ?? ''}`);
    expect(record?.model_lib).toBe(variant.hub?.library);
    expect(Math.round((record?.vram_required_MB ?? 0) * 2 ** 20)).toBe(variant.memoryBytes);
    expect(record?.overrides?.context_window_size).toBe(variant.contextTokens);
    expect(variant.features).toEqual(expect.arrayContaining([...(record?.required_features ?? [])]));
  });

  it.each(ofWebLlm)('$id needs shader-f16 exactly where it computes in 16 bits', ({ variant }) => {
    expect(variant.features).toEqual(variant.hub?.repository.includes('q4f16') === true ? ['shader-f16'] : []);
  });

  it.each(ofWebLlm)('$id states no size that was not measured', ({ variant }) => {
    expect(variant.downloadBytes).toBeNull();
  });
});

describe('the GGUF variants', () => {
  it.each(ofWllama)('$id is one file of a fixed commit, with its exact size, below what a browser reads at once', ({ variant }) => {
    expect(variant.hub?.revision).toMatch(/^[0-9a-f]{40}$/);
    expect(variant.hub?.files).toHaveLength(1);
    expect(variant.hub?.files[0]).toMatch(/\.gguf$/);
    expect(variant.downloadBytes).toBeGreaterThan(300e6);
    expect(variant.downloadBytes).toBeLessThan(2 ** 31);
  });

  it.each(ofWllama)('$id has a size that its weights can have', ({ model, variant }) => {
    const bitsPerWeight = ((variant.downloadBytes ?? 0) * 8) / model.parameters;
    expect(bitsPerWeight).toBeGreaterThan(4.5);
    expect(bitsPerWeight).toBeLessThan(9);
    expect(variant.memoryBytes).toBeGreaterThan(variant.downloadBytes ?? 0);
  });
});
