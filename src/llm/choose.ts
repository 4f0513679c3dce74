import type { Language } from '../bundle/bundle.js';
import type { ErrorCode } from '../errors/codes.js';
import type { Catalogue, CatalogueModel, ModelVariant } from './catalogue.js';
import type { DeviceReport, GpuReport } from './probe.js';

export interface ChoiceOptions {
  /** Of the visitor; a model that does not write it is never chosen. */
  readonly language: Language;
  /** `host`: only what the host has mirrored. `hub`: whatever a hub holds. */
  readonly source: 'host' | 'hub';
  /** Ids of mirrored variants, `<model>/<variant>`. */
  readonly mirrored: readonly string[];
  /** Id of the only model to consider, in place of the catalogue's order. It is refused as any other is. */
  readonly wanted?: string;
  /** Ids of variants that are whole on this device: they need no more storage. */
  readonly stored?: readonly string[];
  /** For tests: takes an imitated GPU, and a processor, however slow. @default false */
  readonly allowSoftware?: boolean;
}

export interface ModelChoice {
  readonly model: CatalogueModel;
  readonly variant: ModelVariant;
}

const GIBIBYTE = 2 ** 30;
const MEBIBYTE = 2 ** 20;

/** Slower than that, reading is no longer possible while it writes. */
const TOKENS_PER_SECOND = 3;
/** Models of the 0.6B class and below: the most for phones, for processors and where the memory is not known. */
const SMALL_PARAMETERS = 650e6;
/** Part of a device's memory that a model may take, beside the system, the browser and the page. */
const MEMORY_SHARE = 0.45;
/** Memory assumed where the browser does not tell: of a computer, and of a phone. */
const ASSUMED_GIBIBYTES = { computer: 4, phone: 2.5 } as const;
/** A phone that does not tell its memory must offer buffers of this size: iPhones of 4 GB, whose tabs die while a model of 0.5B loads, offer 683 MiB. */
const PHONE_BUFFER_BYTES = GIBIBYTE;

/**
 * What WebLLM asks of any GPU, whatever the model. Where a device cannot give 1 GiB it asks for the default of WebGPU, not
 * for what there is, so that larger tensors are then out of reach. Follow `detectGPUDevice` in its lib/index.js.
 */
const WEB_LLM = { bufferBytes: 256 * MEBIBYTE, bindingBytes: 128 * MEBIBYTE, largeBindingBytes: GIBIBYTE, workgroupBytes: 32 * 1024, storageBuffers: 10 } as const;

/**
 * What a GPU does while it writes, of what it did in the probe's plain product. Writing reads each weight once a token and
 * is held up by memory, as the plain product is. On the software adapter, the one place where both were measured, writing
 * was faster than the product (0.54 against 0.2 Gflop/s); half is taken to be on the safe side.
 */
const GPU_EFFICIENCY = 0.5;
/** As above for the processor: wllama wrote 8 tokens a second of 134.5M weights (2.15 Gflop/s) on a thread whose probe gave 1.3. */
const CPU_EFFICIENCY = 1.5;
/** A second thread added half of the first one's speed (12 tokens a second for 8); so each is counted, up to four. */
const THREAD_GAIN = 0.5;
const MAX_THREADS = 4;
const MIN_CORES = 4;
const MIN_CPU_GIBIBYTES = 4;

/** Bits a weight takes at most in the 4-bit forms, scales included; and the other files. For sizes that only the hub knows. */
const BITS_PER_WEIGHT = 5;
const OTHER_BYTES = 24e6;
/** Storage wanted above the size of the files. */
const STORAGE_MARGIN = 1.05;

/** In the order in which they are looked at. */
const REASONS = ['no-adapter', 'software-adapter', 'feature-missing', 'memory-too-small', 'quota-exceeded', 'too-slow'] as const satisfies readonly ErrorCode[];
type Reason = (typeof REASONS)[number];

/**
 * Chooses the model for a device before any byte of it is fetched: the first of the catalogue's order that the GPU can
 * run, else the first that the processor can. Nothing but its arguments decides.
 * @returns with no choice, the reason of the variant that came closest; `model-unknown` where there was none to look at;
 * `runtime-failed` where the probe's worker did not start, since no other would
 */
export function chooseModel(report: DeviceReport, catalogue: Catalogue, options: ChoiceOptions): { readonly choice: ModelChoice | null; readonly reason: ErrorCode | null } {
  const offered = catalogue.models
    .filter((model) => model.languages.includes(options.language) && (options.wanted === undefined || model.id === options.wanted))
    .flatMap((model) => model.variants.map((variant) => ({ model, variant })))
    .filter((offer) => (options.source === 'hub' ? offer.variant.hub !== null : options.mirrored.includes(idOf(offer))));
  if (offered.length > 0 && report.gpuAbsence === 'silent') return { choice: null, reason: 'runtime-failed' };
  const misses: Reason[][] = [];
  for (const device of ['gpu', 'cpu'] as const) {
    const missed: Reason[] = [];
    for (const offer of offered.filter(({ variant }) => variant.device === device)) {
      const reason = (device === 'gpu' ? gpuMiss : cpuMiss)(report, offer, options);
      if (reason === null) return { choice: offer, reason: null };
      missed.push(reason);
    }
    misses.push(missed);
  }
  // A GPU is the ordinary way: what a processor lacks is told only where nothing for a GPU was offered.
  const told = misses.find((missed) => missed.length > 0) ?? [];
  return { choice: null, reason: REASONS.findLast((reason) => told.includes(reason)) ?? 'model-unknown' };
}

function idOf({ model, variant }: ModelChoice): string {
  return `${model.id}/${variant.id}`;
}

function gpuMiss(report: DeviceReport, offer: ModelChoice, options: ChoiceOptions): Reason | null {
  const { gpu } = report;
  if (gpu === null) return 'no-adapter';
  if (gpu.isSoftware && options.allowSoftware !== true) return 'software-adapter';
  if (!hasFeatures(gpu, offer.variant)) return 'feature-missing';
  if (!hasMemory(report, offer) || isOldPhone(report, gpu)) return 'memory-too-small';
  if (!hasStorage(report, offer, options)) return 'quota-exceeded';
  if (gpu.isSoftware) return null;
  return tokensPerSecond((gpu.gigaflops ?? 0) * GPU_EFFICIENCY, offer.model) < TOKENS_PER_SECOND ? 'too-slow' : null;
}

function hasFeatures(gpu: GpuReport, variant: ModelVariant): boolean {
  const bindingBytes = gpu.maxStorageBufferBytes >= WEB_LLM.largeBindingBytes ? WEB_LLM.largeBindingBytes : WEB_LLM.bindingBytes;
  return (
    variant.features.every((feature) => gpu.features.includes(feature)) &&
    gpu.maxBufferBytes >= WEB_LLM.bufferBytes &&
    gpu.maxStorageBufferBytes >= WEB_LLM.bindingBytes &&
    gpu.maxWorkgroupBytes >= WEB_LLM.workgroupBytes &&
    gpu.maxStorageBuffers >= WEB_LLM.storageBuffers &&
    variant.bufferBytes <= bindingBytes
  );
}

function cpuMiss(report: DeviceReport, offer: ModelChoice, options: ChoiceOptions): Reason | null {
  const { wasm, cores, isMobile } = report;
  if (!wasm.simd || !wasm.memory64) return 'feature-missing';
  if (!hasMemory(report, offer) || memoryGibibytes(report) < MIN_CPU_GIBIBYTES || wasm.heapBytes < offer.variant.memoryBytes) return 'memory-too-small';
  if (!hasStorage(report, offer, options)) return 'quota-exceeded';
  if (options.allowSoftware === true) return null;
  if (isMobile || cores === null || cores < MIN_CORES || offer.model.parameters > SMALL_PARAMETERS) return 'too-slow';
  const threads = report.isCrossOriginIsolated ? Math.min(MAX_THREADS, Math.floor(cores / 2)) : 1;
  const gigaflops = (report.cpuGigaflops ?? 0) * CPU_EFFICIENCY * (1 + THREAD_GAIN * (threads - 1));
  return tokensPerSecond(gigaflops, offer.model) < TOKENS_PER_SECOND ? 'too-slow' : null;
}

/** A token costs a multiplication and an addition for each weight. */
function tokensPerSecond(gigaflops: number, model: CatalogueModel): number {
  return (gigaflops * 1e9) / (2 * model.parameters);
}

function memoryGibibytes({ memoryGibibytes: told, isMobile }: DeviceReport): number {
  return told ?? ASSUMED_GIBIBYTES[isMobile ? 'phone' : 'computer'];
}

function memoryBudget(report: DeviceReport): number {
  return memoryGibibytes(report) * GIBIBYTE * MEMORY_SHARE;
}

function hasMemory(report: DeviceReport, { model, variant }: ModelChoice): boolean {
  if ((report.isMobile || report.memoryGibibytes === null) && model.parameters > SMALL_PARAMETERS) return false;
  return variant.memoryBytes <= memoryBudget(report);
}

function isOldPhone(report: DeviceReport, gpu: GpuReport): boolean {
  return report.isMobile && report.memoryGibibytes === null && gpu.maxBufferBytes < PHONE_BUFFER_BYTES;
}

/** Room to keep the files, or memory for them beside the model: then they serve for this visit. */
function hasStorage(report: DeviceReport, offer: ModelChoice, options: ChoiceOptions): boolean {
  if (report.storage === null || options.stored?.includes(idOf(offer)) === true) return true;
  const neededBytes = offer.variant.downloadBytes ?? (offer.model.parameters * BITS_PER_WEIGHT) / 8 + OTHER_BYTES;
  const freeBytes = report.storage.quotaBytes - report.storage.usageBytes;
  return neededBytes * STORAGE_MARGIN <= freeBytes || neededBytes + offer.variant.memoryBytes <= memoryBudget(report);
}
