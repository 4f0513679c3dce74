/** What is embedded: what a patient says, or what the knowledge says of a disease. */
export type EmbeddingRole = 'query' | 'passage';

/**
 * Turns text into the rows that a vector store compares. The bundle's own encoder (`static-embedder.ts`) needs no
 * download; others may be brought by the host page, if they made the bundle's rows too.
 */
export interface Embedder {
  /** As the manifest names it, for example `lsi-128`; must be the manifest's `encoder.id`, or that of rows loaded beside it. */
  readonly id: string;
  /** Row length. */
  readonly dimension: number;
  /**
   * Embeds texts.
   * @param role what the texts are: some encoders are trained to be told. @default 'query'
   * @returns one row a text, `[dimension]`, unit length; all zeros where the text holds no known term
   */
  embed(texts: readonly string[], role?: EmbeddingRole): Promise<Float32Array[]>;
  /** Releases what it holds; may be called twice. */
  close(): void;
}
