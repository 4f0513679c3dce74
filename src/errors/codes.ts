/** Every error code with what it means and what to do. The widget has a sentence per code and language. */
export const ERROR_CODES = {
  'fetch-failed': 'A file of the bundle could not be fetched; check the address, the network and the page’s connect-src.',
  'integrity-mismatch': 'A file of the bundle differs from its manifest in size or SHA-256; publish the bundle again as a whole.',
  'format-unsupported': 'The bundle was built for a newer version of Anamnesis; update the script.',
  'not-a-bundle': 'Something else (a web page, other JSON) was answered in place of a bundle file; check the address.',
  truncated: 'A file of the bundle ends too early; fetch or publish it again.',
  malformed: 'A file of the bundle does not follow its format; build the bundle again.',
  'dimension-mismatch': 'A vector has another length than the rows of the store; use the encoder that the bundle names.',
  'dimension-unsupported': 'This vector store cannot hold rows of that length; use the exact store.',
  'store-not-built': 'The vector store was searched before rows were added, or after it was closed.',
  'store-trapped': 'The vector store’s WebAssembly failed and was replaced; the search can be repeated.',
  'embedder-mismatch': 'The encoder in use is not the one that made the bundle’s rows.',
  'strategy-unknown': 'No dialogue strategy has that name.',
  closed: 'The consultation was closed; start a new one.',
  'round-in-progress': 'A round is still being answered; wait for its end or abort it.',
  'question-unknown': 'The answer names a question that was not asked.',
  'answer-invalid': 'The answer does not fit its question’s type, options or range.',
  'profile-missing': 'Age and sex are needed before a result; set the profile first.',
  'profile-invalid': 'Age or sex is out of range; age is 0 to 130 years, sex is female or male.',
  'saved-state-invalid': 'The saved consultation cannot be read by this version; it was left untouched.',
  'source-invalid': 'A knowledge source has a mistake; the message names file and line.',
  'cases-invalid': 'A line of the case file is not a case; the message names the line.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
