import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of the store room. */
export class StoreError extends AnamnesisError {
  override readonly name = 'StoreError';
  /** The largest value that would have been accepted, where there is one. */
  readonly limit: number | undefined;

  constructor(code: ErrorCode, message: string, options: { limit?: number; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.limit = options.limit;
  }
}
