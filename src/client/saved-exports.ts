/** Formats saved items for other programs: a plain list, CSV, RIS and BibTeX. */
import { formatLine } from '../model/csv.ts';
import type { SavedItem } from './saved-items.ts';

/** The formats, with the names of their files and their media types. */
export const FORMATS = {
  list: { name: 'saved-items.txt', type: 'text/plain', format: formatList },
  csv: { name: 'saved-items.csv', type: 'text/csv', format: formatCsv },
  ris: { name: 'saved-items.ris', type: 'application/x-research-info-systems', format: formatRis },
  bibtex: { name: 'saved-items.bib', type: 'application/x-bibtex', format: formatBibtex },
} as const;

/** Returns the address of an item for others. */
export type AddressOf = (item: SavedItem) => string;

function formatList(items: readonly SavedItem[], addressOf: AddressOf): string {
  return items.map((item) => `${citationOf(item)}\n${addressOf(item)}\n`).join('\n');
}

function citationOf(item: SavedItem): string {
  return item.citations['Chicago'] ?? plainCitation(item);
}

function plainCitation({ title, date, collection, id }: SavedItem): string {
  return `${[title, date, collection, id].filter((part) => part !== '').join('. ')}.`;
}

/** A spreadsheet needs the mark at the beginning to read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

function formatCsv(items: readonly SavedItem[], addressOf: AddressOf): string {
  const header = ['id', 'title', 'kind', 'date', 'collection', 'address', 'citation'];
  const rows = items.map((item) => [
    ...[item.id, item.title, item.kind, item.date, item.collection, addressOf(item)],
    citationOf(item),
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
