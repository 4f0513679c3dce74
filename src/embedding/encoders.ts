/** A transformer encoder that transformers.js can run, with what its authors trained it to be given. */
export interface EncoderDescription {
  /** Names the rows; a bundle lists the encoders that it has rows of. */
  readonly id: string;
  /** Repository on the model hub; its files, copied to a directory of the page's own, are what is loaded. */
  readonly repository: string;
  /** Row length. */
  readonly dimension: number;
  /** How the vectors of a text's tokens become one. */
  readonly pooling: 'mean' | 'cls';
  /** What precedes a patient's words, and the knowledge's. */
  readonly prefix: { readonly query: string; readonly passage: string };
  /** Languages it reads: `multilingual` has Chinese and English. */
  readonly reads: 'zh' | 'en' | 'multilingual';
  readonly licence: string;
}

/** Encoders by name. Sizes are those of the int8 weights. */
export const ENCODERS: readonly EncoderDescription[] = [
  // Xiao et al. 2023 (C-Pack): Chinese, 24 MB.
  { id: 'bge-small-zh-v1.5', repository: 'Xenova/bge-small-zh-v1.5', dimension: 512, pooling: 'cls', prefix: { query: '为这个句子生成表示以用于检索相关文章：', passage: '' }, reads: 'zh', licence: 'MIT' },
  // Wang et al. 2024: some hundred languages, 118 MB.
  { id: 'multilingual-e5-small', repository: 'Xenova/multilingual-e5-small', dimension: 384, pooling: 'mean', prefix: { query: 'query: ', passage: 'passage: ' }, reads: 'multilingual', licence: 'MIT' },
  // Reimers and Gurevych 2020: some fifty languages, 118 MB.
  { id: 'paraphrase-multilingual-MiniLM-L12-v2', repository: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2', dimension: 384, pooling: 'mean', prefix: { query: '', passage: '' }, reads: 'multilingual', licence: 'Apache-2.0' },
  // Reimers and Gurevych 2019: English, 23 MB.
  { id: 'all-MiniLM-L6-v2', repository: 'Xenova/all-MiniLM-L6-v2', dimension: 384, pooling: 'mean', prefix: { query: '', passage: '' }, reads: 'en', licence: 'Apache-2.0' },
];
