declare module 'opencc-js/dict/TSCharacters' {
  /** `traditional simplified|…` pairs. */
  const pairs: string;
  export default pairs;
}
