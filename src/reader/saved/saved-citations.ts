/** Cites saved items: as their pages do, or else from what is known of them. */
import { FORMATTED_STYLES } from '../../formats/citation-styles.ts';
import { formatMoment, readMoment } from '../../formats/moments.ts';
import type { CitedFacts } from '../../formats/result-data.ts';
import { commas, quoted, sentences } from '../../model/text/citation-prose.ts';
import { canFetch } from '../browser/protocol.ts';
import { pageHref, type SitePlace } from '../browser/site-files.ts';
import { publishedAddress } from '../parts/share.ts';
import type { SavedItem } from './saved-items.ts';
import { isHeading, type SavedEntry } from './saved-list.ts';
import { VALUE_SEPARATOR } from './saved-records.ts';

const [DEFAULT_STYLE] = FORMATTED_STYLES;

/** What citations and exports of items have in common. */
export type Citing = ReturnType<typeof createCiting>;

/**
 * Returns how a page at `place` cites. `live` is the URL of the live archive, in which each record has a page below its ID. The
 * names are the title of the list, the name of the archive, and what is between the times of a clip: `#–#`.
 */
export function createCiting(names: Record<'title' | 'archive' | 'clipTimes', string>, live: string, place: SitePlace) {
  const liveAddressOf = ({ id, source }: SavedItem) => source ?? `${live}/${encodeURIComponent(id)}/`;
  return {
    ...names,
    /** The language of the page: a BCP 47 tag. */
    language: document.documentElement.lang,
    /** Returns the address of an item in the live archive, which citations have. */
    liveAddressOf,
    /** Returns an address that others can open: of its page on the web, or if the copy is not published, in the live archive. */
    addressOf(item: SavedItem) {
      const published = publishedAddress() ?? (canFetch() ? location.href : undefined);
      if (published === undefined) return liveAddressOf(item);
      return new URL(`${pageHref(item.path, place)}${item.at ?? ''}`, published).href;
    },
  };
}

/** Returns the items of a list. */
export function itemsOf(entries: readonly SavedEntry[]): SavedItem[] {
  return entries.flatMap((entry) => (isHeading(entry) ? [] : entry));
}

/** Returns the moment or clip of an item in words; empty without one. */
export function timesOf({ at = '' }: Pick<SavedItem, 'at'>, { clipTimes }: Pick<Citing, 'clipTimes'>): string {
  const moment = readMoment(at);
  return moment === undefined ? '' : formatMoment(moment, clipTimes);
}

/** Returns the citations of items, one below the other. */
export function formatCitations(items: readonly SavedItem[], citing: Citing, style?: string): string {
  return items.map((item) => `${citationOf(item, citing, style)}\n`).join('\n');
}

/** Returns the citation of an item in a style; in another one if it has none in that. */
export function citationOf(item: SavedItem, citing: Citing, style?: string): string {
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
export function authorsOf({ cited, creator = '' }: SavedItem): CitedFacts['authors'] {
  if (cited) return cited.authors;
  const names = creator.split(VALUE_SEPARATOR).filter((name) => name !== '');
  return names.map((name) => ({ name, isWhole: true }));
}

/** Returns the only year of a date: if it has none or several, or is a decade, undefined. */
export function yearOf({ cited, date }: SavedItem): string | undefined {
  if (cited) return cited.year === undefined ? undefined : String(cited.year).padStart(4, '0');
  const years = [...date.matchAll(/(\d+)(['’]?s|年代)?/g)].flatMap(([, digits = '', decade]) =>
    digits.length === 4 && decade === undefined ? [digits] : [],
  );
  return years.length === 1 ? years[0] : undefined;
}
