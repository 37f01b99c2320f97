/** What an object's page shows beside its own record: it decides whether the page must be rendered again. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Relations } from '../../catalogue/relations.ts';
import { articlePath, COLLECTIONS, objectPath } from '../../catalogue/urls.ts';
import type { Edition } from '../language/edition.ts';
import type { Site } from '../site.ts';
import type { Card } from './card.ts';
import { cardFor } from './collections.ts';
import { type Download, downloadOf, fixityOf, mirroredAt, type Shot, shotOf } from './files.ts';
import { type Crumb, crumbsAbove, pageCount, slice } from './page.ts';
import { filesBelow, filesWith, type Leaf, leavesOn, type Playlist, playlistOf } from './parts.ts';
import { isEmptyRecording, type Player, playerOf, type Reading, readingsOf } from './recording.ts';

/** Models that are items of the archive: a file is cited as the item that it belongs to. */
export const CITED: ReadonlySet<string> = new Set(['collection', 'entity', 'segment']);

/** All that a page shows beside its own record. Two equal contexts over the same body make the same page. */
export interface ObjectContext {
  entry: ObjectEntry;
  page: number;
  pages: number;
  trail: Crumb[];
  picture: Shot | undefined;
  /** The pages of a document, this page's share of them. */
  leaves: Leaf[];
  leafCount: number;
  /** The segments of an interview: below it, or around a segment. */
  playlist: Playlist | undefined;
  player: Player | undefined;
  /** Whether what should play has not a single byte, in the living archive too. */
  hasEmptyRecording: boolean;
  readings: Reading[];
  /** What else can be downloaded. */
  downloads: Download[];
  /** Of a file: what is known of the bytes of this copy. */
  fixity: string | undefined;
  /** The parts that are no segments. */
  children: Card[];
  childCount: number;
  files: Card[];
  fileCount: number;
  /** The other files of what a file belongs to. */
  siblings: Card[];
  /** Other interviews with who speaks in this one. */
  interviews: Card[];
  previous: Crumb | undefined;
  next: Crumb | undefined;
  guide: Crumb[];
  /** Other objects that have something in common with this one. */
  related: Card[];
  /** Those of the ids that the record mentions which have a page. */
  known: string[];
}

export function objectContext(entry: ObjectEntry, page: number, site: Site): ObjectContext {
  const { relations } = site;
  const first = page === 1;
  const parts = relations.children(entry.id).filter(({ model }) => model !== 'segment');
  const { leaves, others } = filesBelow(entry, site);
  const picture = leaves.length > 0 ? undefined : shotOf(entry, site);
  const link = (other: ObjectEntry | undefined): Crumb | undefined => other && { label: other.title, path: objectPath(other.id) };
  const { previous, next } = relations.neighbours(entry);
  const cards = (entries: ObjectEntry[]) => entries.map((other) => cardFor(other, site));
  return {
    entry,
    page,
    pages: pagesOf(entry, site),
    trail: trailOf(entry, relations, site.edition),
    picture,
    leaves: leavesOn(page, leaves, site),
    leafCount: leaves.length,
    playlist: playlistFor(entry, page, site),
    player: first ? playerOf(entry, site) : undefined,
    hasEmptyRecording: first && isEmptyRecording(entry, site),
    readings: first ? readingsOf(entry, site) : [],
    downloads: first ? downloadsOf(entry, picture, site) : [],
    fixity: first ? fixityFor(entry, site) : undefined,
    children: cards(slice(parts, page)),
    childCount: parts.length,
    files: cards(slice(others, page)),
    fileCount: others.length,
    siblings: first ? filesWith(entry, site) : [],
    interviews: first ? cards(relations.otherInterviews(entry).slice(0, MOST_INTERVIEWS)) : [],
    previous: link(previous),
    next: link(next),
    related: first && CITED.has(entry.model) ? cards(relations.related(entry)) : [],
    guide: relations.articlesOn(entry.id).map((article) => ({ label: article.title, path: articlePath(article.slug) })),
    known: entry.mentions.filter((id) => relations.object(id)),
  };
}

const MOST_INTERVIEWS = 24;

/** How many pages an object has: as many as the longest of its lists. */
export function pagesOf(entry: ObjectEntry, site: Pick<Site, 'relations' | 'pictures'>): number {
  const children = site.relations.children(entry.id);
  const segments = children.filter(({ model }) => model === 'segment').length;
  const { leaves, others } = filesBelow(entry, site);
  return Math.max(...[segments, children.length - segments, leaves.length, others.length].map(pageCount));
}

function playlistFor(entry: ObjectEntry, page: number, site: Site): Playlist | undefined {
  if (entry.model !== 'segment') return playlistOf(entry.id, page, undefined, site);
  return entry.parent === undefined || page > 1 ? undefined : playlistOf(entry.parent, 1, entry.id, site);
}

/** Files of the record that are in this copy: its picture as it was received, its recordings, its text, its original. */
function downloadsOf(entry: ObjectEntry, picture: Shot | undefined, site: Site): Download[] {
  const files = entry.media.flatMap(({ url }) => mirroredAt(url, site) ?? []).flatMap((file) => downloadOf(file, site) ?? []);
  return picture?.download ? [picture.download, ...files] : files;
}

function fixityFor({ model, images }: ObjectEntry, site: Site): string | undefined {
  const file = model === 'file' ? images.flatMap((url) => mirroredAt(url, site) ?? [])[0] : undefined;
  return file && fixityOf(file, site);
}

function trailOf(entry: ObjectEntry, relations: Relations, { t }: Edition): Crumb[] {
  return [
    { label: t.sections.collections, path: COLLECTIONS },
    ...crumbsAbove(entry, relations),
    { label: entry.title, path: undefined },
  ];
}
