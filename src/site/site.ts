/** What every page of the site knows, in one language: the view models are made from it. */
import type { Catalogue, Facts } from '../catalogue/catalogue.ts';
import type { Relations } from '../catalogue/relations.ts';
import type { Withdrawn } from '../catalogue/view.ts';
import type { SearchForms } from '../client/search-forms.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { Mirrored } from '../derivatives/mirrored.ts';
import type { Bases } from '../model/resources.ts';
import { createEditions, type Edition, type Language } from './language/edition.ts';
import { below, type Pictures } from './pictures.ts';

/** How a site behaves in a kiosk. */
export interface Kiosk {
  /** Minutes without a visitor after which it returns to its attract page. */
  idle: number;
}

/** What is the same in every language. */
interface Shared {
  facts: Facts;
  relations: Relations;
  /** Records of which only a page is left that says that they were withdrawn. */
  withdrawn: readonly Withdrawn[];
  /** Images that are looked into tile by tile; their paths are relative to the top of the site. */
  tiles: Readonly<Record<string, Tiles>>;
  /** Recordings, texts and originals; their paths are relative to the top of the site. */
  mirrored: Mirrored;
  /** Set if the site is for a kiosk. */
  kiosk: Kiosk | undefined;
  searchForms: SearchForms;
  /** Whether pages and thumbnails are in packs. */
  compact: boolean;
  /** The URL at which the site will be hosted, with a slash at its end. */
  address: string | undefined;
}

export interface Site extends Shared {
  /** Their paths are relative to the top of this edition's pages. */
  pictures: Pictures;
  bases: Bases;
  edition: Edition;
}

export interface SiteOptions extends Omit<Shared, 'facts' | 'withdrawn'> {
  catalogue: Catalogue;
  pictures: Pictures;
  /** The first one is at the top of the site. */
  languages: readonly Language[];
}

/** Returns the site in each language, the one at the top first. */
export function createSites({ catalogue, pictures, languages, ...shared }: SiteOptions): Site[] {
  const { facts, withdrawn } = catalogue;
  const bases = { authors: facts.authorsUrl, catalog: facts.catalogUrl };
  return createEditions(languages).map((edition) => ({
    ...shared,
    facts,
    withdrawn,
    bases,
    edition,
    pictures: below(edition.root, pictures),
  }));
}
