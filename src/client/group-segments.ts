/** Lists an interview once among results of which several are segments of it. */
import type { RecordOf } from './fold-files.ts';

/** Groups documents in their order: an interview has the position of the first of its segments, or its own. */
export function groupSegments(
  documents: readonly number[],
  interviewOf: RecordOf,
): Array<{ document: number; segments: readonly number[] }> {
  const segmentsOf = new Map<number, number[]>();
  for (const document of documents) {
    const interview = interviewOf(document);
    if (interview === undefined) continue;
    const segments = segmentsOf.get(interview);
    if (segments) segments.push(document);
    else segmentsOf.set(interview, [document]);
  }
  const severalOf = (interview: number) => {
    const segments = segmentsOf.get(interview);
    return segments && segments.length > 1 ? segments : undefined;
  };
  const shown = new Set<number>();
  for (const document of documents) {
    const interview = interviewOf(document);
    shown.add(interview !== undefined && severalOf(interview) ? interview : document);
  }
  return Array.from(shown, (document) => ({ document, segments: severalOf(document) ?? [] }));
}
