/** Formats saved items for other programs, in the order and with the notes of the reader. */
import { commas } from '../../model/text/citation-prose.ts';
import { formatLine } from '../../model/text/csv.ts';
import { bibtexEntry, bibtexText, bibtexUrl, escapeBibtex, type RisField, risEntry } from '../../model/text/reference-entries.ts';
import { parseList } from '../browser/preferences.ts';
import { authorsOf, type Citing, citationOf, timesOf, yearOf } from './saved-citations.ts';
import { formatHtml, formatList, formatMarkdown } from './saved-documents.ts';
import type { SavedItem } from './saved-items.ts';
import { isHeading, type SavedEntry } from './saved-list.ts';

/** The formats, with their names, the extensions of their files and their media types. That of the plain list is in words. */
export const FORMATS = {
  list: { label: '', extension: 'txt', type: 'text/plain', format: formatList },
  markdown: { label: 'Markdown', extension: 'md', type: 'text/markdown', format: formatMarkdown },
  html: { label: 'HTML', extension: 'html', type: 'text/html', format: formatHtml },
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv', format: formatCsv },
  ris: { label: 'RIS', extension: 'ris', type: 'application/x-research-info-systems', format: formatRis },
  bibtex: { label: 'BibTeX', extension: 'bib', type: 'application/x-bibtex', format: formatBibtex },
  csl: { label: 'CSL-JSON', extension: 'csl.json', type: 'application/vnd.citationstyles.csl+json', format: formatCsl },
} as const;

/** A spreadsheet needs the mark at the beginning to read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

function formatCsv(entries: readonly SavedEntry[], citing: Citing, style?: string): string {
  const facts = ['id', 'title', 'kind', 'date', 'creator', 'place', 'collection', 'rights', 'address', 'citation'];
  const rows = withHeadings(entries).map(({ item, heading }) => [
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
    heading,
    timesOf(item, citing),
    item.note ?? '',
  ]);
  return BYTE_ORDER_MARK + [[...facts, 'heading', 'moment', 'note'], ...rows].map(formatLine).join('');
}

/** Returns the items of a list, each with the heading above it. */
function withHeadings(entries: readonly SavedEntry[]): Array<{ item: SavedItem; heading: string }> {
  let heading = '';
  return entries.flatMap((entry) => {
    if (!isHeading(entry)) return [{ item: entry, heading }];
    heading = entry.heading;
    return [];
  });
}

/** A record as reference managers have it: once, with all that the reader notes of it and its moments. */
interface Reference {
  item: SavedItem;
  notes: string[];
  headings: string[];
}

function toReferences(entries: readonly SavedEntry[], citing: Citing): Reference[] {
  const references = new Map<string, Reference>();
  for (const { item, heading } of withHeadings(entries)) {
    const reference = references.get(item.id) ?? { item, notes: [], headings: [] };
    const note = [timesOf(item, citing), item.note ?? ''].filter((part) => part.trim() !== '').join(': ');
    if (note !== '') reference.notes.push(note);
    if (heading.trim() !== '' && !reference.headings.includes(heading)) reference.headings.push(heading);
    references.set(item.id, reference);
  }
  return [...references.values()];
}

function formatRis(entries: readonly SavedEntry[], citing: Citing): string {
  return toReferences(entries, citing)
    .map(({ item, notes, headings }) => {
      const ris = item.citations['RIS'] ?? plainRis(item, citing);
      const added = risEntry('', [
        ['N1', notes],
        ['KW', headings],
      ] as RisField[])
        .split('\n')
        .slice(1);
      return `${ris.replace(/\s*ER {2}-\s*$/, '')}\n${added.join('\n')}\n`;
    })
    .join('\n');
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

function formatBibtex(entries: readonly SavedEntry[], citing: Citing): string {
  return toReferences(entries, citing)
    .map(({ item, notes, headings }) => {
      const bibtex = item.citations['BibTeX'] ?? plainBibtex(item, citing);
      const [, ...added] = bibtexEntry('misc', '', [
        ['annote', bibtexText(notes.join(' / '))],
        ['keywords', bibtexText(headings.map((heading) => heading.replaceAll(',', ' ')).join(', '))],
      ]).split('\n');
      return `${bibtex.replace(/\s*\}\s*$/, '')}\n${added.join('\n')}\n`;
    })
    .join('\n');
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

/** Types of CSL by those of RIS. */
const CSL_TYPES: Readonly<Record<string, string>> = {
  SOUND: 'song',
  VIDEO: 'motion_picture',
  ART: 'graphic',
  MAP: 'map',
  MANSCPT: 'manuscript',
  ELEC: 'webpage',
};

/** Returns a list in CSL-JSON (schema of CSL 1.0.2). */
function formatCsl(entries: readonly SavedEntry[], citing: Citing): string {
  const references = toReferences(entries, citing).map(({ item, notes, headings }) => {
    const [own] = parseList(item.citations['CSL-JSON'] ?? '');
    const { note, ...cited } = { note: undefined, ...(typeof own === 'object' && own !== null ? own : plainCsl(item, citing)) };
    return { ...cited, note: [note ?? [], notes].flat().join('\n'), keyword: headings.join(', ') };
  });
  return `${JSON.stringify(references, (_, value: unknown) => (value === '' ? undefined : value), 1)}\n`;
}

function plainCsl(item: SavedItem, { archive, liveAddressOf }: Citing) {
  const { id, title, kind, date, collection, cited } = item;
  const author = authorsOf(item).map(({ name, isWhole }) => {
    const [family = '', ...given] = name.split(', ');
    return isWhole || given.length === 0 ? { literal: name } : { family, given: given.join(', ') };
  });
  const year = yearOf(item);
  return {
    id,
    type: CSL_TYPES[cited?.type ?? ''] ?? 'document',
    title,
    author: author.length > 0 ? author : undefined,
    issued: year === undefined ? date && { literal: date } : { 'date-parts': [[Number(year)]] },
    medium: kind,
    archive,
    archive_collection: collection,
    archive_location: id,
    URL: liveAddressOf(item),
    accessed: cited?.accessed && { 'date-parts': [cited.accessed.split('-').map(Number)] },
  };
}
