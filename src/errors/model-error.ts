import { AnamnesisError } from './anamnesis-error.js';
import type { ErrorCode } from './codes.js';

/** An error of a language model: choosing, fetching, loading or running it. */
export class ModelError extends AnamnesisError {
  override readonly name = 'ModelError';
  /** Of the catalogue; empty where none was chosen. */
  readonly modelId: string;
  /** The file concerned, as the model's manifest names it. */
  readonly file: string | undefined;
  /** Bytes of storage or memory that were needed. */
  readonly requiredBytes: number | undefined;

  constructor(code: ErrorCode, message: string, options: { modelId?: string; file?: string; requiredBytes?: number; cause?: unknown; retryable?: boolean } = {}) {
    super(code, message, options);
    this.modelId = options.modelId ?? '';
    this.file = options.file;
    this.requiredBytes = options.requiredBytes;
  }
}
