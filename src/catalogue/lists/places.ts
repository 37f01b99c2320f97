/** Joins what records name as one place: the forms of an ID of the Getty Thesaurus (TGN), and the same words without one. */
import type { DatabaseSync } from 'node:sqlite';
import { comparisonForm } from '../../model/text/text.ts';
import type { Lookup } from '../../platform/lookup.ts';
import { openLookup, replaceLookup } from '../../platform/lookup-table.ts';
import type { ObjectEntry } from '../entries.ts';
import type { FacetValue } from './facets.ts';

/** The kind of the lookup of aliases. */
export const PLACE_LOOKUP = 'place';
/** TGN has numbers of seven digits. Shorter ones are of an archive's own list. */
const TGN_SLUG = /^\d{7,}$/;
const OWN_SLUG = /^\d{1,6}$/;
const ID_SLUG = /^\d+$|^u--/;

/** Slugs of places, and the slug of the page of the place that each is. */
export type PlaceAliases = Lookup<string>;

/**
 * Returns the slug of the page for each other slug of a place. Words without an ID, or with a number of the archive's own, are
 * the place that has these words and a TGN number, if there is exactly one; words without an ID also the only place of these
 * words with any ID.
 */
export function joinPlaces(values: Iterable<Pick<FacetValue, 'slug' | 'label'>>): Map<string, string> {
  const slugsByWords = new Map<string, Set<string>>();
  const wordsBySlug = new Map<string, Set<string>>();
  for (const { slug, label } of values) {
    const words = comparisonForm(label).toLowerCase();
    slugsByWords.set(words, (slugsByWords.get(words) ?? new Set()).add(slug));
    wordsBySlug.set(slug, (wordsBySlug.get(slug) ?? new Set()).add(words));
  }
  const aliases = new Map<string, string>();
  for (const slugs of slugsByWords.values()) {
    // A number of the archive's own that has the words of several places is that of none.
    const known = [...slugs].filter((slug) => !OWN_SLUG.test(slug) || wordsBySlug.get(slug)?.size === 1);
    const tgn = known.filter((slug) => TGN_SLUG.test(slug));
    const [target, ...others] = tgn.length > 0 ? tgn : known.filter((slug) => ID_SLUG.test(slug));
    if (target === undefined || others.length > 0) continue;
    for (const slug of known) if (slug !== target && (OWN_SLUG.test(slug) || !ID_SLUG.test(slug))) aliases.set(slug, target);
  }
  return aliases;
}

/** Joins the places of a catalogue file, whose records are complete. */
export function writePlaces(db: DatabaseSync): void {
  const rows = db.prepare(`SELECT facets -> 'place' AS place FROM record WHERE facets -> 'place' IS NOT NULL ORDER BY id`);
  const values = Iterator.from(rows.iterate()).flatMap(({ place }) => JSON.parse(String(place)) as FacetValue[]);
  replaceLookup(db, PLACE_LOOKUP, Object.fromEntries(joinPlaces(values)));
}

/** Returns the aliases of places in a catalogue file. */
export const openPlaceAliases = (db: DatabaseSync): PlaceAliases => openLookup<string>(db, PLACE_LOOKUP);

/** Returns facet values with the places as pages show them: each once. */
export function withPlaces(facets: ObjectEntry['facets'], aliases: PlaceAliases): ObjectEntry['facets'] {
  if (!facets.place?.some(({ slug }) => aliases.get(slug))) return facets;
  const places = new Map<string, FacetValue>();
  for (const value of facets.place) {
    const slug = aliases.get(value.slug);
    const known = places.get(slug ?? value.slug);
    const others = [...(known?.aliases ?? []), ...(slug === undefined ? [] : [value.slug])];
    places.set(slug ?? value.slug, {
      ...(known ?? value),
      slug: slug ?? value.slug,
      ...(others.length > 0 ? { aliases: others } : {}),
    });
  }
  return { ...facets, place: [...places.values()] };
}

/** Returns positions with the slugs of the pages of their places. Entries of tests may lack them. */
export function positionsOfPlaces(positions: ObjectEntry['positions'] | undefined, aliases: PlaceAliases) {
  return positions?.map((position) => ({
    ...position,
    place: aliases.get(position.place) ?? position.place,
  })) as ObjectEntry['positions'];
}
