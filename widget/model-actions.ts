import type { ModelState } from '../src/index.js';

/** The language model as the widget's parts see it: what it is doing, and what the visitor can tell it. */
export interface ModelActions {
  readonly state: ModelState;
  /** The visitor's leave: to ask the server for the size where that is not known yet, else to fetch and use the model. */
  allow(): void;
  /** Stops the fetch; what has arrived stays for `resume`. */
  pause(): void;
  resume(): void;
  /** Gives up the question for the size, the wait, the fetch or the load; files that are here stay until `remove`. */
  cancel(): void;
  /** Stops the model and deletes its files from this device. */
  remove(): void;
  /** Tries again what failed. */
  retry(): void;
  /** Goes on without the model; also the answer "not now" to an offer. Files stay. */
  turnOff(): void;
  turnOn(): void;
}
