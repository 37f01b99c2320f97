/** Loads columns of the facet table when they are first needed. */
import { cached } from '../../formats/cached.ts';
import * as table from '../../formats/search/facet-table.ts';
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';

/** The facet table. All functions reject if a pack cannot be loaded. */
export type FacetStore = ReturnType<typeof createFacetStore>;

/** Returns the facet table. `load` returns the pieces of a pack. */
export function createFacetStore(load: (pack: table.FacetPack) => Promise<table.Pieces>) {
  /** Each pack is decoded once. */
  const decoded = <T>(decode: (pieces: table.Pieces) => T) =>
    cached<T>(SEARCH_FACETS.length + table.OTHER_PACKS.length, async (pack) => decode(await load(pack as table.FacetPack)));
  const [parents, years] = [decoded(table.decodeParents), decoded(table.decodeYears)];
  const column = decoded(table.decodeColumn);
  return {
    /** Returns the records that files and segments are part of. */
    parents: () => parents('parents'),
    async columns(facets: readonly SearchFacet[]) {
      return new Map(
        await Promise.all(facets.map(async (facet): Promise<[SearchFacet, table.Column]> => [facet, await column(facet)])),
      );
    },
    years: () => years('years'),
    /** Returns each document's rank in an order. */
    ranks: decoded(table.decodeRanks),
  };
}
