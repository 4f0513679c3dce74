const LOADING = 'anamnesis-model-loading';
const OFF = 'anamnesis-model-off';

/**
 * Two marks that outlive the page: a load into memory has begun (and was never seen to end: the page broke off), and the
 * visitor turned the model off. Nothing of a patient is in them. Where nothing may be kept they last as long as the tab.
 */
export class ModelFlags {
  readonly #area: Storage | undefined;

  /** @param keeps the marks may outlive the tab */
  constructor(keeps: boolean) {
    try {
      this.#area = keeps ? globalThis.localStorage : globalThis.sessionStorage;
    } catch {
      // Refused by the browser: then there are no marks.
    }
  }

  /** The page broke off during a load. */
  get brokeOff(): boolean {
    return this.#has(LOADING);
  }

  get isOff(): boolean {
    return this.#has(OFF);
  }

  markLoading(): void {
    this.#set(LOADING, true);
  }

  clearLoading(): void {
    this.#set(LOADING, false);
  }

  setOff(isOff: boolean): void {
    this.#set(OFF, isOff);
  }

  /** Forgets both. */
  clear(): void {
    this.#set(LOADING, false);
    this.#set(OFF, false);
  }

  #has(name: string): boolean {
    try {
      return this.#area?.getItem(name) === '1';
    } catch {
      return false;
    }
  }

  #set(name: string, isOn: boolean): void {
    try {
      if (isOn) this.#area?.setItem(name, '1');
      else this.#area?.removeItem(name);
    } catch {
      // Full or refused: then there is no mark.
    }
  }
}
