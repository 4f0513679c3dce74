import { ModelError } from '../errors/model-error.js';

/**
 * Tells at once when a GPU device of this worker is lost. Runtimes make their device themselves and notice its loss late or
 * never, so every device that is made from now on is watched.
 */
export function watchDevices(onLost: (error: ModelError) => void): void {
  const adapters = (globalThis as { GPUAdapter?: { prototype: GPUAdapter } }).GPUAdapter?.prototype;
  if (adapters === undefined) return;
  const request = Reflect.get<GPUAdapter, 'requestDevice'>(adapters, 'requestDevice');
  adapters.requestDevice = async function watched(this: GPUAdapter, descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> {
    const device = await request.call(this, descriptor);
    void device.lost.then(({ reason }) => {
      // Both runtimes destroy the device themselves when it has no memory for a buffer.
      if (reason === 'destroyed') onLost(new ModelError('out-of-memory', 'The GPU had no memory left for the model.'));
      else onLost(new ModelError('device-lost', 'The GPU device was lost.', { retryable: true }));
    });
    return device;
  };
}
