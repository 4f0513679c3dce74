import type { AskSet, Disease, EntryType, FindingKind, HeadingRole, IndexRow, RedFlagRule, Urgency, Within } from './bundle.js';

/** Order of the words that the format stores as one byte. Only ever append. */
export const KINDS: readonly FindingKind[] = ['symptom', 'sign', 'test', 'risk', 'tongue', 'pulse', 'general'];
export const ASK_TYPES: readonly AskSet['type'][] = ['one-of', 'many-of', 'number'];
export const LEVELS: readonly RedFlagRule['level'][] = ['emergency', 'urgent', 'crisis'];
export const WITHIN: readonly Within[] = ['now', 'a-day', 'two-days'];
export const SEXES: readonly Disease['sex'][] = ['any', 'female', 'male'];
export const TYPES: readonly EntryType[] = ['disease', 'syndrome'];
export const ROW_KINDS: readonly IndexRow['kind'][] = ['pmh', 'di'];
export const URGENCIES: readonly Urgency[] = ['emergency', 'urgent', 'routine', 'self-care'];
export const ROLES: readonly HeadingRole[] = ['overview', 'causes', 'symptoms', 'tongue-pulse', 'tests', 'seek-care', 'care', 'differential'];
