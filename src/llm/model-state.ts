import type { ErrorCode } from '../errors/codes.js';
import type { RuntimeName } from './language-model.js';

/** A model as it is offered before anything of it is fetched. */
export interface ModelOffer {
  /** `<model id>/<variant id>`. */
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly licenceUrl: string;
  readonly runtime: RuntimeName;
  readonly device: 'gpu' | 'cpu' | 'elsewhere';
  /** Exact; null while only the server can say, which needs the visitor's leave first. */
  readonly downloadBytes: number | null;
  /** Of these, already on this device. */
  readonly storedBytes: number;
  readonly memoryBytes: number;
  /** Host names that would be asked for files; empty: none but the page's own asset base. */
  readonly servers: readonly string[];
  /** Kept on this device for the next visit; false: for this visit only. */
  readonly keeps: boolean;
}

/**
 * What the model panel shows. `none`: nothing is or can be offered (`reason` says why). `checking`: the device is being
 * looked at. `offered`: waits for the visitor's leave. `sizing`: the server is asked for the exact size. `waiting`:
 * another tab fetches the same model. `downloading`, `paused`. `loading`: into memory. `ready`: answers turns.
 * `failed`: see `reason`; may be tried again. `off`: turned off by the visitor, or by safe mode (`reason`).
 */
export type ModelPhase = 'none' | 'checking' | 'offered' | 'sizing' | 'waiting' | 'downloading' | 'paused' | 'loading' | 'ready' | 'failed' | 'off';

/** A snapshot; a new object after every change. */
export interface ModelState {
  readonly phase: ModelPhase;
  /** Code of why there is no model, or why it failed; null where all is well. */
  readonly reason: ErrorCode | null;
  readonly offer: ModelOffer | null;
  /** Bytes here so far; never falls within a download. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** Null while not known. */
  readonly secondsLeft: number | null;
  /** What answers turns now: `guided` without a model. */
  readonly runs: 'gpu' | 'cpu' | 'elsewhere' | 'none';
  /** Tokens a second of the last reply; null before the first. */
  readonly tokensPerSecond: number | null;
}

export const NO_MODEL: ModelState = { phase: 'none', reason: null, offer: null, loadedBytes: 0, totalBytes: 0, secondsLeft: null, runs: 'none', tokensPerSecond: null };
