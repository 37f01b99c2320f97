/** Reads the text of records for the search of programs that open WACZ files: what the record says, and what is said in its recordings. */
import { FACETS, facetValues } from '../../catalogue/facets.ts';
import type { VisibleStore } from '../../catalogue/visible-store.ts';
import { type ArchivalRecord, parentOf } from '../../model/records.ts';
import { toPlainText } from '../../model/text.ts';
import { readSearchedFields } from '../../search/searched-fields.ts';
import { createLocales } from '../../site/language/locale.ts';
import { createFileReader } from '../tables/file-lines.ts';

/** Fields with codes, which are found by their labels. */
const CODED_FIELDS: ReadonlySet<string> = new Set(['genre', 'format', 'language']);

/** Returns a reader of the text of records. A transcript is in the text of the record that names its file. */
export function createRecordTextReader(store: VisibleStore): (record: ArchivalRecord) => string {
  const readFiles = createFileReader(store, [], () => undefined);
  const locales = createLocales(['en']);
  return (record) => {
    const facets = Object.fromEntries(FACETS.map((facet) => [facet, facetValues(facet, record)]));
    const { id, model } = record;
    const fields = readSearchedFields({ id, model, parent: parentOf(record), facets }, record, locales);
    const lines = readFiles(record).flatMap((file) => file.lines);
    return [
      toPlainText(record.description),
      ...fields.map(([name, text, words]) => (CODED_FIELDS.has(name) ? (words ?? text) : text)),
      ...lines.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`)),
    ]
      .filter((text) => text !== '')
      .join('\n');
  };
}
