import { spawnWorker } from './worker-start.js';

/** What WebGPU says of the device, in the worker. */
export interface GpuReport {
  /** As the browser names them; may be empty. */
  readonly vendor: string;
  readonly architecture: string;
  /** Imitated by the processor: SwiftShader, WARP, llvmpipe. */
  readonly isSoftware: boolean;
  readonly features: readonly string[];
  readonly maxBufferBytes: number;
  readonly maxStorageBufferBytes: number;
  readonly maxWorkgroupBytes: number;
  readonly maxStorageBuffers: number;
  /** Billions of 32-bit operations a second in a plain matrix product; null where it failed or took too long. */
  readonly gigaflops: number | null;
}

/** `absent`: no WebGPU in workers. `no-adapter`: there is WebGPU but nothing behind it. `failed`: it threw. `silent`: the worker did not start, or did not answer in time. */
export type GpuAbsence = 'absent' | 'no-adapter' | 'failed' | 'silent';

export interface WasmReport {
  readonly simd: boolean;
  /** 64-bit addresses, which wllama is built for. */
  readonly memory64: boolean;
  /** Address space that was given out when asked for up to 4 GiB at once, as wllama does; 0: none. */
  readonly heapBytes: number;
  /** Calls that wait for promises, which wllama needs for the GPU. */
  readonly jspi: boolean;
}

/** What a device can do for a language model. Plain JSON; made and used in the page, never sent anywhere. */
export interface DeviceReport {
  readonly gpu: GpuReport | null;
  /** Why `gpu` is null; null where it is not. */
  readonly gpuAbsence: GpuAbsence | null;
  /** As the browser rounds it; null where it does not say (Safari, Firefox). */
  readonly memoryGibibytes: number | null;
  readonly cores: number | null;
  /** A telephone or a tablet. */
  readonly isMobile: boolean;
  /** Threads may share memory. */
  readonly isCrossOriginIsolated: boolean;
  readonly storage: { readonly quotaBytes: number; readonly usageBytes: number } | null;
  readonly wasm: WasmReport;
  /** As for the GPU, on one thread in plain JavaScript; null where it was not measured. */
  readonly cpuGigaflops: number | null;
}

/** From page to worker. */
export interface ProbeRequest {
  readonly type: 'probe';
}

/** From worker to page. */
export interface ProbeAnswer {
  readonly type: 'report';
  readonly report: DeviceReport;
}

/** More than all the budgets of the worker together. */
const ANSWER_MS = 10_000;

const NOTHING: DeviceReport = {
  gpu: null,
  gpuAbsence: 'silent',
  memoryGibibytes: null,
  cores: null,
  isMobile: false,
  isCrossOriginIsolated: false,
  storage: null,
  wasm: { simd: false, memory64: false, heapBytes: 0, jspi: false },
  cpuGigaflops: null,
};

/**
 * Looks at the device in a worker, since that is where a model would run and a page may be allowed more. Takes about a
 * second and never fails: where the worker does not start, hangs or breaks, the report has no GPU and says why.
 * @param options.workerBase directory of the worker scripts
 * @param options.signal aborting ends the worker and rejects with its reason
 */
export async function probeDevice(options: { readonly workerBase?: URL; readonly signal?: AbortSignal } = {}): Promise<DeviceReport> {
  const { signal } = options;
  signal?.throwIfAborted();
  let worker: Worker;
  try {
    worker = await spawnWorker('probe-worker.js', options.workerBase);
  } catch {
    signal?.throwIfAborted();
    return NOTHING;
  }
  try {
    signal?.throwIfAborted();
    const report = await ask(worker, signal);
    return { ...report, isMobile: report.isMobile || isTablet() };
  } finally {
    worker.terminate();
  }
}

function ask(worker: Worker, signal: AbortSignal | undefined): Promise<DeviceReport> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      stop.abort();
      action();
    };
    const giveUp = (): void => settle(() => resolve(NOTHING));
    const timer = setTimeout(giveUp, ANSWER_MS);
    worker.addEventListener('message', (event: MessageEvent<ProbeAnswer>) => settle(() => resolve(event.data.report)), { signal: stop.signal });
    worker.addEventListener('messageerror', giveUp, { signal: stop.signal });
    worker.addEventListener(
      'error',
      (event) => {
        event.preventDefault();
        giveUp();
      },
      { signal: stop.signal },
    );
    signal?.addEventListener('abort', () => settle(() => reject(signal.reason as Error)), { signal: stop.signal });
    worker.postMessage({ type: 'probe' } satisfies ProbeRequest);
  });
}

/** An iPad names itself a Macintosh, and only a page can see its touch screen. */
function isTablet(): boolean {
  return /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
}
