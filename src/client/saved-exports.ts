/** Formats saved items for other programs: a plain list, CSV, RIS and BibTeX. */
import { formatLine } from '../model/csv.ts';
import { FORMATTED_STYLES } from './citation-styles.ts';
import type { CitedFacts } from './result-data.ts';
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
  const titleMark = /[.?!]$/.test(title) ? '' : '.';
  const parts = [
    authors.join('; '),
    `“${title}${titleMark}”`,
    commas(kind, date),
    commas(id, collection, archive),
    liveAddressOf(item),
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.”]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const commas = (...parts: string[]) => parts.filter((part) => part !== '').join(', ');

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
    ...[item.id, item.title, item.kind, item.date, item.creator ?? '', item.place ?? '', item.collection, item.rights ?? ''],
    ...[citing.addressOf(item), citationOf(item, citing, style)],
  ]);
  return BYTE_ORDER_MARK + [header, ...rows].map(formatLine).join('');
}

function formatRis(items: readonly SavedItem[], citing: Citing): string {
  return items.map((item) => `${item.citations['RIS']?.replace(/\n+$/, '') ?? plainRis(item, citing)}\n`).join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function plainRis(item: SavedItem, { archive, liveAddressOf }: Citing): string {
  const { title, kind, date, collection, id, cited } = item;
  const lines = [
    ['TY', cited?.type ?? 'GEN'],
    ...authorsOf(item).map(({ name }) => ['AU', name.replaceAll('*', '')] as const),
    ['TI', title],
    ['T2', collection],
    ['PY', yearOf(item) ?? ''],
    ['M3', kind],
    ['AN', id],
    ['CN', id],
    ['AV', commas(collection, id)],
    ['DB', archive],
    ['DP', archive],
    ['N1', date && `Date: ${date}`],
    ['UR', liveAddressOf(item)],
    ['Y2', cited?.accessed === undefined ? '' : `${cited.accessed.replaceAll('-', '/')}/`],
    ['ID', id],
  ] as const;
  return [...lines.filter(([, text]) => text !== '').map(([tag, text]) => `${tag}  - ${oneLine(text)}`), 'ER  - '].join('\n');
}

function formatBibtex(items: readonly SavedItem[], citing: Citing): string {
  return items.map((item) => `${item.citations['BibTeX']?.trimEnd() ?? plainBibtex(item, citing)}\n`).join('\n');
}

function plainBibtex(item: SavedItem, { archive, liveAddressOf }: Citing): string {
  const { id, title, kind, date, collection, cited } = item;
  const value = (text: string) =>
    oneLine(text)
      .replace(/[\\{}]/g, '')
      .replace(/[#$%&_]/g, '\\$&');
  const names = authorsOf(item).map(({ name, isWhole }) => (isWhole ? `{${value(name)}}` : value(name)));
  const fields = [
    ['title', title],
    ['howpublished', kind],
    ['year', yearOf(item) ?? ''],
    ['note', [commas(id, collection, archive), date && `Date: ${date}`].filter((part) => part !== '').join('. ')],
  ] as const;
  const lines = [
    ...(names.length === 0 ? [] : [`author = {${names.join(' and ')}}`]),
    ...fields.filter(([, text]) => text !== '').map(([name, text]) => `${name} = {${value(text)}}`),
    `url = {${liveAddressOf(item)}}`,
    ...(cited?.accessed === undefined ? [] : [`urldate = {${cited.accessed}}`]),
  ];
  return `@misc{${id.replace(/[^\w.-]/g, '')},\n${lines.map((line) => `  ${line},`).join('\n')}\n}`;
}
