/** Writes the facet table of a search index as a pack, which the search page loads as a script. */
import { mkdirSync, rmSync } from 'node:fs';
import { encodeTable, type FacetTable } from '../../client/facet-table.ts';
import { writePack } from './pack-writer.ts';

/** Name of the pack; the build puts it into `assets/`. */
const PACK_NAME = 'facets';

/** Writes a table into the directory `out`, and deletes its former content. */
export function writeFacetPack(table: FacetTable, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writePack(out, PACK_NAME, encodeTable(table));
}
