import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/bundle/bundle.js';
import type { Catalogue } from '../../src/llm/catalogue.js';
import { CATALOGUE } from '../../src/llm/catalogue-data.js';
import { chooseModel, type ChoiceOptions } from '../../src/llm/choose.js';
import type { DeviceReport, GpuReport } from '../../src/llm/probe.js';

const GIB = 2 ** 30;
const EVERYTHING = CATALOGUE.models.flatMap((model) => model.variants.map((variant) => `${model.id}/${variant.id}`));

const GPU: GpuReport = { vendor: 'intel', architecture: 'xe', isSoftware: false, features: ['shader-f16'], maxBufferBytes: 2 * GIB, maxStorageBufferBytes: 2 * GIB - 4, maxWorkgroupBytes: 32_768, maxStorageBuffers: 10, gigaflops: 60 };
const LAPTOP: DeviceReport = {
  gpu: GPU,
  gpuAbsence: null,
  memoryGibibytes: 8,
  cores: 8,
  isMobile: false,
  isCrossOriginIsolated: false,
  storage: { quotaBytes: 100e9, usageBytes: 0 },
  wasm: { simd: true, memory64: true, heapBytes: 4 * GIB, jspi: true },
  cpuGigaflops: 1.8,
};

const withGpu = (gpu: Partial<GpuReport>, rest: Partial<DeviceReport> = {}): DeviceReport => ({ ...LAPTOP, gpu: { ...GPU, ...gpu }, ...rest });
const without = (gpuAbsence: DeviceReport['gpuAbsence'], rest: Partial<DeviceReport> = {}): DeviceReport => ({ ...LAPTOP, gpu: null, gpuAbsence, ...rest });

const DESKTOP = withGpu({ vendor: 'nvidia', architecture: 'ampere', maxBufferBytes: 4 * GIB, gigaflops: 900 }, { memoryGibibytes: 32, cores: 16 });
const IPHONE = withGpu({ vendor: 'apple', architecture: 'apple-9', maxBufferBytes: GIB, maxStorageBufferBytes: GIB, gigaflops: 70 }, { memoryGibibytes: null, cores: 4, isMobile: true, wasm: { simd: true, memory64: false, heapBytes: 0, jspi: false } });
const OLD_IPHONE: DeviceReport = { ...IPHONE, gpu: { ...(IPHONE.gpu ?? GPU), maxBufferBytes: 715_827_880, maxStorageBufferBytes: 715_827_880 } };
const ANDROID = withGpu({ vendor: 'arm', architecture: 'valhall', features: [], maxBufferBytes: 256 * 2 ** 20, maxStorageBufferBytes: 128 * 2 ** 20, gigaflops: 12 }, { memoryGibibytes: 4, isMobile: true });
const QUALCOMM = withGpu({ vendor: 'qualcomm', architecture: 'adreno-7xx', features: [], maxBufferBytes: GIB, maxStorageBufferBytes: 128 * 2 ** 20, gigaflops: 25 }, { memoryGibibytes: 8, isMobile: true });
const VM = withGpu({ vendor: 'google', architecture: 'swiftshader', isSoftware: true, features: [], gigaflops: 0.2 }, { cores: 2, memoryGibibytes: 4 });
const FIREFOX: DeviceReport = { ...LAPTOP, memoryGibibytes: null };

function choose(report: DeviceReport, language: Language, options: Partial<ChoiceOptions> = {}, catalogue: Catalogue = CATALOGUE): string {
  const { choice, reason } = chooseModel(report, catalogue, { language, source: 'hub', mirrored: [], ...options });
  expect(choice === null).toBe(reason !== null);
  return choice === null ? String(reason) : `${choice.model.id}/${choice.variant.id}`;
}

describe('chooseModel', () => {
  it.each([
    ['a desktop with a graphics card', DESKTOP, 'qwen3-0.6b/q4f16', 'qwen3-0.6b/q4f16'],
    ['a laptop with shared graphics', LAPTOP, 'qwen3-0.6b/q4f16', 'qwen3-0.6b/q4f16'],
    ['a new iPhone, which does not tell its memory', IPHONE, 'qwen2.5-0.5b/q4f16', 'qwen2.5-0.5b/q4f16'],
    ['an old iPhone', OLD_IPHONE, 'memory-too-small', 'memory-too-small'],
    ['a cheap Android phone without f16', ANDROID, 'qwen2.5-0.5b/q4f32', 'qwen2.5-0.5b/q4f32'],
    ['a Qualcomm phone without f16', QUALCOMM, 'qwen3-0.6b/q4f32', 'qwen3-0.6b/q4f32'],
    ['a browser that does not tell its memory', FIREFOX, 'qwen3-0.6b/q4f16', 'qwen3-0.6b/q4f16'],
    ['a computer with 2 GB', { ...LAPTOP, memoryGibibytes: 2 }, 'memory-too-small', 'smollm2-360m/q4f16'],
    ['a virtual machine with an imitated GPU', VM, 'software-adapter', 'software-adapter'],
    ['a larger one', { ...VM, cores: 8, memoryGibibytes: 16 }, 'software-adapter', 'smollm2-360m/gguf-q8'],
    ['no WebGPU, a fast processor', without('absent', { cpuGigaflops: 2.6 }), 'qwen3-0.6b/gguf-q8', 'qwen3-0.6b/gguf-q8'],
    ['no WebGPU, an ordinary processor', without('absent'), 'no-adapter', 'smollm2-360m/gguf-q8'],
    ['no WebGPU, an ordinary processor with shared memory', without('absent', { isCrossOriginIsolated: true }), 'qwen3-0.6b/gguf-q8', 'qwen3-0.6b/gguf-q8'],
    ['no adapter on a phone', without('no-adapter', { isMobile: true }), 'no-adapter', 'no-adapter'],
  ])('serves %s', (_device, report, chinese, english) => {
    expect(choose(report, 'zh')).toBe(chinese);
    expect(choose(report, 'en')).toBe(english);
  });

  it.each(EVERYTHING)('never gives %s to a device without what it needs', (wantedVariant) => {
    const [wanted = ''] = wantedVariant.split('/');
    for (const language of ['zh', 'en'] as const) {
      for (const report of [VM, OLD_IPHONE, without('failed', { cores: 2 }), withGpu({ gigaflops: 1 }, { cpuGigaflops: 0.3 })]) expect(choose(report, language, { wanted, source: 'host', mirrored: [wantedVariant] })).not.toContain('/');
    }
  });

  describe('language', () => {
    it('never lets a model write a language it does not write well', () => {
      for (const { id, languages } of CATALOGUE.models) expect(choose(DESKTOP, 'zh', { wanted: id })).toBe(languages.includes('zh') ? `${id}/q4f16` : 'model-unknown');
    });
  });

  describe('what is offered', () => {
    it('takes only mirrored variants of a host', () => {
      expect(choose(LAPTOP, 'zh', { source: 'host', mirrored: ['qwen3-1.7b/q4f32', 'llama-3.2-1b/q4f16'] })).toBe('qwen3-1.7b/q4f32');
      expect(choose(LAPTOP, 'en', { source: 'host', mirrored: ['qwen3-1.7b/q4f32', 'llama-3.2-1b/q4f16'] })).toBe('qwen3-1.7b/q4f32');
      expect(choose(LAPTOP, 'en', { source: 'host', mirrored: [] })).toBe('model-unknown');
    });

    it('takes only what a hub holds where the hub is the source', () => {
      const own: Catalogue = { ...CATALOGUE, models: CATALOGUE.models.map((model) => ({ ...model, variants: model.variants.map((variant) => ({ ...variant, hub: null })) })) };
      expect(choose(LAPTOP, 'en', {}, own)).toBe('model-unknown');
      expect(choose(LAPTOP, 'en', { source: 'host', mirrored: EVERYTHING }, own)).toBe('qwen3-0.6b/q4f16');
    });

    it('takes the wanted model in place of the order, and no other', () => {
      expect(choose(DESKTOP, 'en', { wanted: 'gemma-3-1b' })).toBe('gemma-3-1b/q4f16');
      expect(choose(FIREFOX, 'en', { wanted: 'qwen3-1.7b' })).toBe('memory-too-small');
      expect(choose(DESKTOP, 'en', { wanted: 'qwen9-70b' })).toBe('model-unknown');
      expect(choose(DESKTOP, 'en', { wanted: 'gemma-3-1b', source: 'host', mirrored: ['qwen3-0.6b/q4f16'] })).toBe('model-unknown');
    });
  });

  describe('the GPU', () => {
    it('GPU-02: takes the 32-bit form where shader-f16 is missing', () => {
      expect(choose(withGpu({ features: [] }), 'zh')).toBe('qwen3-0.6b/q4f32');
    });

    it('GPU-06: takes an imitated GPU only where a test asks for it, however slow', () => {
      expect(choose(VM, 'en', { allowSoftware: true })).toBe('qwen2.5-0.5b/q4f32');
    });

    it.each([
      ['buffers', { maxBufferBytes: 255 * 2 ** 20 }],
      ['bindings', { maxStorageBufferBytes: 127 * 2 ** 20 }],
      ['shared memory of a group', { maxWorkgroupBytes: 16_384 }],
      ['buffers of a stage', { maxStorageBuffers: 8 }],
    ] satisfies [string, Partial<GpuReport>][])('refuses one whose %s are below what WebLLM asks of any', (_name, limit) => {
      expect(choose(withGpu(limit, { cores: 2 }), 'zh')).toBe('feature-missing');
    });

    it('gives no model with a large tensor to a GPU for which WebLLM falls back to the default buffers', () => {
      const report = withGpu({ maxBufferBytes: GIB, maxStorageBufferBytes: GIB - 4 });
      expect(choose(report, 'zh', { wanted: 'qwen3-1.7b' })).toBe('feature-missing');
      expect(choose(report, 'zh', { wanted: 'qwen2.5-1.5b' })).toBe('qwen2.5-1.5b/q4f16');
      expect(choose(LAPTOP, 'zh', { wanted: 'qwen3-1.7b' })).toBe('qwen3-1.7b/q4f16');
    });

    it('GPU-07: refuses one that is too slow, and one whose speed could not be measured', () => {
      expect(choose(withGpu({ gigaflops: 2 }, { cores: 2 }), 'zh')).toBe('too-slow');
      expect(choose(withGpu({ gigaflops: null }, { cores: 2 }), 'zh')).toBe('too-slow');
      expect(choose(withGpu({ gigaflops: 6.5 }, { cores: 2 }), 'zh')).toBe('qwen2.5-0.5b/q4f16');
    });
  });

  describe('the processor', () => {
    const CPU = without('no-adapter', { cpuGigaflops: 3 });
    const files = { source: 'host', mirrored: EVERYTHING.filter((id) => id.includes('/gguf')) } as const;

    it.each([
      ['fewer than four cores', { cores: 3 }, 'too-slow'],
      ['an unknown number of cores', { cores: null }, 'too-slow'],
      ['a phone', { isMobile: true }, 'too-slow'],
      ['2 GB of memory', { memoryGibibytes: 2 }, 'memory-too-small'],
      ['no speed measured', { cpuGigaflops: null }, 'too-slow'],
    ] satisfies [string, Partial<DeviceReport>, string][])('is not used with %s', (_name, change, reason) => {
      expect(choose({ ...CPU, ...change }, 'en', files)).toBe(reason);
    });

    it.each([
      ['SIMD', { simd: false }, 'feature-missing'],
      ['64-bit memory', { memory64: false }, 'feature-missing'],
      ['room for the heap', { heapBytes: GIB / 2 }, 'memory-too-small'],
    ])('GPU-12: is not used without %s', (_name, change, reason) => {
      expect(choose({ ...CPU, wasm: { ...CPU.wasm, ...change } }, 'en', files)).toBe(reason);
    });

    it('runs small models only', () => {
      const fast = without('no-adapter', { memoryGibibytes: 32, cores: 32, isCrossOriginIsolated: true, cpuGigaflops: 10 });
      for (const { id, parameters } of CATALOGUE.models) expect(choose(fast, 'en', { ...files, wanted: id })).toMatch(parameters < 650e6 ? /\/gguf/ : /^too-slow$/);
    });

    it('is looked at only after the GPU', () => {
      expect(choose(LAPTOP, 'en', { source: 'host', mirrored: ['qwen3-0.6b/gguf-q8', 'llama-3.2-1b/q4f16'] })).toBe('llama-3.2-1b/q4f16');
    });
  });

  describe('storage', () => {
    const full = (memory: number): DeviceReport => ({ ...LAPTOP, memoryGibibytes: memory, cores: 2, storage: { quotaBytes: 10e9, usageBytes: 9.9e9 } });

    it('NET-08: refuses where neither storage nor memory has room for the files', () => {
      expect(choose(full(3.5), 'zh', { wanted: 'qwen3-0.6b' })).toBe('quota-exceeded');
      expect(choose(full(3.5), 'zh')).toBe('qwen2.5-0.5b/q4f16');
      expect(choose(full(2.25), 'zh')).toBe('quota-exceeded');
    });

    it('NET-08: goes on where memory can hold the files beside the model', () => {
      expect(choose(full(8), 'zh')).toBe('qwen3-0.6b/q4f16');
    });

    it('needs none for files that are here, and does not guess where the browser tells nothing', () => {
      expect(choose(full(2.25), 'zh', { stored: ['qwen2.5-0.5b/q4f16'] })).toBe('qwen2.5-0.5b/q4f16');
      expect(choose({ ...full(2.25), storage: null }, 'zh')).toBe('qwen2.5-0.5b/q4f16');
    });
  });

  it('tells the reason of the variant that came closest', () => {
    // The 16-bit forms fail for want of a feature, the 32-bit ones for want of memory: memory is what is told.
    expect(choose(withGpu({ features: [] }, { memoryGibibytes: 1, cores: 2 }), 'en')).toBe('memory-too-small');
  });

  it('says so where the probe’s worker did not start', () => {
    expect(choose(without('silent'), 'en')).toBe('runtime-failed');
  });
});
