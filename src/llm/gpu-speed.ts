/** Rows and columns of the matrices. */
const SIDE = 256;
const GROUP = 8;
const OPERATIONS = 2 * SIDE ** 3;
/** A run this long is measured well enough. */
const ENOUGH_MS = 100;

/** `GPUBufferUsage` and `GPUMapMode` as numbers: the types of WebGPU have no values. */
const [MAP_READ, COPY_SRC, COPY_DST, STORAGE, READ] = [0x1, 0x4, 0x8, 0x80, 0x1] as const;

const SHADER = `
@group(0) @binding(0) var<storage, read> left: array<f32>;
@group(0) @binding(1) var<storage, read> right: array<f32>;
@group(0) @binding(2) var<storage, read_write> product: array<f32>;

@compute @workgroup_size(${String(GROUP)}, ${String(GROUP)})
fn multiply(@builtin(global_invocation_id) cell: vec3<u32>) {
  var sum = 0.0;
  for (var i = 0u; i < ${String(SIDE)}u; i++) {
    sum += left[cell.y * ${String(SIDE)}u + i] * right[i * ${String(SIDE)}u + cell.x];
  }
  product[cell.y * ${String(SIDE)}u + cell.x] = sum;
}`;

/**
 * How fast a GPU multiplies matrices, in billions of operations a second: the plain product of two 256 × 256 matrices,
 * repeated in ever larger batches until one takes 100 ms. The same product, and so the same figure, on every device; a
 * tuned one is several times faster.
 * @param budgetMs after a first run to warm up; no batch is begun that would end later
 * @throws whatever the GPU threw, or when its product is wrong
 */
export async function gpuGigaflops(adapter: GPUAdapter, budgetMs: number): Promise<number> {
  const device = await adapter.requestDevice();
  try {
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    const { run, readLast } = await prepare(device);
    await run(1);
    const end = performance.now() + budgetMs;
    let gigaflops = 0;
    for (let batch = 1; ; batch *= 4) {
      const startMs = performance.now();
      await run(batch);
      const nowMs = performance.now();
      const elapsedMs = Math.max(nowMs - startMs, 0.1);
      gigaflops = Math.max(gigaflops, (OPERATIONS * batch) / (elapsedMs * 1e6));
      if (elapsedMs >= ENOUGH_MS || nowMs + 4 * elapsedMs > end) break;
    }
    // The last row of the left one holds 256s and the right one holds ones; a GPU that errs here is none to trust.
    if ((await readLast()) !== SIDE * SIDE) throw new Error('The GPU multiplied wrongly.');
    const errors = [await device.popErrorScope(), await device.popErrorScope()];
    if (errors.some((error) => error !== null)) throw new Error('The GPU reported an error.');
    return gigaflops;
  } finally {
    device.destroy();
  }
}

async function prepare(device: GPUDevice): Promise<{ readonly run: (batch: number) => Promise<void>; readonly readLast: () => Promise<number> }> {
  const bytes = SIDE * SIDE * 4;
  const [left, right, product] = [0, 1, 2].map(() => device.createBuffer({ size: bytes, usage: STORAGE | COPY_DST | COPY_SRC })) as [GPUBuffer, GPUBuffer, GPUBuffer];
  device.queue.writeBuffer(left, 0, Float32Array.from({ length: SIDE * SIDE }, (_, at) => 1 + Math.floor(at / SIDE)));
  device.queue.writeBuffer(right, 0, new Float32Array(SIDE * SIDE).fill(1));
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'multiply' } });
  const bindings = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [left, right, product].map((buffer, binding) => ({ binding, resource: { buffer } })) });
  return {
    async run(batch) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      for (let i = 0; i < batch; i++) pass.dispatchWorkgroups(SIDE / GROUP, SIDE / GROUP);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
    },
    async readLast() {
      const target = device.createBuffer({ size: 4, usage: COPY_DST | MAP_READ });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(product, bytes - 4, target, 0, 4);
      device.queue.submit([encoder.finish()]);
      await target.mapAsync(READ);
      return new Float32Array(target.getMappedRange())[0] ?? 0;
    },
  };
}
