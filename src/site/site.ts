/** The data of a site in one language, from which view models are computed. */
import type { Catalogue, Facts } from '../catalogue/catalogue.ts';
import type { Relations } from '../catalogue/relations.ts';
import type { Withdrawn } from '../catalogue/view.ts';
import type { SearchForms } from '../client/search-forms.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { Mirrored } from '../derivatives/mirrored.ts';
import type { Bases } from '../model/resources.ts';
import { createEditions, type Edition, type Language } from './language/edition.ts';
import { below, type Pictures } from './pictures.ts';

/** Settings of kiosk mode. */
export interface Kiosk {
  /** Idle timeout in minutes, after which the attract screen is shown. */
  idle: number;
}

/** What is the same in every language. */
interface Shared {
  facts: Facts;
  relations: Relations;
  /** Records whose pages only say that they were withdrawn. */
  withdrawn: readonly Withdrawn[];
  /** Tiles of large images, by URL upstream; their paths are relative to the top of the site. */
  tiles: Readonly<Record<string, Tiles>>;
  /** Recordings, transcripts and originals, by URL upstream; their paths are relative to the top of the site. */
  mirrored: Mirrored;
  /** Set in kiosk mode. */
  kiosk: Kiosk | undefined;
  searchForms: SearchForms;
  /** Whether pages and thumbnails are in packs. */
  compact: boolean;
  /** The URL at which the site will be hosted, with a slash at its end. */
  address: string | undefined;
}

/** A site in one language. */
export interface Site extends Shared {
  /** Their paths are relative to the top of this locale's pages. */
  pictures: Pictures;
  bases: Bases;
  edition: Edition;
}

/** What `createSites` makes sites from. */
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
  return createEditions(languages).map((locale) => ({
    ...shared,
    facts,
    withdrawn,
    bases,
    edition: locale,
    pictures: below(locale.root, pictures),
  }));
}
