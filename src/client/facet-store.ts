/** Loads columns of the facet table when they are first needed. */
import { cached } from './cached.ts';
import type { Columns } from './facet-filter.ts';
import {
  type Column,
  type DocumentNames,
  decodeColumn,
  decodeDocuments,
  decodeParts,
  decodeRanks,
  decodeYears,
  FACETS,
  type FacetPack,
  type IndexPart,
  OTHER_PACKS,
  type Pieces,
  type SearchFacet,
  type Years,
} from './facet-table.ts';

/** The facet table. All functions reject if a pack cannot be loaded. */
export interface FacetStore {
  /** Returns the parts of the index. */
  parts(): Promise<IndexPart[]>;
  /** Returns the names of all documents. */
  documents(): Promise<DocumentNames>;
  /** Returns the columns of some facets. */
  columns(facets: readonly SearchFacet[]): Promise<Columns>;
  years(): Promise<Years>;
  /** Returns each document's rank in an order. */
  ranks(order: 'title' | 'date'): Promise<Uint32Array>;
}

/** Returns the facet table. `load` returns the pieces of a pack. */
export function createFacetStore(load: (pack: FacetPack) => Promise<Pieces>): FacetStore {
  /** Each pack has one form, so it is decoded once. */
  const decoded = <T>(decode: (pieces: Pieces) => T) =>
    cached<T>(FACETS.length + OTHER_PACKS.length, async (pack) => decode(await load(pack as FacetPack)));
  const [partList, column, years, ranks] = [
    decoded(decodeParts),
    decoded(decodeColumn),
    decoded(decodeYears),
    decoded(decodeRanks),
  ];
  const parts = () => partList('parts');
  return {
    parts,
    async documents() {
      return decodeDocuments(...(await Promise.all([load('documents'), parts()])));
    },
    async columns(facets) {
      return new Map(
        await Promise.all(facets.map(async (facet): Promise<[SearchFacet, Column]> => [facet, await column(facet)])),
      );
    },
    years: () => years('years'),
    ranks,
  };
}
