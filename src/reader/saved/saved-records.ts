/** Reads what is saved of a record: all of it from the record's own page, and less from a list or a search result. */
import type { SavedItem } from './saved-items.ts';

/** Between several values of a field. */
export const VALUE_SEPARATOR = '; ';
/** Records in lists, as cards and with a large image, and in search results. */
export const LISTED_RECORDS = '.card, .leads > li, .results > li';

/** Returns what is saved of the record of a page; undefined if the page is not that of a record, or offers nothing to save. */
export function readRecordPage(page: ParentNode): SavedItem | undefined {
  const data = page.querySelector<HTMLElement>('[data-save]')?.dataset;
  if (!data) return undefined;
  const citations = Array.from(page.querySelectorAll<HTMLElement>('.citations [data-style]'), (row) => [
    row.dataset['style'] ?? '',
    row.querySelector('dd')?.textContent ?? '',
  ]);
  const source = page.querySelector<HTMLAnchorElement>('.provenance a[rel~="external"]')?.href;
  return {
    id: data['save'] ?? '',
    path: data['path'] ?? '',
    title: data['title'] ?? textOf(page, 'h1'),
    kind: data['kind'] ?? '',
    date: data['date'] ?? '',
    collection: data['collection'] ?? '',
    creator: valuesOf(page, 'creators'),
    place: valuesOf(page, 'location', 'geography'),
    rights: valuesOf(page, 'rights'),
    image: data['image'] ?? '',
    ...(source === undefined ? {} : { source }),
    citations: Object.fromEntries(citations) as Record<string, string>,
  };
}

/** Returns what a list shows of a record; undefined for a guide page, a person or another site's page. */
export function readListedRecord(element: HTMLElement): SavedItem | undefined {
  const address = element.querySelector<HTMLAnchorElement>('a[href]')?.href ?? '';
  // In a compact site, the page is named in the query.
  const [, path = '', name = ''] = /[/?](objects\/([^/?#]+)\.html)(?:#|$)/.exec(address) ?? [];
  if (name === '') return undefined;
  const { id = name, title, kind, when, collection = '' } = element.dataset;
  const facts = Array.from(element.querySelectorAll('.card-facts > span, .lead-date'), (fact) => fact.textContent ?? '');
  return {
    id,
    path,
    title: title ?? textOf(element, '.card-title, .lead-title, h2'),
    kind: kind ?? facts[facts.length - 1] ?? '',
    date: when ?? (facts.length > 1 ? (facts[0] ?? '') : ''),
    collection,
    image: thumbnailOf(element),
    citations: {},
  };
}

function textOf(root: ParentNode, selector: string): string {
  return (root.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns the values of fields that a page shows to readers, each once. */
function valuesOf(page: ParentNode, ...names: string[]): string {
  const rows = names.flatMap((name) => [...page.querySelectorAll(`[data-field="${name}"]`)]);
  const values = rows.filter((row) => !row.closest('.full-record')).flatMap((row) => [...row.querySelectorAll('dd')]);
  return [...new Set(values.map((value) => (value.textContent ?? '').replace(/\s+/g, ' ').trim()))].join(VALUE_SEPARATOR);
}

/** Returns the thumbnail's path; empty for placeholders, and for images that need a label, which a saved list lacks. */
function thumbnailOf(element: HTMLElement): string {
  if (element.querySelector('.card-label')) return '';
  const image = element.querySelector('img');
  return image?.dataset['thumb'] ?? /thumbs\/.+$/.exec(image?.getAttribute('src') ?? '')?.[0] ?? '';
}
