import type { ErrorCode } from '../src/index.js';
import type { Locale } from './localize.js';

/** An error as the visitor is told of it. */
export interface Failure {
  readonly code: ErrorCode | 'unexpected';
  /** Directive of the page's CSP that refused a request; empty where none did. */
  readonly directive: string;
}

/** The code of an error, of this or of another copy of the engine; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** An error by its code; the message is never shown. */
export function failureOf(error: unknown, t: Locale, directive = ''): Failure {
  const code = codeOf(error);
  return { code: code !== undefined && Object.hasOwn(t.errors, code) ? (code as ErrorCode) : 'unexpected', directive };
}

/** The sentence for a failure. */
export function failureText(failure: Failure, t: Locale): string {
  if (failure.directive !== '') return t.blockedByPage;
  return failure.code === 'unexpected' ? t.unexpected : t.errors[failure.code];
}

/** Watches for requests that the page's CSP refuses, which look like a broken network otherwise. */
export class PolicyWatch {
  directive = '';
  readonly #base: string;
  readonly #listener = (event: SecurityPolicyViolationEvent): void => {
    if (event.disposition === 'enforce' && event.effectiveDirective === 'connect-src' && (event.blockedURI.startsWith(this.#base) || this.#base.startsWith(event.blockedURI))) this.directive = event.effectiveDirective;
  };

  constructor(base: URL) {
    this.#base = base.href;
    document.addEventListener('securitypolicyviolation', this.#listener);
  }

  /** Stops watching and tells what was seen. The event comes as a task of its own after the refused request. */
  async end(failed: boolean): Promise<string> {
    if (failed) await new Promise((resolve) => setTimeout(resolve, 0));
    document.removeEventListener('securitypolicyviolation', this.#listener);
    return this.directive;
  }
}
