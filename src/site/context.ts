/**
 * What a build knows, handed from the command line to the pages. Astro bundles the pages into modules of their own,
 * but runs them in the same process: so the snapshot is read once, and the pages find it under one name of the process.
 */
import { resolve } from 'node:path';
import { type Catalogue, readCatalogue } from '../catalogue/catalogue.ts';
import { createPageProblems, type PageProblems } from '../catalogue/page-problems.ts';
import { createRelations, type Relations } from '../catalogue/relations.ts';
import type { SearchForms } from '../client/search-forms.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { Mirrored } from '../derivatives/mirrored.ts';
import { openArchive } from '../sample/archive.ts';
import type { Store } from '../snapshot/store.ts';
import type { Language } from './language/edition.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Pictures } from './pictures.ts';

export interface Kiosk {
  /** Minutes without a visitor after which it goes back to its beginning. */
  idle: number;
}

export interface BuildContext {
  store: Store;
  catalogue: Catalogue;
  relations: Relations;
  pictures: Pictures;
  /** By the address upstream: pictures that are looked into tile by tile. */
  tiles: Readonly<Record<string, Tiles>>;
  mirrored: Mirrored;
  ledger: Ledger;
  problems: PageProblems;
  /** Where the mirror is for a kiosk. */
  kiosk: Kiosk | undefined;
  /** The forms in which the search index is there. */
  searchForms: SearchForms;
  /** Whether pages and thumbnails stand in packs. */
  compact: boolean;
  /** The first one stands at the top of the site. */
  languages: readonly Language[];
  /** The mirror's own address with a slash at its end, where it will be hosted. */
  address: string | undefined;
}

const NAME = Symbol.for('microfiche.build');
const shared = globalThis as { [NAME]?: BuildContext };

export function announce(context: BuildContext): void {
  shared[NAME] = context;
}

/** Where Astro was started by hand (`astro dev`), the pages show the sample archive. */
export function buildContext(): BuildContext {
  shared[NAME] ??= sampleContext();
  return shared[NAME];
}

function sampleContext(): BuildContext {
  const store = openArchive(resolve('content/sample'));
  const catalogue = readCatalogue(store);
  return {
    store,
    catalogue,
    relations: createRelations(catalogue),
    pictures: {},
    tiles: {},
    mirrored: {},
    ledger: createLedger({ previous: new Map(), exists: () => false }),
    problems: createPageProblems(),
    kiosk: undefined,
    searchForms: { index: true, packs: false },
    compact: false,
    languages: ['en'],
    address: undefined,
  };
}
