import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of the consultation room. */
export class ConsultationError extends AnamnesisError {
  override readonly name = 'ConsultationError';
  /** State the consultation was in. */
  readonly state: string | undefined;

  constructor(code: ErrorCode, message: string, options: { state?: string; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.state = options.state;
  }
}
