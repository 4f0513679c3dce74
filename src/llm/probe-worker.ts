import { gpuGigaflops } from './gpu-speed.js';
import type { DeviceReport, GpuAbsence, GpuReport, ProbeAnswer, ProbeRequest } from './probe.js';
import { type Hello, PROTOCOL } from './worker-start.js';

/** Parts of `WorkerNavigator` that not every browser has. */
interface Device extends Omit<Navigator, 'gpu'> {
  readonly gpu?: GPU;
  readonly deviceMemory?: number;
  readonly userAgentData?: { readonly mobile?: boolean };
}

const ADAPTER_MS = 3_000;
/** Making the device and compiling the shader, which a driver may take its time for. */
const PREPARE_MS = 3_000;
const KERNEL_MS = 1_000;
const STORAGE_MS = 1_000;
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|\bwarp\b|basic render/i;

/** One function `() -> v128` and nothing else. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
/** One page of memory with 64-bit addresses. */
const MEMORY64 = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1);

async function report(): Promise<DeviceReport> {
  const device = navigator as Device;
  const agent = device.userAgent;
  const [gpu, gpuAbsence] = await reportGpu(device.gpu);
  return {
    gpu,
    gpuAbsence,
    memoryGibibytes: device.deviceMemory ?? null,
    cores: device.hardwareConcurrency || null,
    isMobile: device.userAgentData?.mobile === true || /Android|iPhone|iPad|Mobile/.test(agent),
    isCrossOriginIsolated: globalThis.crossOriginIsolated,
    storage: await storageOf(device),
    wasm: { simd: validates(SIMD), memory64: validates(MEMORY64), heapBytes: heapBytes(), jspi: 'Suspending' in WebAssembly },
    cpuGigaflops: cpuGigaflops(),
  };
}

async function reportGpu(gpu: GPU | undefined): Promise<[GpuReport, null] | [null, GpuAbsence]> {
  if (gpu === undefined) return [null, 'absent'];
  try {
    // As WebLLM asks, so that it is the same one.
    const adapter = await within(ADAPTER_MS, gpu.requestAdapter({ powerPreference: 'high-performance' }));
    if (adapter === null) return [null, 'no-adapter'];
    const { limits } = adapter;
    const { vendor = '', architecture = '', description = '', device = '', isFallbackAdapter = false } = (adapter.info as GPUAdapterInfo | undefined) ?? {};
    // Until 2025 browsers had the flag on the adapter itself.
    const isFallback = isFallbackAdapter || (adapter as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
    const found = {
      vendor,
      architecture,
      isSoftware: isFallback || SOFTWARE.test(`${vendor} ${architecture} ${device} ${description}`),
      features: [...adapter.features].sort(),
      maxBufferBytes: limits.maxBufferSize,
      maxStorageBufferBytes: limits.maxStorageBufferBindingSize,
      maxWorkgroupBytes: limits.maxComputeWorkgroupStorageSize,
      maxStorageBuffers: limits.maxStorageBuffersPerShaderStage,
    };
    // Last, since an adapter gives out one device only.
    const gigaflops = await within(PREPARE_MS + KERNEL_MS, gpuGigaflops(adapter, KERNEL_MS)).catch(() => null);
    return [{ ...found, gigaflops }, null];
  } catch {
    return [null, 'failed'];
  }
}

async function storageOf(device: Device): Promise<DeviceReport['storage']> {
  try {
    const { quota, usage } = await within(STORAGE_MS, device.storage.estimate());
    return quota === undefined ? null : { quotaBytes: quota, usageBytes: usage ?? 0 };
  } catch {
    return null;
  }
}

function validates(module: Uint8Array<ArrayBuffer>): boolean {
  try {
    return WebAssembly.validate(module);
  } catch {
    return false;
  }
}

/** Reserved, not used, and given back with the worker. */
function heapBytes(): number {
  for (let gibibytes = 4; gibibytes > 0; gibibytes--) {
    try {
      const asked = { initial: 1n, maximum: BigInt(gibibytes * 16_384), shared: true, address: 'i64' };
      new WebAssembly.Memory(asked as unknown as WebAssembly.MemoryDescriptor);
      return gibibytes * 2 ** 30;
    } catch {
      // Less may do.
    }
  }
  return 0;
}

/** The product of two 128 × 128 matrices over and over for a twentieth of a second; the best run counts. */
function cpuGigaflops(): number {
  const side = 128;
  const left = new Float32Array(side * side).fill(1);
  const right = new Float32Array(side * side).fill(1);
  const product = new Float32Array(side * side);
  const end = performance.now() + 50;
  let bestMs = Infinity;
  while (performance.now() < end) {
    const startMs = performance.now();
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        let sum = 0;
        for (let i = 0; i < side; i++) sum += left[row * side + i]! * right[column * side + i]!;
        product[row * side + column] = sum;
      }
    }
    bestMs = Math.min(bestMs, Math.max(performance.now() - startMs, 0.1));
  }
  return (2 * side ** 3) / (bestMs * 1e6);
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It took too long.')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

globalThis.addEventListener('message', (event: MessageEvent<ProbeRequest>) => {
  if (event.data.type === 'probe') void report().then((made) => postMessage({ type: 'report', report: made } satisfies ProbeAnswer));
});
postMessage({ type: 'hello', protocol: PROTOCOL } satisfies Hello);
