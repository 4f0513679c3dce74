import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of the evaluation room. */
export class EvaluationError extends AnamnesisError {
  override readonly name = 'EvaluationError';
  /** One-based line of the file, where there is one. */
  readonly line: number | undefined;

  constructor(code: ErrorCode, message: string, options: { line?: number; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.line = options.line;
  }
}
