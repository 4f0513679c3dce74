import { ModelError } from '../errors/model-error.js';
import type { ModelManifest } from './catalogue.js';
import type { DownloadOrder, DownloadReport } from './download-protocol.js';
import type { HeldFiles } from './file-store.js';
import type { ModelProgress } from './language-model.js';
import { TransferRate } from './transfer-rate.js';
import { spawnWorker } from './worker-start.js';

/** A model's files, by path. A blob of a kept model is read from the device as it is used. */
export interface StoredModel {
  readonly files: ReadonlyMap<string, Blob>;
  /** False: gone with the page. */
  readonly kept: boolean;
}

export interface DownloadProgress extends ModelProgress {
  /** Null while not known. */
  readonly secondsLeft: number | null;
  /** Another tab fetches the same model; this one takes it over when that one has ended. */
  readonly waiting: boolean;
}

export interface JobOptions {
  readonly manifest: ModelManifest;
  readonly base: URL;
  readonly keep: boolean;
  readonly workerBase: URL | undefined;
  readonly held: HeldFiles;
  /** Receives what is in memory when it ends, however it ends. */
  readonly onHeld: (held: HeldFiles) => void;
}

interface Member {
  readonly resolve: (model: StoredModel) => void;
  readonly reject: (reason: Error) => void;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
}

/** A worker that was told to stop has so long to put its files away. */
const STOP_MS = 3_000;

/** One download in one worker, for everybody on the page who wants that model. It stops when the last of them has left. */
export class DownloadJob {
  readonly #options: JobOptions;
  readonly #members = new Set<Member>();
  readonly #rate = new TransferRate();
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #worker: Worker | undefined;
  #progress: DownloadProgress | undefined;
  #isStopping = false;

  constructor(options: JobOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
    void this.#start();
  }

  /** Whether nobody may join any more. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Settles when its worker is gone. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** @throws the signal's reason; ModelError of the download */
  join(signal: AbortSignal | undefined, onProgress: Member['onProgress']): Promise<StoredModel> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#members.delete(member);
        reject(signal?.reason as Error);
        if (this.#members.size === 0) this.#stop();
      };
      const settled = (): void => signal?.removeEventListener('abort', leave);
      const member: Member = {
        resolve: (model) => {
          settled();
          resolve(model);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
        onProgress,
      };
      this.#members.add(member);
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      if (this.#progress !== undefined) onProgress?.(this.#progress);
    });
  }

  /** Everybody is refused for a reason, and the worker stops. */
  stop(reason: Error): void {
    this.#settle((member) => member.reject(reason));
    this.#stop();
  }

  async #start(): Promise<void> {
    const { manifest, base, keep, held, workerBase } = this.#options;
    try {
      const worker = await spawnWorker('download-worker.js', workerBase);
      this.#worker = worker;
      if (this.#isStopping) return this.#finish();
      worker.addEventListener('message', (event: MessageEvent<DownloadReport>) => this.#receive(event.data));
      const broke = (event: Event): void => {
        event.preventDefault();
        this.#fail(new ModelError('runtime-failed', 'The worker that downloads the model broke off; try again.', { modelId: manifest.id, retryable: true }));
      };
      worker.addEventListener('error', broke);
      worker.addEventListener('messageerror', broke);
      this.#tell({ type: 'download', manifest, base: base.href, keep, held });
    } catch (error) {
      this.#fail(error);
    }
  }

  #tell(order: DownloadOrder): void {
    this.#worker?.postMessage(order);
  }

  #receive(report: DownloadReport): void {
    switch (report.type) {
      case 'waiting':
        return this.#publish({ loadedBytes: report.loadedBytes, totalBytes: report.totalBytes, secondsLeft: null, waiting: true });
      case 'progress': {
        this.#rate.add(performance.now(), report.loadedBytes);
        const { loadedBytes, totalBytes } = report;
        return this.#publish({ loadedBytes, totalBytes, secondsLeft: this.#rate.secondsFor(totalBytes - loadedBytes), waiting: false });
      }
      case 'done':
        this.#options.onHeld(report.held);
        this.#settle((member) => member.resolve({ files: report.files, kept: report.kept }));
        return this.#finish();
      case 'stopped':
        this.#options.onHeld(report.held);
        return this.#finish();
      case 'failed': {
        const { code, message, ...about } = report.failure;
        this.#options.onHeld(report.held);
        return this.#fail(new ModelError(code, message, { modelId: about.modelId, retryable: about.retryable, ...(about.file === undefined ? {} : { file: about.file }), ...(about.requiredBytes === undefined ? {} : { requiredBytes: about.requiredBytes }) }));
      }
    }
  }

  #publish(progress: DownloadProgress): void {
    this.#progress = progress;
    for (const member of this.#members) member.onProgress?.(progress);
  }

  #fail(error: unknown): void {
    this.#settle((member) => member.reject(error as Error));
    this.#finish();
  }

  #settle(action: (member: Member) => void): void {
    const members = [...this.#members];
    this.#members.clear();
    for (const member of members) action(member);
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    if (this.#worker === undefined) return;
    this.#tell({ type: 'stop' });
    setTimeout(() => this.#finish(), STOP_MS);
  }

  #finish(): void {
    this.#isStopping = true;
    this.#worker?.terminate();
    this.#end();
  }
}
