/** What the findings read out of a query say of each disease. */
export interface ConceptMatch {
  /** Findings of the query that are present; 0: nothing was understood. */
  readonly understood: number;
  /** `[diseases.length]`: ln odds by findings, age and sex as far as the query states them. */
  readonly logOdds: Float64Array;
}

/** Matches a query to diseases by way of findings: utterance → findings → diseases. */
export interface ConceptMatcher {
  match(query: string): ConceptMatch;
}
