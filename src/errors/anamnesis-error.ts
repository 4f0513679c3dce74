import type { ErrorCode } from './codes.js';

const MARK = Symbol.for('anamnesis.error');

/**
 * Base of every error that Anamnesis throws on its own account. Mistakes of the caller are `TypeError` or `RangeError`,
 * an abort stays an `AbortError`. No message, payload or `cause` ever holds a visitor's words.
 */
export class AnamnesisError extends Error {
  override readonly name: string = 'AnamnesisError';
  readonly [MARK] = true;
  /** Stable, machine-readable; see the table in `codes.ts`. */
  readonly code: ErrorCode;
  /** Whether the same call may succeed later without a change. @default false */
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** True for errors of this and of any other copy of Anamnesis on the page. */
export function isAnamnesisError(value: unknown): value is AnamnesisError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[MARK] === true;
}
