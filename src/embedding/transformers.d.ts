/** An optional peer: its types are not needed, since `transformers-embedder.ts` says what it uses. */
declare module '@huggingface/transformers';
