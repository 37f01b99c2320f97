/** Folds files into their records, so that a search has one result for a record and its files; and segments into interviews. */

/** Returns the record of a file; undefined for other documents, and for a file whose record is not in the index. */
export type RecordOf = (document: number) => number | undefined;

/**
 * Folds documents in their order: each record has the position of its first document. A file that passes the filters is a result
 * of its own if its record does not pass them.
 */
export function foldFiles(found: Iterable<number>, recordOf: RecordOf, passes: (document: number) => boolean = () => true) {
  const [documents, onlyByFiles] = [new Set<number>(), new Set<number>()];
  const filesOf = new Map<number, number[]>();
  for (const document of found) {
    const record = recordOf(document);
    if (record === undefined || (passes(document) && !passes(record))) {
      documents.add(document);
      onlyByFiles.delete(document);
      continue;
    }
    if (!documents.has(record)) onlyByFiles.add(record);
    documents.add(record);
    const files = filesOf.get(record);
    if (files) files.push(document);
    else filesOf.set(record, [document]);
  }
  return {
    /** Records, guide pages and people that were found, themselves or by their files; and files that are results on their own. */
    documents: [...documents],
    /** The files that were found, in their order, by the document of their record. */
    filesOf,
    /** Those of `documents` of which only files were found. */
    onlyByFiles,
  };
}

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
