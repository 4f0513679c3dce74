import type { ErrorCode } from '../errors/codes.js';
import type { ModelManifest } from './catalogue.js';
import type { HeldFiles } from './file-store.js';

/** What the page says to the worker that downloads. One download a worker. */
export type DownloadOrder =
  | {
      readonly type: 'download';
      readonly manifest: ModelManifest;
      /** Absolute, ending in a slash. */
      readonly base: string;
      readonly keep: boolean;
      /** Files that the page holds in memory, whole and in part. */
      readonly held: HeldFiles;
    }
  /** What was fetched stays; `stopped` follows. */
  | { readonly type: 'stop' };

/** What the worker answers, after its hello. The last three end it, with all that is held in memory then. */
export type DownloadReport =
  /** Another tab fetches the same model; this one goes on when that one has ended. */
  | { readonly type: 'waiting'; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly type: 'progress'; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly type: 'done'; readonly files: ReadonlyMap<string, Blob>; readonly kept: boolean; readonly held: HeldFiles }
  | { readonly type: 'stopped'; readonly held: HeldFiles }
  | { readonly type: 'failed'; readonly failure: DownloadFailure; readonly held: HeldFiles };

/** A `ModelError`, as it passes from the worker to the page. */
export interface DownloadFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly modelId: string;
  readonly file: string | undefined;
  readonly requiredBytes: number | undefined;
  readonly retryable: boolean;
}
