/** Formats saved items for other programs: a plain list, CSV, RIS and BibTeX. */
import { formatLine } from '../model/csv.ts';
import { FORMATTED_STYLES } from './citation-styles.ts';
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

/** Returns the address of an item for others. */
export type AddressOf = (item: SavedItem) => string;

function formatList(items: readonly SavedItem[], addressOf: AddressOf, style?: string): string {
  return items.map((item) => `${citationOf(item, style)}\n${addressOf(item)}\n`).join('\n');
}

/** Returns the citations of items, one below the other. */
export function formatCitations(items: readonly SavedItem[], style?: string): string {
  return items.map((item) => `${citationOf(item, style)}\n`).join('\n');
}

/** Returns the citation of an item in a style; in another one if it has none in that. */
function citationOf(item: SavedItem, style?: string): string {
  return savedCitation(item, style) ?? plainCitation(item);
}

/** Returns the citation of an item in a style, or else in the first style that all items have; undefined if none was saved. */
export function savedCitation({ citations }: SavedItem, style: string = DEFAULT_STYLE): string | undefined {
  return citations[style] ?? citations[DEFAULT_STYLE];
}

/** Returns a citation from what a list says of an item: all that a reader needs to find it, in no style. */
export function plainCitation({ creator = '', title, date, id, collection }: SavedItem): string {
  const parts = [creator, `“${title}”`, date, [id, collection].filter((part) => part !== '').join(', ')];
  return `${parts.filter((part) => part !== '').join('. ')}.`;
}

/** Returns the only year of a date as it is shown; undefined if it has none or several. */
function yearOf(date: string): string | undefined {
  const years = date.match(/(?<!\d)\d{4}(?!\d)/g);
  return years?.length === 1 ? years[0] : undefined;
}

const namesOf = ({ creator = '' }: SavedItem) => creator.split(VALUE_SEPARATOR).filter((name) => name !== '');

/** A spreadsheet needs the mark at the beginning to read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

function formatCsv(items: readonly SavedItem[], addressOf: AddressOf, style?: string): string {
  const header = ['id', 'title', 'kind', 'date', 'creator', 'place', 'collection', 'rights', 'address', 'citation'];
  const rows = items.map((item) => [
    ...[item.id, item.title, item.kind, item.date, item.creator ?? '', item.place ?? '', item.collection, item.rights ?? ''],
    ...[addressOf(item), citationOf(item, style)],
  ]);
  return BYTE_ORDER_MARK + [header, ...rows].map(formatLine).join('');
}

function formatRis(items: readonly SavedItem[], addressOf: AddressOf): string {
  return items.map((item) => `${item.citations['RIS']?.replace(/\n+$/, '') ?? plainRis(item, addressOf(item))}\n`).join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function plainRis(item: SavedItem, address: string): string {
  const { title, kind, date, collection, id } = item;
  const lines = [
    ['TY', 'GEN'],
    ...namesOf(item).map((name) => ['AU', name] as const),
    ['TI', title],
    ['M3', kind],
    ['PY', yearOf(date) ?? ''],
    ['N1', date],
    ['T2', collection],
    ['CN', id],
    ['UR', address],
  ] as const;
  return [...lines.filter(([, text]) => text !== '').map(([tag, text]) => `${tag}  - ${oneLine(text)}`), 'ER  - '].join('\n');
}

function formatBibtex(items: readonly SavedItem[], addressOf: AddressOf): string {
  return items.map((item) => `${item.citations['BibTeX']?.trimEnd() ?? plainBibtex(item, addressOf(item))}\n`).join('\n');
}

function plainBibtex(item: SavedItem, address: string): string {
  const { id, title, kind, date, collection } = item;
  const value = (text: string) =>
    oneLine(text)
      .replace(/[\\{}]/g, '')
      .replace(/[#$%&_]/g, '\\$&');
  const names = namesOf(item).map((name) => `{${value(name)}}`);
  const fields = [
    ['title', title],
    ['type', kind],
    ['year', yearOf(date) ?? ''],
    ['note', [date, id].filter((part) => part !== '').join(', ')],
    ['howpublished', collection],
  ] as const;
  const author = names.length === 0 ? [] : [`  author = {${names.join(' and ')}},`];
  const lines = fields.filter(([, text]) => text !== '').map(([name, text]) => `  ${name} = {${value(text)}},`);
  return `@misc{${id.replace(/[^\w.-]/g, '')},\n${[...author, ...lines, `  url = {${address}},`].join('\n')}\n}`;
}
