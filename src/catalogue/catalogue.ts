/** Reads a snapshot once and decides what the site shows of it. What is withheld is left out here, before anything is made. */
import { isIP } from 'node:net';
import { LONGEST_SITE_TITLE } from '../model/limits.ts';
import { EMPTY_ANSWER } from '../model/media.ts';
import { shorten } from '../model/text.ts';
import { goneCount } from '../snapshot/changes.ts';
import { basesOf, type Failure, failures, lastRun, mediaRows, type StoredMedia } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { ArticleEntry, AuthorEntry, ObjectEntry, Withheld } from './entries.ts';
import { nameable } from './failures.ts';
import { readGuide } from './guide-entries.ts';
import { readObjects } from './object-entries.ts';
import type { PageProblem } from './page-problems.ts';
import type { ShownStore, Withdrawn } from './view.ts';

/** Facts about the site as a whole: which archive it shows, when it was harvested, and what is missing. */
export interface Facts {
  /** The archive's title, shortened. */
  title: string;
  /** Description of the repository, as plain text; empty if there is none. */
  description: string;
  /** Base URL of the guide API. */
  authorsUrl: string;
  /** Base URL of the records API. */
  catalogUrl: string;
  /** When the last harvest ended, or started if it was interrupted: ISO 8601 in UTC. Undefined without a harvest. */
  takenAt: string | undefined;
  /** False if the last harvest was interrupted. */
  complete: boolean;
  /** What is withheld, and why. */
  withheld: Withheld[];
  /** Number of images that could not be downloaded. */
  picturesMissing: number;
  /** Number of other media files that could not be downloaded. */
  filesMissing: number;
  /** URLs of files that upstream serves without a single byte. */
  emptyFiles: ReadonlySet<string>;
  /** Number of records that were removed upstream. */
  gone: number;
  /** Failures of the harvest that may be titled. */
  failures: Failure[];
}

/** Everything that a site shows of a snapshot, in memory. */
export interface Catalogue {
  facts: Facts;
  objects: ObjectEntry[];
  authors: AuthorEntry[];
  articles: ArticleEntry[];
  /** Withdrawn records whose page is a notice. */
  withdrawn: Withdrawn[];
  /** Records that cannot be shown completely. */
  problems: PageProblem[];
}

/** All entries that are shown, by kind. */
export type Entries = Readonly<Pick<Catalogue, 'objects' | 'authors' | 'articles'>>;

/** Reads the catalogue of a snapshot. If `store` is a visible snapshot, its withdrawn records are listed too. */
export function readCatalogue(store: Store & Partial<Pick<ShownStore, 'withdrawn'>>): Catalogue {
  const withdrawn = store.withdrawn?.() ?? [];
  const bases = basesOf(store);
  const objects = readObjects(store, bases);
  const guide = readGuide(store, bases);
  const root = rootOf(objects.shown);
  const run = lastRun(store);
  const media = mediaRows(store);
  const missing = media.filter(({ state }) => state !== 'stored');
  const isEmpty = ({ state, size, cause }: StoredMedia) => (state === 'stored' ? size === 0 : cause === EMPTY_ANSWER);
  const isImage = ({ kind }: StoredMedia) => kind === 'image' || kind === 'thumb';
  return {
    facts: {
      title: shorten(root?.title ?? nameOfHost(bases.catalog), LONGEST_SITE_TITLE),
      description: root?.excerpt ?? '',
      authorsUrl: bases.authors,
      catalogUrl: bases.catalog,
      takenAt: run?.finished_at ?? run?.started_at,
      complete: run?.finished_at !== null,
      emptyFiles: new Set(media.filter(isEmpty).map(({ url }) => url)),
      gone: goneCount(store),
      picturesMissing: missing.filter(isImage).length,
      filesMissing: missing.filter((row) => !isImage(row)).length,
      withheld: [
        ...objects.withheld,
        ...withdrawn.map(({ id: what }) => ({ what, reason: 'withdrawn' as const })),
        ...[...guide.unpublished].map(() => ({ what: 'an author', reason: 'unpublished' as const })),
      ],
      // What is withheld is not titled as missing either.
      failures: nameable(failures(store), {
        objects: new Set(objects.withheld.map(({ what }) => what)),
        authors: guide.unpublished,
      }),
    },
    objects: objects.shown,
    authors: guide.authors,
    articles: guide.articles,
    withdrawn: withdrawn.filter(({ notice }) => notice),
    problems: [...objects.problems, ...guide.problems],
  };
}

/** Returns the record that names the site: the repository, else the organization, else the only collection. A record without a title is skipped. */
function rootOf(shown: readonly ObjectEntry[]): ObjectEntry | undefined {
  const titled = shown.filter(({ id, title }) => title !== id && title !== `[${id}]`);
  const collections = shown.filter(({ model }) => model === 'collection');
  return (
    titled.find(({ model }) => model === 'repository') ??
    titled.find(({ model }) => model === 'organization') ??
    (collections.length === 1 ? titled.find(({ model }) => model === 'collection') : undefined)
  );
}

/** Returns the name of an archive without a title: its host name, or “Archive” if the host is an IP address. */
function nameOfHost(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  return host === '' || isIP(host) !== 0 ? 'Archive' : host;
}
