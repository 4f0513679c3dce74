import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of the strategy room. */
export class StrategyError extends AnamnesisError {
  override readonly name = 'StrategyError';
  /** Zero-based round in which it happened. */
  readonly round: number | undefined;

  constructor(code: ErrorCode, message: string, options: { round?: number; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.round = options.round;
  }
}
