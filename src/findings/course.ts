const COURSE = /^(?:duration|onset)-|^(?:getting-worse|recurrent-episodes)$/;

/** Whether a finding says only since when, how it began or how it goes on: it needs a complaint to speak of. */
export function isCourse(findingId: string): boolean {
  return COURSE.test(findingId);
}
