/** Formats saved items for other programs: a plain list, CSV, RIS and BibTeX. */
import { formatLine } from '../model/csv.ts';
import { FORMATTED_STYLES } from './citation-styles.ts';
import type { SavedItem } from './saved-items.ts';

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

function plainCitation({ title, date, collection, id }: SavedItem): string {
  return `${[title, date, collection, id].filter((part) => part !== '').join('. ')}.`;
}

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

function plainRis({ title, date, collection, id }: SavedItem, address: string): string {
  const lines = [
    ['TY', 'GEN'],
    ['TI', title],
    ['DA', date],
    ['T2', collection],
    ['CN', id],
    ['UR', address],
  ] as const;
  return [...lines.filter(([, text]) => text !== '').map(([tag, text]) => `${tag}  - ${oneLine(text)}`), 'ER  - '].join('\n');
}

function formatBibtex(items: readonly SavedItem[], addressOf: AddressOf): string {
  return items.map((item) => `${item.citations['BibTeX']?.trimEnd() ?? plainBibtex(item, addressOf(item))}\n`).join('\n');
}

function plainBibtex({ id, title, date, collection }: SavedItem, address: string): string {
  const value = (text: string) =>
    oneLine(text)
      .replace(/[\\{}]/g, '')
      .replace(/[#$%&_]/g, '\\$&');
  const fields = [
    ['title', title],
    ['date', date],
    ['howpublished', collection],
  ] as const;
  const lines = fields.filter(([, text]) => text !== '').map(([name, text]) => `  ${name} = {${value(text)}},`);
  lines.push(`  url = {${address}},`);
  return `@misc{${id.replace(/[^\w.-]/g, '')},\n${lines.join('\n')}\n}`;
}
