/** The facet table of a search index as a pack: the search page loads it as a script. */
import { mkdirSync, rmSync } from 'node:fs';
import { encodeTable, type FacetTable } from '../../client/facet-table.ts';
import { writePack } from './writer.ts';

/** The name of the table's pack, below assets/. */
const TABLE = 'facets';

/** Writes a table into the folder `out`, in the place of whatever is there. */
export function writeFacetPack(table: FacetTable, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writePack(out, TABLE, encodeTable(table));
}
