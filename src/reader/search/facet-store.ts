/** Loads columns of the facet table when they are first needed. */
import { cached } from '../../formats/cached.ts';
import {
  type Column,
  decodeColumn,
  decodeParents,
  decodeRanks,
  decodeYears,
  type FacetPack,
  OTHER_PACKS,
  type Pieces,
} from '../../formats/search/facet-table.ts';
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';

/** The facet table. All functions reject if a pack cannot be loaded. */
export type FacetStore = ReturnType<typeof createFacetStore>;

/** Returns the facet table. `load` returns the pieces of a pack. */
export function createFacetStore(load: (pack: FacetPack) => Promise<Pieces>) {
  /** Each pack is decoded once. */
  const decoded = <T>(decode: (pieces: Pieces) => T) =>
    cached<T>(SEARCH_FACETS.length + OTHER_PACKS.length, async (pack) => decode(await load(pack as FacetPack)));
  const [parents, years] = [decoded(decodeParents), decoded(decodeYears)];
  const column = decoded(decodeColumn);
  return {
    /** Returns the records that files and segments are part of. */
    parents: () => parents('parents'),
    async columns(facets: readonly SearchFacet[]) {
      return new Map(
        await Promise.all(facets.map(async (facet): Promise<[SearchFacet, Column]> => [facet, await column(facet)])),
      );
    },
    years: () => years('years'),
    /** Returns each document's rank in an order. */
    ranks: decoded(decodeRanks),
  };
}
