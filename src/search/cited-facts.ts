/** What the search document of a record has for its citation: on file://, the page of saved items cites from it. */
import type { CitedFacts } from '../client/result-data.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { CITED_MODELS, createCitedItem } from '../site/citation/item.ts';
import { fieldName, personalName } from '../site/citation/names.ts';
import { risTypeOf } from '../site/citation/ris.ts';

/** Returns the facts for the citation of a record; undefined if records of its model are not cited. `accessed` is when it was harvested: ISO 8601. */
export function citedFactsOf(record: ArchivalRecord, accessed: string | undefined): CitedFacts | undefined {
  if (!CITED_MODELS.has(record.model)) return undefined;
  const item = createCitedItem({ record, accessed, title: '', archive: '', collection: undefined, url: undefined });
  const { authors, date } = item;
  return {
    type: risTypeOf(item),
    authors: authors.map((name) => ({ name: fieldName(name), ...(personalName(name) ? {} : { isWhole: true }) })),
    ...(date.year === undefined ? {} : { year: date.year }),
    ...(accessed === undefined ? {} : { accessed: accessed.slice(0, 10) }),
  };
}
