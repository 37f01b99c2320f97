/** Our side of the page bench: the object pages of a snapshot, from reading it to the last file written, as one process. */
import { join, resolve } from 'node:path';
import { readCatalogue } from '../../src/catalogue/catalogue.ts';
import { createPageProblems } from '../../src/catalogue/page-problems.ts';
import { createRelations } from '../../src/catalogue/relations.ts';
import { renderPages } from '../../src/pipeline/render.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';

const [snapshot, out] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
const store = openSnapshot(snapshot);
const catalogue = readCatalogue(store);
/** Of all pages, those that Eleventy makes too: one an object. */
const keys = new Map<string, string>();
const ledger = {
  enter(path: string): boolean {
    const wanted = /^objects\/[^/]+$/.test(path);
    if (wanted) keys.set(path, '');
    return wanted;
  },
  forget: () => undefined,
  keys: () => keys,
};
await renderPages(
  { site: undefined, out: join(out, 'site'), cache: join(out, 'cache') },
  {
    store,
    catalogue,
    relations: createRelations(catalogue),
    pictures: {},
    tiles: {},
    mirrored: {},
    kiosk: undefined,
    searchForms: { index: true, packs: true },
    compact: false,
    ledger,
    problems: createPageProblems(),
    languages: ['en'],
    address: undefined,
  },
);
store.close();
