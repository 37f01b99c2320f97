/** The context of a record's page: what the page shows in addition to its own record. It is part of the page key. */

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

/** Models with citations. A file is cited as the item that it belongs to. */
export const CITED: ReadonlySet<string> = new Set(['collection', 'entity', 'segment']);

/** What a page shows in addition to its own record. Equal contexts and equal bodies give equal pages. */
export interface ObjectContext {
  entry: ObjectEntry;
  /** From 1. */
  page: number;
  /** The number of pages. */
  pages: number;
  trail: Crumb[];
  picture: Shot | undefined;
  /** The images of a document's pages, as far as they are on this page. */
  leaves: Leaf[];
  leafCount: number;
  /** The segments of the interview, or of the interview that the segment belongs to. */
  playlist: Playlist | undefined;
  player: Player | undefined;
  /** Whether the recording is an empty file upstream. */
  hasEmptyRecording: boolean;
  readings: Reading[];
  /** Files that can be downloaded. */
  downloads: Download[];
  /** For a file record: sentences about the fixity of the file. */
  fixity: string | undefined;
  /** The children that are not segments, as far as they are on this page. */
  children: Card[];
  childCount: number;
  files: Card[];
  fileCount: number;
  /** For a file record: the other files of its parent. */
  siblings: Card[];
  /** Other interviews with the same narrators. */
  interviews: Card[];
  previous: Crumb | undefined;
  next: Crumb | undefined;
  /** Guide pages that mention this record. */
  guide: Crumb[];
  /** Records that have something in common with this one. */
  related: Card[];
  /** IDs that the record mentions and that have a page. */
  known: string[];
}

/** Returns the context of one page of a record. */
export function objectContext(entry: ObjectEntry, page: number, site: Site): ObjectContext {
  const { relations } = site;
  const isFirst = page === 1;
  const children = relations.children(entry.id).filter(({ model }) => model !== 'segment');
  const { leaves, others } = filesBelow(entry, site);
  const image = leaves.length > 0 ? undefined : shotOf(entry, site);
  const link = (other: ObjectEntry | undefined): Crumb | undefined => other && { label: other.title, path: objectPath(other.id) };
  const { previous, next } = relations.neighbours(entry);
  const cards = (entries: ObjectEntry[]) => entries.map((other) => cardFor(other, site));
  return {
    entry,
    page,
    pages: pagesOf(entry, site),
    trail: trailOf(entry, relations, site.edition),
    picture: image,
    leaves: leavesOn(page, leaves, site),
    leafCount: leaves.length,
    playlist: playlistFor(entry, page, site),
    player: isFirst ? playerOf(entry, site) : undefined,
    hasEmptyRecording: isFirst && isEmptyRecording(entry, site),
    readings: isFirst ? readingsOf(entry, site) : [],
    downloads: isFirst ? downloadsOf(entry, image, site) : [],
    fixity: isFirst ? fixityFor(entry, site) : undefined,
    children: cards(slice(children, page)),
    childCount: children.length,
    files: cards(slice(others, page)),
    fileCount: others.length,
    siblings: isFirst ? filesWith(entry, site) : [],
    interviews: isFirst ? cards(relations.otherInterviews(entry).slice(0, MAX_INTERVIEWS)) : [],
    previous: link(previous),
    next: link(next),
    related: isFirst && CITED.has(entry.model) ? cards(relations.related(entry)) : [],
    guide: relations.articlesOn(entry.id).map((article) => ({ label: article.title, path: articlePath(article.slug) })),
    known: entry.mentions.filter((id) => relations.object(id)),
  };
}

const MAX_INTERVIEWS = 24;

/** Returns the number of pages of a record: that of its longest list. */
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

/** Returns the record's media files that can be downloaded: image, recordings, transcript, original. */
function downloadsOf(entry: ObjectEntry, image: Shot | undefined, site: Site): Download[] {
  const files = entry.media.flatMap(({ url }) => mirroredAt(url, site) ?? []).flatMap((file) => downloadOf(file, site) ?? []);
  return image?.download ? [image.download, ...files] : files;
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
