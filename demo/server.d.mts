import type { Server } from 'node:http';

/** The strictest policy under which everything works. */
export declare const STRICT_CSP: string;
/** The same for a page that offers models from the public hub. */
export declare const HUB_CSP: string;

/** A server of static files for the demo and the tests; not yet listening. */
export declare function createDemoServer(options: {
  readonly roots: readonly string[];
  readonly csp?: string | null | ((file: string) => string | null);
  readonly headers?: Readonly<Record<string, string>>;
}): Server;
