/** Reads a snapshot once and decides what the site shows of it. Leaves out everything withheld, so that no later step sees it. */
import { isIP } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { ancestorIdsByShape } from '../model/ancestors.ts';
import { isObjectId } from '../model/ids.ts';
import { isInternalHost } from '../model/internal-host.ts';
import { EMPTY_FILE_CAUSE } from '../model/media/media.ts';
import { parseRecord } from '../model/records.ts';
import type { BaseUrls } from '../model/resources.ts';
import { languageTag } from '../model/text/language-tag.ts';
import { MAX_SITE_TITLE_LENGTH, MAX_TITLE_LENGTH } from '../model/text/limits.ts';
import { truncateWords } from '../model/text/text.ts';
import { countRemoved } from '../snapshot/changes.ts';
import { readFilesElsewhere } from '../snapshot/files-elsewhere.ts';
import { type Failure, readBaseUrls, readFailures, readLastRun, readMediaRows, readPayload } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import { openForWriting, updateCatalogueFile } from './catalogue-file.ts';
import { readTerms } from './catalogue-schema.ts';
import type { Guide, ObjectEntry, Withheld } from './entries.ts';
import type { PageProblem } from './page-problems.ts';
import { readNarrators } from './people/narrators.ts';
import { type GuideEntries, readGuideEntries, type SourceFiles } from './read/guide-entries.ts';
import { readRecords, titleOf } from './read/object-entries.ts';
import type { VisibleStore, Withdrawn } from './read/visible-store.ts';
import { openRecords, type Records } from './records.ts';

/** Facts about the entire site: its archive, the date of the harvest, and what is missing. */
export type SiteFacts = ReturnType<typeof readFactsOfSite>;

/** Everything that a site shows of a snapshot. Its records are in a catalogue file; the rest is in memory. */
export interface Catalogue extends Guide {
  facts: SiteFacts;
  objects: Records;
  /** Records whose page is a notice: they were withdrawn, or have another ID now. */
  withdrawn: Withdrawn[];
  /** Records that cannot be shown completely. */
  problems: PageProblem[];
  sourceFiles: SourceFiles[];
}

/** All entries that are shown, by kind. */
export type Entries = Readonly<Pick<Catalogue, 'objects' | 'authors' | 'articles'>>;

/** A catalogue in a temporary file. */
export type TemporaryCatalogue = Catalogue & { db: DatabaseSync };

/**
 * Reads the catalogue of a snapshot into a temporary file, which is deleted when `db` is closed or the process ends. If `store`
 * is a visible snapshot, its withdrawn records are listed too.
 */
export function readCatalogue(store: CatalogueStore): TemporaryCatalogue {
  using unlessRead = new DisposableStack();
  const db = unlessRead.use(openForWriting(TEMPORARY));
  const { catalogue } = readCatalogueInto(db, store);
  unlessRead.move();
  return { ...catalogue, db };
}

/** SQLite's name for a database that is in memory as long as it is small. */
const TEMPORARY = '';

/** A snapshot, or a visible one. */
export type CatalogueStore = Store & Partial<Pick<VisibleStore, 'withdrawn'>>;

/** Reads the catalogue of a snapshot into a file. Bodies that its earlier catalogue already has are not read again. */
export function readCatalogueInto(
  db: DatabaseSync,
  store: CatalogueStore,
): { catalogue: Catalogue; sourceVersions: GuideEntries['sourceVersions'] } {
  const withdrawn = store.withdrawn?.() ?? [];
  const baseUrls = readBaseUrls(store);
  const reading = { store, db };
  const read = updateCatalogueFile(db, (update) => {
    const records = readRecords(reading, baseUrls, update);
    const narrators = readNarrators(
      store,
      records.withheld.map(({ what }) => what),
    );
    return { records, narrators, ...readGuideEntries(reading, baseUrls) };
  });
  const { records, authors, articles, sourceVersions } = read;
  const objects = openRecords(db);
  const catalogue = {
    facts: readFactsOfSite(store, baseUrls, withdrawn, { ...records, objects, languages: readLanguages(db) }, read),
    objects,
    authors,
    articles,
    withdrawn: [
      ...withdrawn.filter(({ notice }) => notice),
      ...records.moved.map((record) => ({ ...record, reason: '', date: '', notice: true })),
    ],
    problems: [...records.problems, ...read.problems],
    sourceFiles: read.sourceFiles,
  };
  return { catalogue, sourceVersions };
}

function readFactsOfSite(
  store: Store,
  baseUrls: BaseUrls,
  withdrawn: readonly Withdrawn[],
  { objects, withheld, languages }: Pick<ReturnType<typeof readRecords>, 'withheld'> & { languages: string[]; objects: Records },
  { unpublished }: Pick<GuideEntries, 'unpublished'>,
) {
  const candidates = (['repository', 'organization', 'collection'] as const).flatMap((model) => [...objects.allListed(model)]);
  const root = rootOf(candidates);
  const run = readLastRun(store);
  const media = readMediaRows(store);
  const missing = media.filter(({ state }) => state !== 'stored');
  const isEmpty = ({ state, size, cause }: StoredMedia) => (state === 'stored' ? size === 0 : cause === EMPTY_FILE_CAUSE);
  const { inside = [], elsewhere = [] } = Object.groupBy(readFilesElsewhere(store), ({ host }) =>
    isInternalHost(host) ? 'inside' : 'elsewhere',
  );
  const countFiles = (hosts: ReadonlyArray<{ count: number }>) => hosts.reduce((total, { count }) => total + count, 0);
  const isImage = ({ kind }: StoredMedia) => kind === 'image' || kind === 'thumb';
  return {
    /** The archive's title, shortened. */
    title: titleOfArchive(candidates, baseUrls.catalog),
    /** Description of the repository, as plain text; empty if there is none. */
    description: root ? (objects.entry(root.id)?.excerpt ?? '') : '',
    /** Base URL of the guide API. */
    authorsUrl: baseUrls.authors,
    /** Base URL of the records API. */
    catalogUrl: baseUrls.catalog,
    /** When the last harvest ended, or started if it was interrupted: ISO 8601 in UTC. Undefined without a harvest. */
    harvestedAt: run?.finished_at ?? run?.started_at,
    /** False if the last harvest was interrupted. */
    complete: run?.finished_at !== null,
    /** URLs of files that are empty upstream. */
    emptyFiles: new Set(media.filter(isEmpty).map(({ url }) => url)) as ReadonlySet<string>,
    removedCount: countRemoved(store),
    /** Number of images that could not be downloaded. */
    missingImageCount: missing.filter(isImage).length,
    /** Number of other media files that could not be downloaded. */
    missingFileCount: missing.filter((row) => !isImage(row)).length,
    /** Number of media files on other hosts than the archive's, from which nothing was downloaded. */
    filesElsewhere: countFiles(elsewhere),
    /** Number of media files on hosts that only the archive's own network reaches. */
    filesInside: countFiles(inside),
    /** Withheld records and authors, with the reasons. */
    withheld: [
      ...withheld,
      ...withdrawn.map(({ id: what }): Withheld => ({ what, reason: 'withdrawn' })),
      ...[...unpublished].map((): Withheld => ({ what: 'an author', reason: 'unpublished' })),
    ],
    /** Failures of the harvest that the site may name: not of what is withheld. */
    failures: publishableFailures(readFailures(store), {
      objects: new Set(withheld.map(({ what }) => what)),
      authors: unpublished,
    }),
    /** The languages that records name, as BCP 47 tags, the most frequent first. */
    languages,
  };
}

type Titled = Pick<ObjectEntry, 'id' | 'model' | 'title'>;

/** Returns the archive's title, shortened: its repository's, an organization's, its only collection's, its host, or “Archive”. */
export function titleOfArchive(shown: readonly Titled[], catalogUrl: string): string {
  const host = URL.parse(catalogUrl)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return truncateWords(rootOf(shown)?.title ?? (host === '' || isIP(host) !== 0 ? 'Archive' : host), MAX_SITE_TITLE_LENGTH);
}

/**
 * Returns the title of the archive as in the catalogue, without reading the catalogue; undefined if the snapshot has no
 * repository with a title. `store` shows only what is public.
 */
export function readRepositoryTitle(store: VisibleStore): string | undefined {
  const rows = store.db.prepare("SELECT name FROM resource WHERE kind = 'object' AND model = 'repository' ORDER BY name").all();
  const shown = rows.flatMap(({ name }): Titled[] => {
    const record = parseRecord(readPayload(store, 'object', String(name)));
    if (!record || record.id !== name || record.model !== 'repository') return [];
    return [{ id: record.id, model: record.model, title: truncateWords(titleOf(record), MAX_TITLE_LENGTH) }];
  });
  return rootOf(shown) && titleOfArchive(shown, '');
}

/** Returns the record whose title the archive has. Skips records without a title. */
function rootOf<T extends Titled>(shown: readonly T[]): T | undefined {
  const titled = shown.filter(({ id, title }) => title !== id && title !== `[${id}]`);
  const collections = shown.filter(({ model }) => model === 'collection');
  return (
    titled.find(({ model }) => model === 'repository') ??
    titled.find(({ model }) => model === 'organization') ??
    (collections.length === 1 ? titled.find(({ model }) => model === 'collection') : undefined)
  );
}

/** Returns the languages that records name, the most frequent first. */
function readLanguages(db: DatabaseSync): string[] {
  const counts = new Map<string, number>();
  for (const { label, count } of readTerms(db, 'language')) {
    const tag = languageTag(label);
    if (tag !== undefined) counts.set(tag, (counts.get(tag) ?? 0) + count);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([tag]) => tag);
}

/** Returns the languages of an item as BCP 47 tags, without codes of no language. */
export function itemLanguages({ facets }: Pick<ObjectEntry, 'facets'>): string[] {
  return (facets.language ?? []).flatMap(({ label }) => languageTag(label) ?? []);
}

/**
 * Returns a function that returns the languages of a record, by its ID: its own, else those of its nearest ancestor that names
 * some, else all that the archive names. They are BCP 47 tags.
 */
export function createLanguageLookup({ objects, facts }: Pick<Catalogue, 'objects' | 'facts'>) {
  return (id: string) => {
    const entry = objects.listed(id);
    const above = [...(entry?.parent ? [entry.parent] : []), ...(entry?.ancestors ?? []).toReversed()];
    const own = entry ? itemLanguages(entry) : [];
    if (own.length > 0) return own;
    const ofAncestors = above.flatMap((each) => objects.listed(each) ?? []).map(itemLanguages);
    return ofAncestors.find((languages) => languages.length > 0) ?? facts.languages;
  };
}

/**
 * Returns the failures that reveal nothing withheld. Leaves out withheld records and unpublished authors, the lists of such
 * records, everything below them, and all resources that have one of these as their referrer.
 */
function publishableFailures(
  failures: readonly Failure[],
  withheld: Readonly<Record<'objects' | 'authors', ReadonlySet<string>>>,
): Failure[] {
  const isWithheld = (kind: string, name: string): boolean => {
    if (kind === 'author') return withheld.authors.has(name);
    if (kind !== 'object' && kind !== 'children' && kind !== 'files') return false;
    return idWithAncestors(name).some((id) => withheld.objects.has(id));
  };
  return failures.filter(({ kind, name, referrer }) => {
    const [, referringKind = '', referringName = ''] = /^([a-z]+):(.*?)(?:\?limit=\d+&offset=\d+)?$/s.exec(referrer ?? '') ?? [];
    return !isWithheld(kind, name) && !isWithheld(referringKind, referringName);
  });
}

/** Returns an ID and all of its ancestors, by the form of the ID. */
function idWithAncestors(id: string): string[] {
  return isObjectId(id) ? [id, ...ancestorIdsByShape(id).flatMap(idWithAncestors)] : [id];
}
