/** The data of a site in one language, from which view models are computed. */
import type { Catalogue, SiteFacts } from '../catalogue/catalogue.ts';
import type { Relations } from '../catalogue/lists/relations.ts';
import type { Withdrawn } from '../catalogue/read/visible-store.ts';
import type { CopiedFile, IndexedPlace } from '../derivatives/copied-files.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { BaseUrls } from '../model/resources.ts';
import { inLanguage } from '../model/text/local-text.ts';
import type { ArchiveLanguages } from '../model/text/text-language.ts';
import type { Lookup } from '../platform/lookup.ts';
import { objectFileName } from '../platform/portability.ts';
import type { Design } from './design/design.ts';
import { type ImageDerivatives, withPathsFrom } from './images.ts';
import { createLocales, type Dictionary, type Language, type Locale, type OwnWords } from './language/locale.ts';
import { type Notices, openNotices } from './notices/notices.ts';
import { NO_CONTENT, type Own, openOwn } from './own/own-content.ts';

/** Settings of kiosk mode. */
export interface KioskSettings {
  /** Idle timeout in minutes, after which the attract screen is shown. */
  idleMinutes: number;
}

/** What own components add to every page. */
export interface ComponentAdditions {
  /** The style sheet, with theirs, of a page that cannot link to files. */
  style: string | undefined;
  hasScript: boolean;
}

/** The data that all languages share. */
interface Shared {
  readonly facts: SiteFacts;
  readonly relations: Relations;
  /** Records whose pages only say that they were withdrawn, or lead to another page, by the name of the page. */
  readonly withdrawn: ReadonlyMap<string, Withdrawn>;
  /** Tiles of large images, by URL upstream; their paths are relative to the top of the site. */
  readonly tiles: Lookup<Tiles>;
  /** Recordings, transcripts and originals, by URL upstream; their paths are relative to the top of the site. */
  readonly copiedFiles: Lookup<CopiedFile>;
  /** URLs upstream of files that are empty there. */
  readonly emptyFiles: Lookup<true>;
  /** The places in the indexes of all recordings, by the name `all`. */
  readonly indexed?: Lookup<IndexedPlace[]>;
  /** Set in kiosk mode: no link leaves the site, and it returns to its attract screen when it is idle. */
  readonly kiosk: KioskSettings | undefined;
  /** Whether it has a search index. */
  readonly search: boolean;
  /** IDs of the records that the home page features; if empty, other ones each day. */
  readonly featured: readonly string[];
  /** Whether pages and thumbnails are in packs: for USB drives, on which every file takes an entire cluster. */
  readonly compact: boolean;
  /** The URL at which the site will be hosted, with a slash at its end. */
  readonly siteUrl: string | undefined;
  readonly archiveLanguages: ArchiveLanguages;
  readonly design?: Design | undefined;
  /** The project's own words of the interface. */
  readonly words?: OwnWords | undefined;
  /** What the archive's own components add to pages. */
  readonly components?: ComponentAdditions | undefined;
  /** The archive's own pages and exhibits. */
  readonly own: Own;
  /** Content warnings and cultural-protocol labels. */
  readonly notices: Notices;
}

/** A site in one language. */
export interface Site extends Shared {
  /** The name of the site: the design's, or the archive's. */
  readonly title: string;
  /** One or two sentences below the title; empty if there are none. */
  readonly tagline: string;
  /** Their paths are relative to the top of this locale's pages. */
  readonly images: Lookup<ImageDerivatives>;
  readonly baseUrls: BaseUrls;
  readonly locale: Locale;
}

/** The props of every page. */
export interface SitePage {
  site: Site;
  /** Relative to the top of the pages in its language. */
  path: string;
}

/** The props of a page with a list of names. */
export interface ListPage extends SitePage {
  /** Of a page for one letter, if the list is too long for one page. */
  letter?: string;
}

/** The props of most parts of a page. */
export interface Part {
  /** The texts of the page's language. */
  t: Dictionary;
  /** The path of the page. */
  from: string;
}

/** The props of a part with numbers or dates. */
export type LocalePart = Omit<Part, 't'> & { locale: Locale };

/** The input of `createSites`. */
export interface SiteOptions extends Omit<Shared, 'facts' | 'withdrawn' | 'archiveLanguages' | 'own' | 'notices'> {
  own?: Own | undefined;
  notices?: Notices | undefined;
  /** The archive's main language: a BCP 47 tag. */
  archiveLanguage: string;
  catalogue: Pick<Catalogue, 'facts' | 'withdrawn'>;
  images: Lookup<ImageDerivatives>;
  /** The first one is at the top of the site. */
  languages: readonly Language[];
}

/** Returns the site in each language, the one at the top first. */
export function createSites({
  catalogue,
  images,
  languages,
  archiveLanguage,
  own = openOwn(NO_CONTENT),
  notices = openNotices([]),
  ...shared
}: SiteOptions): Site[] {
  const { facts } = catalogue;
  const withdrawn = new Map(catalogue.withdrawn.map((record) => [objectFileName(record.id), record]));
  const bases = { authors: facts.authorsUrl, catalog: facts.catalogUrl };
  const archiveLanguages = { main: archiveLanguage, named: facts.languages };
  const { design, words } = shared;
  return createLocales(languages, design, words).map((locale) => ({
    ...shared,
    own,
    notices,
    title: design?.title === undefined ? facts.title : inLanguage(design.title, locale.language),
    tagline: design?.tagline === undefined ? facts.description : inLanguage(design.tagline, locale.language),
    facts,
    withdrawn,
    baseUrls: bases,
    archiveLanguages,
    locale,
    images: withPathsFrom(locale.rootPath, images),
  }));
}
