/** What the findings read out of a query say of each disease. */
export interface ConceptMatch {
  /** Findings of the query that are present; 0: nothing was understood. */
  readonly understood: number;
  /** Of these, complaints and signs: neither risks nor how long or how it goes. */
  readonly complaints: number;
  /** `[diseases.length]`: ln odds by findings, age and sex as far as the query states them. */
  readonly logOdds: Float64Array;
}

/** Matches a query to diseases by way of findings: utterance → findings → diseases. */
export interface ConceptMatcher {
  match(query: string): ConceptMatch;
}
