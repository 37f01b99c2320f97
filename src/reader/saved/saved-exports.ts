/** Formats saved items for other programs: a plain list, CSV, RIS and BibTeX. */
import { FORMATTED_STYLES } from '../../formats/citation-styles.ts';
import type { CitedFacts } from '../../formats/result-data.ts';
import { commas, quoted, sentences } from '../../model/text/citation-prose.ts';
import { formatLine } from '../../model/text/csv.ts';
import { bibtexEntry, bibtexText, bibtexUrl, escapeBibtex, risEntry } from '../../model/text/reference-entries.ts';
import type { SavedItem } from './saved-items.ts';
import { VALUE_SEPARATOR } from './saved-records.ts';

const [DEFAULT_STYLE] = FORMATTED_STYLES;

/** The formats, with the names of their files and their media types. */
export const FORMATS = {
  list: { name: 'saved-items.txt', type: 'text/plain', format: formatList },
  csv: { name: 'saved-items.csv', type: 'text/csv', format: formatCsv },
  ris: { name: 'saved-items.ris', type: 'application/x-research-info-systems', format: formatRis },
  bibtex: { name: 'saved-items.bib', type: 'application/x-bibtex', format: formatBibtex },
} as const;

/** What citations of items have in common. */
export interface Citing {
  /** The name of the archive. */
  archive: string;
  /** Returns the address of an item for others. */
  addressOf: (item: SavedItem) => string;
  /** Returns the address of an item in the live archive, which citations have. */
  liveAddressOf: (item: SavedItem) => string;
}

function formatList(items: readonly SavedItem[], citing: Citing, style?: string): string {
  return items.map((item) => `${citationOf(item, citing, style)}\n${citing.addressOf(item)}\n`).join('\n');
}

/** Returns the citations of items, one below the other. */
export function formatCitations(items: readonly SavedItem[], citing: Citing, style?: string): string {
  return items.map((item) => `${citationOf(item, citing, style)}\n`).join('\n');
}

/** Returns the citation of an item in a style; in another one if it has none in that. */
function citationOf(item: SavedItem, citing: Citing, style?: string): string {
  return savedCitation(item, style) ?? plainCitation(item, citing);
}

/** Returns the citation of an item in a style, or else in the first style that all items have; undefined if none was saved. */
export function savedCitation({ citations }: SavedItem, style: string = DEFAULT_STYLE): string | undefined {
  return citations[style] ?? citations[DEFAULT_STYLE];
}

/** Returns a citation from what lists and the index say of an item: all that a reader needs to find it, in no style. */
export function plainCitation(item: SavedItem, { archive, liveAddressOf }: Citing): string {
  const { title, kind, date, id, collection } = item;
  const authors = authorsOf(item).map(({ name }) => name);
  return sentences([
    authors.join('; '),
    quoted(title, '.'),
    commas(kind, date),
    commas(id, collection, archive),
    liveAddressOf(item),
  ]);
}

/** Returns who is responsible for an item, as they are filed if that is known. */
function authorsOf({ cited, creator = '' }: SavedItem): CitedFacts['authors'] {
  if (cited) return cited.authors;
  const names = creator.split(VALUE_SEPARATOR).filter((name) => name !== '');
  return names.map((name) => ({ name, isWhole: true }));
}

/** Returns the only year of a date: if it has none or several, or is a decade, undefined. */
function yearOf({ cited, date }: SavedItem): string | undefined {
  if (cited) return cited.year === undefined ? undefined : String(cited.year).padStart(4, '0');
  const years = [...date.matchAll(/(\d+)(['’]?s|年代)?/g)].flatMap(([, digits = '', decade]) =>
    digits.length === 4 && decade === undefined ? [digits] : [],
  );
  return years.length === 1 ? years[0] : undefined;
}

/** A spreadsheet needs the mark at the beginning to read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

function formatCsv(items: readonly SavedItem[], citing: Citing, style?: string): string {
  const header = ['id', 'title', 'kind', 'date', 'creator', 'place', 'collection', 'rights', 'address', 'citation'];
  const rows = items.map((item) => [
    item.id,
    item.title,
    item.kind,
    item.date,
    item.creator ?? '',
    item.place ?? '',
    item.collection,
    item.rights ?? '',
    citing.addressOf(item),
    citationOf(item, citing, style),
  ]);
  return BYTE_ORDER_MARK + [header, ...rows].map(formatLine).join('');
}

function formatRis(items: readonly SavedItem[], citing: Citing): string {
  return items.map((item) => `${item.citations['RIS']?.replace(/\n+$/, '') ?? plainRis(item, citing)}\n`).join('\n');
}

function plainRis(item: SavedItem, { archive, liveAddressOf }: Citing): string {
  const { title, kind, date, collection, id, cited } = item;
  return risEntry(cited?.type ?? 'GEN', [
    ['AU', authorsOf(item).map(({ name }) => name.replaceAll('*', ''))],
    ['TI', title],
    ['T2', collection],
    ['PY', yearOf(item)],
    ['M3', kind],
    ['AN', id],
    ['CN', id],
    ['AV', commas(collection, id)],
    ['DB', archive],
    ['DP', archive],
    ['N1', date && `Date: ${date}`],
    ['UR', liveAddressOf(item)],
    ['Y2', cited?.accessed && `${cited.accessed.replaceAll('-', '/')}/`],
    ['ID', id],
  ]);
}

function formatBibtex(items: readonly SavedItem[], citing: Citing): string {
  return items.map((item) => `${item.citations['BibTeX']?.trimEnd() ?? plainBibtex(item, citing)}\n`).join('\n');
}

function plainBibtex(item: SavedItem, { archive, liveAddressOf }: Citing): string {
  const { id, title, kind, date, collection, cited } = item;
  const names = authorsOf(item).map(({ name, isWhole }) => (isWhole ? bibtexText(name) : escapeBibtex(name)));
  return bibtexEntry('misc', id, [
    ['author', `{${names.join(' and ')}}`],
    ['title', bibtexText(title)],
    ['howpublished', bibtexText(kind)],
    ['year', bibtexText(yearOf(item) ?? '')],
    ['note', bibtexText([commas(id, collection, archive), date && `Date: ${date}`].filter(Boolean).join('. '))],
    ['url', bibtexUrl(liveAddressOf(item))],
    ['urldate', bibtexText(cited?.accessed ?? '')],
  ]);
}
