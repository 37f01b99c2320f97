/** An entry as a row of the table `record` and one of the table `people`. */
import { FACETS } from '../../model/facets.ts';
import { MODELS } from '../../model/ids.ts';
import { objectFileName } from '../../platform/portability.ts';
import { detailFields, type ListedEntry, listedEntry, type ObjectEntry } from '../entries.ts';
import { parsePeople } from '../people/named-people.ts';
import type { NamedPeople } from '../people/people.ts';
import { type PlaceAliases, positionsOfPlaces, withPlaces } from './places.ts';

/** The columns of the table `record` that an entry decides, except its ID (catalogue-schema.ts). */
export type RecordColumns = ReturnType<typeof toColumns>;

/** The names of the columns. */
export const RECORD_COLUMNS = [
  ...(['is_partial', 'model', 'parent', 'sort', 'has_media', 'page', 'live_url', 'lastmod', 'unread_date', 'day_order'] as const),
  ...(['positions', 'unusable_positions', 'facets', 'listed', 'details'] as const),
] as const satisfies ReadonlyArray<keyof RecordColumns>;

/** Whether an entry names media files. Entries of tests may lack the fields. */
function namesMedia({ mediaUrls, media, streamOnlyUrls }: Partial<ObjectEntry>): boolean {
  return [mediaUrls, media, streamOnlyUrls].some((list) => list !== undefined && list.length > 0);
}

const listOrNull = (list: readonly unknown[]) => (list.length === 0 ? null : JSON.stringify(list));

/** Returns an entry as columns. Its people are stored apart. */
export function toColumns(entry: ObjectEntry) {
  const { creator: _, person: __, ...facets } = entry.facets;
  const { narrators: ___, ...details } = detailFields(entry);
  return {
    is_partial: entry.origin === 'record' ? 0 : 1,
    model: MODELS.indexOf(entry.model),
    parent: entry.parent ?? null,
    sort: entry.sort,
    has_media: namesMedia(entry) ? 1 : 0,
    page: objectFileName(entry.id),
    live_url: entry.liveUrl ?? null,
    lastmod: entry.lastmod ?? null,
    unread_date: entry.unreadDate ?? null,
    day_order: entry.statedDayOrder ?? null,
    positions: listOrNull(entry.positions ?? []),
    unusable_positions: listOrNull(entry.unusablePositions ?? []),
    facets: JSON.stringify(facets),
    listed: JSON.stringify(listedEntry(entry)),
    details: JSON.stringify(details),
  };
}

/** Selects what `toEntry` needs. Ends before `WHERE`. */
export const SELECT_ENTRY = 'SELECT id, facets, listed, details, identified FROM record LEFT JOIN people USING (number)';

/** Returns the entry in a row of `SELECT_ENTRY`. */
export function toEntry({ facets, listed, details, identified }: Readonly<Record<string, unknown>>, places: PlaceAliases) {
  const people = parsePeople(identified as string | null);
  const { positions, ...others } = JSON.parse(String(details)) as Omit<ObjectEntry, keyof ListedEntry>;
  return {
    ...parseListed(listed),
    ...others,
    positions: positionsOfPlaces(positions, places),
    narrators: people.narrators,
    facets: withPlaces(withPeople(parseFacets(facets), people), places),
  };
}

/** Returns the entry in the column `listed`. */
export const parseListed = (listed: unknown): ListedEntry => JSON.parse(String(listed)) as ListedEntry;

/** Returns the facets in the column `facets`. */
export const parseFacets = (facets: unknown): ObjectEntry['facets'] => JSON.parse(String(facets)) as ObjectEntry['facets'];

/** Returns the facets of a record with its people, in the order of `FACETS`. */
export function withPeople(facets: ObjectEntry['facets'], { creator, person }: NamedPeople): ObjectEntry['facets'] {
  if (!creator && !person) return facets;
  const all: ObjectEntry['facets'] = { ...facets, ...(creator && { creator }), ...(person && { person }) };
  return Object.fromEntries(FACETS.filter((facet) => all[facet]).map((facet) => [facet, all[facet]]));
}
