import type { ErrorCode, ModelPhase, RedFlag, Urgency } from '../src/index.js';
import type { AnamnesisChat } from './element.js';

/** The details of every event of `<anamnesis-chat>`. None holds a visitor's words. All events bubble and are composed. */
export interface AnamnesisEventDetails {
  /** The knowledge is loaded and the consultation can begin. `origin` is `last-good` where an earlier copy is used. */
  'anamnesis-ready': { readonly bundleId: string; readonly version: string; readonly origin: 'network' | 'last-good'; readonly resumed: boolean };
  /** Bytes of knowledge so far and in all, decoded. */
  'anamnesis-progress': { readonly loadedBytes: number; readonly totalBytes: number };
  /** The visitor agreed to start. `keep`: and wants the consultation kept on this device. */
  'anamnesis-consent': { readonly keep: boolean };
  /** A round is being answered; rounds count from 0. */
  'anamnesis-round-start': { readonly round: number };
  /** A round was answered. */
  'anamnesis-round-end': { readonly round: number; readonly status: string; readonly urgency: Urgency | null; readonly redFlags: readonly string[] };
  /** A rule fired that had not before. */
  'anamnesis-red-flag': { readonly id: string; readonly level: RedFlag['level'] };
  /** A result is shown. `candidateIds` is empty where there was not enough to go on. */
  'anamnesis-result': { readonly urgency: Urgency; readonly candidateIds: readonly string[] };
  /** The language model: what it is doing now, why there is none or it failed, and its id. `ready`: it answers from the next turn on. */
  'anamnesis-model': { readonly phase: ModelPhase; readonly reason: ErrorCode | null; readonly id: string };
  /** Something failed; `unexpected` stands for what has no code. `directive`: the part of the page's CSP that refused it. */
  'anamnesis-error': { readonly code: ErrorCode | 'unexpected'; readonly directive?: string };
  /** Everything was erased. */
  'anamnesis-erase': Record<string, never>;
}

export type AnamnesisEventName = keyof AnamnesisEventDetails;

/** Event types by name, for `addEventListener`. */
export type AnamnesisEventMap = { readonly [Name in AnamnesisEventName]: CustomEvent<AnamnesisEventDetails[Name]> };

declare global {
  interface HTMLElementTagNameMap {
    'anamnesis-chat': AnamnesisChat;
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging adds the events to the DOM's own map
  interface GlobalEventHandlersEventMap extends AnamnesisEventMap {}
}
