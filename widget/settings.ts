import type { Embedder, Language, ModelSessionOptions, ModelStrategyName, School, StrategyOptions } from '../src/index.js';
import { isEmbedder } from './encoder.js';

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
  /** How turns are answered once a language model is ready; `guided`: there is to be none. */
  readonly strategy: ModelStrategyName | 'guided';
  /** Options of that strategy. */
  readonly strategyOptions: Omit<StrategyOptions, 'model'>;
  /** Where a model may be fetched from. */
  readonly modelSource: 'none' | 'host' | 'hub';
  /** Directory of the host's mirrored models, absolute, ending in a slash. */
  readonly modelBase: URL;
  /** Id of the only model to consider, or `built-in`; empty: the catalogue's order. */
  readonly model: string;
  /** The host's own catalogue, unchecked; undefined: the one that travels along. */
  readonly modelCatalogue: unknown;
  /** A model that the page brings, unchecked. */
  readonly languageModel: unknown;
  /** An encoder that the page brings; null where it brings none or something else. */
  readonly embedder: Embedder | null;
  /** What tests set. */
  readonly modelTesting: Pick<ModelSessionOptions, 'allowSoftware' | 'hub' | 'github' | 'silenceMs' | 'workerBase'>;
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

/** The attributes and properties of an element that settings are read from. */
export interface SettingsSource {
  readonly lang: string;
  readonly knowledge: School;
  readonly assetBase: string;
  readonly emergencyNumber: string;
  readonly crisisLine: string;
  readonly maxQuestions: number;
  readonly storage: 'ask' | 'none';
  readonly idleMinutes: number;
  readonly noPrint: boolean;
  readonly noExport: boolean;
  readonly strategy: Settings['strategy'];
  readonly strategyOptions: Settings['strategyOptions'];
  readonly modelSource: Settings['modelSource'];
  readonly modelBase: string;
  readonly model: string;
  readonly modelCatalogue: unknown;
  readonly languageModel: unknown;
  readonly embedder: unknown;
  readonly modelTesting: Settings['modelTesting'];
}

const MOST_QUESTIONS = 50;
export const DEFAULT_QUESTIONS = 10;
const STRATEGIES: readonly string[] = ['mrd-rag', 'direct', 'single-round', 'rag-pulse', 'guided'];

/** Settings with every default filled in; what is out of range or unknown becomes the default. */
export function readSettings(source: SettingsSource & HTMLElement, scriptBase: URL): Settings {
  const language = languageOf(source.lang) ?? inheritedLanguage(source);
  const directory = (text: string, otherwise: URL): URL => (text.trim() === '' ? otherwise : new URL(`${text.trim().replace(/\/+$/, '')}/`, document.baseURI));
  const assetBase = directory(source.assetBase, scriptBase);
  const most = Number.isFinite(source.maxQuestions) ? Math.round(source.maxQuestions) : DEFAULT_QUESTIONS;
  return {
    language,
    knowledge: source.knowledge === 'tcm' ? 'tcm' : 'mm',
    assetBase,
    emergencyNumber: numberFor('emergency', source.emergencyNumber, language),
    crisisLine: numberFor('crisis', source.crisisLine, language),
    maxQuestions: Math.min(MOST_QUESTIONS, Math.max(0, most)),
    mayStore: source.storage !== 'none',
    idleMinutes: Number.isFinite(source.idleMinutes) ? Math.max(0, source.idleMinutes) : 0,
    strategy: STRATEGIES.includes(source.strategy) ? source.strategy : 'mrd-rag',
    strategyOptions: { ...source.strategyOptions },
    modelSource: source.modelSource === 'hub' || source.modelSource === 'none' ? source.modelSource : 'host',
    modelBase: directory(source.modelBase, new URL('models/', assetBase)),
    model: source.model.trim(),
    modelCatalogue: source.modelCatalogue,
    languageModel: source.languageModel,
    embedder: isEmbedder(source.embedder) ? source.embedder : null,
    modelTesting: { ...source.modelTesting },
    mayPrint: !source.noPrint,
    mayExport: !source.noExport,
  };
}
