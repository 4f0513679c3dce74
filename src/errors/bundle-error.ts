import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of the bundle room. */
export class BundleError extends AnamnesisError {
  override readonly name = 'BundleError';
  /** The file of the bundle that is at fault, without its address. */
  readonly file: string | undefined;

  constructor(code: ErrorCode, message: string, options: { file?: string; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.file = options.file;
  }
}
