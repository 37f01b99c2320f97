/** Folds files into the records that they belong to, so that a search has one result for a record and its files. */

/** A record, guide page or person that was found, itself or by its files. */
export interface Folded {
  document: number;
  /** Whether the document itself was found, and not only its files. */
  isFound: boolean;
  /** Its files that were found, in their order. */
  files: number[];
}

/**
 * Folds documents in their order: each record has the position of its first document. `recordOf` returns the record of a file; undefined for other
 * documents, and for a file whose record is not in the index.
 */
export function foldFiles(documents: Iterable<number>, recordOf: (document: number) => number | undefined): Folded[] {
  const folded = new Map<number, Folded>();
  for (const found of documents) {
    const record = recordOf(found);
    const document = record ?? found;
    const known = folded.get(document) ?? { document, isFound: false, files: [] };
    if (record === undefined) known.isFound = true;
    else known.files.push(found);
    folded.set(document, known);
  }
  return [...folded.values()];
}

/** Returns documents as they are, each as a result of its own. */
export function withoutFolding(documents: readonly number[]): Folded[] {
  return documents.map((document) => ({ document, isFound: true, files: [] }));
}
