/** Reads a snapshot once and decides what the site shows of it; what is held back is taken out here, before anything is made. */
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

/** The mirror as a whole: what it is a copy of, when it was taken, what is missing. */
export interface Facts {
  title: string;
  /** Plain text of the repository's own description. */
  description: string;
  authorsUrl: string;
  catalogUrl: string;
  /** When the last harvest ended (or began, where it was cut short): ISO 8601 in UTC. */
  takenAt: string | undefined;
  /** False where the last harvest was cut short. */
  complete: boolean;
  withheld: Withheld[];
  /** Pictures that were asked for and could not be had. */
  picturesMissing: number;
  /** Recordings, texts and originals that were asked for and could not be had. */
  filesMissing: number;
  /** Addresses of files that the living archive has, and that have not a single byte. */
  emptyFiles: ReadonlySet<string>;
  /** What the living archive has no longer. */
  gone: number;
  failures: Failure[];
}

export interface Catalogue {
  facts: Facts;
  objects: ObjectEntry[];
  authors: AuthorEntry[];
  articles: ArticleEntry[];
  /** Records of which only a page is left that says that they were withdrawn. */
  withdrawn: Withdrawn[];
  /** What cannot be shown whole. */
  problems: PageProblem[];
}

/** Everything that is shown, by collection. */
export type Entries = Readonly<Pick<Catalogue, 'objects' | 'authors' | 'articles'>>;

/** `store` may be a snapshot as it is shown: then it tells what was withdrawn. */
export function readCatalogue(store: Store & Partial<Pick<ShownStore, 'withdrawn'>>): Catalogue {
  const withdrawn = store.withdrawn?.() ?? [];
  const bases = basesOf(store);
  const objects = readObjects(store, bases);
  const guide = readGuide(store, bases);
  const top = topOf(objects.shown);
  const run = lastRun(store);
  const media = mediaRows(store);
  const lost = media.filter(({ state }) => state !== 'stored');
  const isEmpty = ({ state, size, cause }: StoredMedia) => (state === 'stored' ? size === 0 : cause === EMPTY_ANSWER);
  const isPicture = ({ kind }: StoredMedia) => kind === 'image' || kind === 'thumb';
  return {
    facts: {
      title: shorten(top?.title ?? nameOfHost(bases.catalog), LONGEST_SITE_TITLE),
      description: top?.excerpt ?? '',
      authorsUrl: bases.authors,
      catalogUrl: bases.catalog,
      takenAt: run?.finished_at ?? run?.started_at,
      complete: run?.finished_at !== null,
      emptyFiles: new Set(media.filter(isEmpty).map(({ url }) => url)),
      gone: goneCount(store),
      picturesMissing: lost.filter(isPicture).length,
      filesMissing: lost.filter((row) => !isPicture(row)).length,
      withheld: [
        ...objects.withheld,
        ...withdrawn.map(({ id: what }) => ({ what, reason: 'withdrawn' as const })),
        ...[...guide.unpublished].map(() => ({ what: 'an author', reason: 'unpublished' as const })),
      ],
      // What is withheld is not named, not even as missing.
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

/** The record that the site is called after: the repository, else the organization, else the only collection. One of which only the id is known gives no name. */
function topOf(shown: readonly ObjectEntry[]): ObjectEntry | undefined {
  const named = shown.filter(({ id, title }) => title !== id && title !== `[${id}]`);
  const collections = shown.filter(({ model }) => model === 'collection');
  return (
    named.find(({ model }) => model === 'repository') ??
    named.find(({ model }) => model === 'organization') ??
    (collections.length === 1 ? named.find(({ model }) => model === 'collection') : undefined)
  );
}

/** What to call an archive that does not name itself: its host, or just “Archive” where that is an address of numbers. */
function nameOfHost(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : '';
  return host === '' || isIP(host) !== 0 ? 'Archive' : host;
}
