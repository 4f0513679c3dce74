import type { Language, School } from '../src/index.js';

/** What the attributes of an element say, with defaults filled in. */
export interface Settings {
  readonly language: Language;
  readonly knowledge: School;
  /** Directory that holds `bundles/`, absolute, ending in a slash. */
  readonly assetBase: URL;
  /** Undefined: there is no number that is right everywhere; words take its place. */
  readonly emergencyNumber: string | undefined;
  readonly crisisLine: string | undefined;
  /** Questions asked at most, 0 to 50. */
  readonly maxQuestions: number;
  /** False: kiosk; nothing is kept, not even when the visitor would like it. */
  readonly mayStore: boolean;
  /** Minutes without a touch or key after which everything is erased; 0: never. */
  readonly idleMinutes: number;
  readonly mayPrint: boolean;
  readonly mayExport: boolean;
}

/** Numbers of mainland China: medical emergency, and the national mental health line. */
const NUMBERS: Readonly<Record<Language, { readonly emergency: string | undefined; readonly crisis: string | undefined }>> = {
  zh: { emergency: '120', crisis: '12356' },
  en: { emergency: undefined, crisis: undefined },
};

/** `zh` for every Chinese tag, `en` for English; undefined for other languages. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  const primary = /^[a-z]+/i.exec(tag ?? '')?.[0].toLowerCase();
  return primary === 'zh' || primary === 'en' ? primary : undefined;
}

/** Language of an element without a `lang` of its own: of the nearest ancestor that has one, of the browser, English. */
export function inheritedLanguage(element: Element): Language {
  for (let node: Node | null = element.parentNode; node !== null; node = node instanceof ShadowRoot ? node.host : node.parentNode) {
    if (!(node instanceof Element) || !node.hasAttribute('lang')) continue;
    const language = languageOf(node.getAttribute('lang'));
    if (language !== undefined) return language;
    break;
  }
  for (const tag of navigator.languages) {
    const language = languageOf(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** A number as configured: the attribute where it says something, else the default of the language. */
export function numberFor(kind: 'emergency' | 'crisis', attribute: string, language: Language): string | undefined {
  const configured = attribute.trim();
  return configured === '' ? NUMBERS[language][kind] : configured;
}

/** Address for a telephone link; undefined where the text holds no number that can be dialled. */
export function telephoneLink(text: string): string | undefined {
  const dialled = text.replace(/[^\d+*#]/g, '');
  return /\d/.test(dialled) ? `tel:${dialled}` : undefined;
}
