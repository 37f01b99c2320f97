/** Folds files into their records, so that a search has one result for a record and its files; and segments into interviews. */

/** Returns the record of a file; undefined for other documents, and for a file whose record is not in the index. */
export type RecordOf = (document: number) => number | undefined;

/**
 * Folds documents, of `total`, in their order: each record has the position of its first document. A file that passes the filters
 * is a result of its own if its record does not pass them.
 */
export function foldFiles(
  found: Iterable<number>,
  total: number,
  recordOf: RecordOf,
  passes: (document: number) => boolean = () => true,
) {
  const documents = createList(total);
  const isByFiles = new Uint8Array(total);
  const filesOf = new Map<number, number[]>();
  for (const document of found) {
    const record = recordOf(document);
    if (record === undefined || (passes(document) && !passes(record))) {
      documents.add(document);
      isByFiles[document] = 0;
      continue;
    }
    if (documents.add(record)) isByFiles[record] = 1;
    const files = filesOf.get(record);
    if (files) files.push(document);
    else filesOf.set(record, [document]);
  }
  return {
    /** Records, guide pages and people that were found, themselves or by their files; and files that are results on their own. */
    documents: documents.all,
    /** The files that were found, in their order, by the document of their record. */
    filesOf,
    /** Whether only files of one of `documents` were found. */
    isOnlyByFiles: (document: number) => isByFiles[document] === 1,
  };
}

/** Groups documents, of `total`, in their order: an interview has the position of the first of its segments, or its own. */
export function groupSegments(documents: readonly number[], total: number, interviewOf: RecordOf) {
  const segmentsOf = new Map<number, number[]>();
  for (const document of documents) {
    const interview = interviewOf(document);
    if (interview === undefined) continue;
    const segments = segmentsOf.get(interview);
    if (segments) segments.push(document);
    else segmentsOf.set(interview, [document]);
  }
  for (const [interview, segments] of segmentsOf) if (segments.length === 1) segmentsOf.delete(interview);
  const shown = createList(total);
  for (const document of documents) {
    const interview = interviewOf(document);
    shown.add(interview !== undefined && segmentsOf.has(interview) ? interview : document);
  }
  return {
    documents: shown.all,
    /** The segments that were found, if there are several, by the document of their interview. */
    segmentsOf,
  };
}

/** A list of documents, each once. */
function createList(total: number) {
  const isListed = new Uint8Array(total);
  const all: number[] = [];
  return {
    all,
    /** Adds a document. Returns false if it is in the list. */
    add(document: number): boolean {
      if (isListed[document] === 1) return false;
      isListed[document] = 1;
      all.push(document);
      return true;
    },
  };
}
