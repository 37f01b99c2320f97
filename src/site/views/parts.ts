/** What an object is made of: the pages of a document in their order, the segments of an interview as a playlist, and other files. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { formatDuration } from '../../platform/durations.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf } from './card.ts';
import { type Shot, shotOf } from './files.ts';
import { PAGE_SIZE, slice } from './page.ts';
import { playerOf } from './recording.ts';

/** One page of a document. */
export interface Leaf {
  /** From 1. */
  number: number;
  title: string;
  /** The page of the file's own record. */
  path: string;
  picture: Shot;
}

export interface Files {
  /** The files that are pages to be read in order. */
  leaves: ObjectEntry[];
  others: ObjectEntry[];
}

/** Roles whose pictures are read, the best first; other pictures stand among the files. */
const READ = ['mezzanine', 'access', 'master'];

/** The files of an object. Those of a document are its pages, and so are the pictures of whatever has more than one of them in a role. */
export function filesBelow(entry: ObjectEntry, { relations, pictures }: Pick<Site, 'relations' | 'pictures'>): Files {
  const files = relations.files(entry.id);
  const shown = files.filter(({ images }) => images.some((url) => Object.hasOwn(pictures, url)));
  const leaves = READ.map((role) => shown.filter((file) => file.role === role)).find((own) => own.length > 0) ?? [];
  if (leaves.length < 2 && entry.format !== 'doc') return { leaves: [], others: files };
  return { leaves, others: files.filter((file) => !leaves.includes(file)) };
}

/** One page's share of the leaves. */
export function leavesOn(page: number, leaves: ObjectEntry[], site: Site): Leaf[] {
  return slice(leaves, page).flatMap((file, i): Leaf[] => {
    const picture = shotOf(file, site);
    return picture ? [{ number: (page - 1) * PAGE_SIZE + i + 1, title: file.title, path: objectPath(file.id), picture }] : [];
  });
}

/** One segment of an interview. */
export interface Track {
  number: number;
  title: string;
  path: string;
  /** Such as `4:12`. */
  length: string | undefined;
  /** Whether its recording is in this copy. */
  playable: boolean;
  /** Whether this is the page that it stands on. */
  current: boolean;
}

export interface Playlist {
  tracks: Track[];
  count: number;
  /** The length of all segments, where each of them says its own. */
  length: string | undefined;
  /** The page where a recording begins to play. */
  start: string | undefined;
}

/** The segments of an interview that stand on one page; undefined where it has none. `current` is the segment on whose page the list stands. */
export function playlistOf(interview: string, page: number, current: string | undefined, site: Site): Playlist | undefined {
  const segments = site.relations.children(interview).filter(({ model }) => model === 'segment');
  if (segments.length === 0) return undefined;
  const shown = current === undefined ? page : Math.floor(segments.findIndex(({ id }) => id === current) / PAGE_SIZE) + 1;
  const tracks = slice(segments, shown).map(
    (segment, i): Track => ({
      number: (shown - 1) * PAGE_SIZE + i + 1,
      title: segment.title,
      path: objectPath(segment.id),
      length: segment.length === undefined ? undefined : formatDuration(segment.length),
      playable: playerOf(segment, site) !== undefined,
      current: segment.id === current,
    }),
  );
  const lengths = segments.flatMap(({ length }) => length ?? []);
  return {
    tracks,
    count: segments.length,
    length: lengths.length === segments.length ? formatDuration(lengths.reduce((sum, one) => sum + one, 0)) : undefined,
    start: tracks.find(({ playable }) => playable)?.path,
  };
}

/** The files that belong with a file: the others of its parent, those next to it where they are many. */
export function filesWith(entry: ObjectEntry, site: Site): Card[] {
  if (entry.model !== 'file' || entry.parent === undefined) return [];
  const siblings = site.relations.files(entry.parent);
  const own = siblings.indexOf(entry);
  const first = Math.max(0, own - PAGE_SIZE / 2);
  return siblings
    .slice(first, first + PAGE_SIZE + 1)
    .filter(({ id }) => id !== entry.id)
    .map((file) => cardOf(file, site));
}
