import type { Consultation } from '../consultation/consultation.js';
import type { ConsultationRecord, ConsultationState } from '../consultation/state.js';

/** A consultation as a file: what was said and answered, what was understood, the result, and how to compute it again. */
export interface ConsultationExport {
  readonly kind: 'anamnesis-export';
  readonly exportVersion: 1;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly notice: string;
  readonly bundle: { readonly id: string; readonly version: string; readonly review: string; readonly hashes: readonly string[] };
  readonly record: ConsultationRecord;
  readonly state: Omit<ConsultationState, 'status'>;
}

const NOTICE = {
  zh: '本内容由网页在您的设备上生成，不是诊断，也未经临床审核。',
  en: 'Made by a web page on your device. Not a diagnosis, and not clinically reviewed.',
} as const;

/** Builds the export; pure but for the date. */
export function exportConsultation(consultation: Consultation, now: Date = new Date()): ConsultationExport {
  const { manifest, language } = consultation.bundle;
  const { status: _status, ...state } = consultation.state;
  return {
    kind: 'anamnesis-export',
    exportVersion: 1,
    exportedAt: now.toISOString(),
    notice: NOTICE[language],
    bundle: { id: manifest.id, version: manifest.version, review: manifest.review.state, hashes: manifest.parts.map((part) => part.sha256) },
    record: consultation.toRecord(),
    state,
  };
}
