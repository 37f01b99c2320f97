/** Opens what pages are rendered from, in any thread: the catalogue file, the visible snapshot, and the site in each locale. */
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Catalogue, Entries } from '../../catalogue/catalogue.ts';
import { writeState } from '../../catalogue/dependencies/catalogue-state.ts';
import { NOTICE_LOOKUP } from '../../catalogue/dependencies/compare-catalogues.ts';
import { recordLookup } from '../../catalogue/dependencies/read-keys.ts';
import { recordReads } from '../../catalogue/dependencies/recorded-relations.ts';
import { openRelations } from '../../catalogue/lists/relations.ts';
import { createVisibleStore, type VisibleStoreOptions } from '../../catalogue/read/visible-store.ts';
import { openRecords } from '../../catalogue/records.ts';
import type { CopiedFile, IndexedPlace } from '../../derivatives/copied-files.ts';
import type { Tiles } from '../../derivatives/iiif.ts';
import { openLookup, replaceLookup } from '../../platform/lookup-table.ts';
import { createContentReader } from '../../site/content.ts';
import type { ImageDerivatives, SiteImages } from '../../site/images.ts';
import { type Notice, openNotices } from '../../site/notices/notices.ts';
import { LOOKUP, NO_CONTENT, type OwnContent, openOwn } from '../../site/own/own-content.ts';
import { createSites, type Site, type SiteOptions } from '../../site/site.ts';
import { openSnapshot, runTransaction, type Store } from '../../snapshot/store.ts';

/** What pages are rendered from, as a message to a thread. */
export interface SiteSource {
  snapshot: string;
  /** What the visible snapshot leaves out. */
  visible: Pick<VisibleStoreOptions, 'withholding' | 'collections'>;
  /** Path of the catalogue file, to which `writeMedia` has added media. */
  catalogueFile: string;
  catalogue: Pick<Catalogue, 'facts' | 'withdrawn' | 'authors' | 'articles'>;
  settings: Pick<
    SiteOptions,
    'languages' | 'archiveLanguage' | 'featured' | 'design' | 'words' | 'components' | 'kiosk' | 'search' | 'compact' | 'siteUrl'
  > & { own?: OwnContent | undefined; notices?: readonly Notice[] | undefined };
}

/** What pages are rendered from. */
export type OpenSite = ReturnType<typeof createSite>;

/** Media of a site by URL upstream, and what else is known outside of the snapshot. */
export interface SiteMedia {
  images: SiteImages;
  tiles: Readonly<Record<string, Tiles>>;
  copiedFiles: Readonly<Record<string, CopiedFile>>;
  /** What pages read of own pages (`ownLookup`). */
  own?: Readonly<Record<string, unknown>>;
  /** Notices by the ID of the record that they name (`noticeLookup`). */
  notices?: Readonly<Record<string, unknown>>;
}

/** Returns a hash of what is known of media. */
export function hashOfMedia({ images, tiles, copiedFiles, own = {}, notices = {} }: SiteMedia): string {
  return hash('sha256', JSON.stringify([images, tiles, copiedFiles, own, notices]));
}

/** A map does not distinguish more. */
const MAX_INDEXED_PLACES = 5_000;

/** Writes media to a catalogue file, for pages to read. */
export function writeMedia(db: DatabaseSync, media: SiteMedia): void {
  const { images, tiles, copiedFiles, own = {}, notices = {} } = media;
  const places = Object.values(copiedFiles).flatMap((file) => file.places ?? []);
  const indexed = { all: places.slice(0, MAX_INDEXED_PLACES) };
  writeLookups(db, { image: images, tiles, copied: copiedFiles, indexed, [LOOKUP]: own, [NOTICE_LOOKUP]: notices });
  writeState(db, { media: hashOfMedia(media) });
}

/** Writes files that are empty upstream, and the versions of sources, to a catalogue file, for pages to read. */
export function writeSnapshotLookups(
  db: DatabaseSync,
  emptyFiles: ReadonlySet<string>,
  sourceVersions: Readonly<Record<string, string>>,
): void {
  writeLookups(db, { empty: Object.fromEntries([...emptyFiles].map((url) => [url, true])), source: sourceVersions });
}

function writeLookups(db: DatabaseSync, lookups: Record<string, Readonly<Record<string, unknown>>>): void {
  runTransaction(db, () => {
    for (const [kind, values] of Object.entries(lookups)) replaceLookup(db, kind, values);
  });
}

/** Opens a site, with its catalogue file. `onRead` gets the key of each read (src/catalogue/dependencies/read-keys.ts). */
export function createSite(
  db: DatabaseSync,
  store: Store,
  { catalogue, settings }: Pick<SiteSource, 'catalogue' | 'settings'>,
  onRead: (key: string) => void = () => undefined,
) {
  const relations = recordReads(openRelations(db, catalogue), onRead);
  const lookup = <Value>(kind: string) => recordLookup(kind, openLookup<Value>(db, kind), onRead);
  const copiedFiles = lookup<CopiedFile>('copied');
  const [main, ...others] = createSites({
    catalogue,
    relations,
    copiedFiles,
    images: lookup<ImageDerivatives>('image'),
    tiles: lookup<Tiles>('tiles'),
    emptyFiles: lookup<true>('empty'),
    indexed: lookup<IndexedPlace[]>('indexed'),
    ...settings,
    own: openOwn(settings.own ?? NO_CONTENT, onRead),
    notices: openNotices(settings.notices ?? []),
  });
  if (!main) throw new Error('A site has at least one language');
  const sites: [Site, ...Site[]] = [main, ...others];
  const { authors, articles } = catalogue;
  const entries: Entries = { objects: openRecords(db), authors, articles };
  return {
    /** The visible snapshot. */
    store,
    entries,
    relations,
    /** One per locale, the one at the top first. */
    sites,
    content: createContentReader(store, { relations, copiedFiles }, onRead),
  };
}

/** Begins a transaction for the whole connection, so that not each query locks the file. Caches part of it in memory. */
export function keepOpenForReading(db: DatabaseSync): void {
  db.exec(`PRAGMA cache_size = -${CACHE_KILOBYTES}; BEGIN`);
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

/** Of each connection, of which every thread has one. */
const CACHE_KILOBYTES = 32 * 1024;

/** Opens a site in another thread than that which made the catalogue file. */
export function openSite(source: SiteSource, onRead: (key: string) => void): OpenSite {
  const opened = openSnapshot(source.snapshot);
  const catalogue = new DatabaseSync(source.catalogueFile, { readOnly: true });
  keepOpenForReading(catalogue); // not the snapshot: a harvest would have to wait
  return createSite(catalogue, createVisibleStore(opened, source.visible), source, onRead);
}
