import type { AskSet, Disease, FindingKind, HeadingRole, RedFlagRule, Urgency } from './bundle.js';

/** Order of the words that the format stores as one byte. Only ever append. */
export const KINDS: readonly FindingKind[] = ['symptom', 'sign', 'test', 'risk', 'tongue', 'pulse'];
export const ASK_TYPES: readonly AskSet['type'][] = ['one-of', 'many-of', 'number'];
export const LEVELS: readonly RedFlagRule['level'][] = ['emergency', 'urgent', 'crisis'];
export const SEXES: readonly Disease['sex'][] = ['any', 'female', 'male'];
export const URGENCIES: readonly Urgency[] = ['emergency', 'urgent', 'routine', 'self-care'];
export const ROLES: readonly HeadingRole[] = ['overview', 'causes', 'symptoms', 'tongue-pulse', 'tests', 'seek-care', 'care', 'differential'];
