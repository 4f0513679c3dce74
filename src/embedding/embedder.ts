/**
 * Turns text into the rows that a vector store compares. The bundle's own encoder (`static-embedder.ts`) needs no
 * download; others may be brought by the host page, if they made the bundle's rows too.
 */
export interface Embedder {
  /** As the manifest names it, for example `lsi-128`; must equal the manifest's `encoder.id`. */
  readonly id: string;
  /** Row length. */
  readonly dimension: number;
  /**
   * Embeds texts.
   * @returns one row a text, `[dimension]`, unit length; all zeros where the text holds no known term
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Releases what it holds; may be called twice. */
  close(): void;
}
