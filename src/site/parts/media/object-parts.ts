/** The parts of an item: pages of a document, segments of an interview, other files. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { formatDuration } from '../../../platform/quantities.ts';
import { shortTitle } from '../../fields/record-title.ts';
import { firstImage } from '../../images.ts';
import type { Site } from '../../site.ts';
import { textLang, titleLang } from '../../text/text-lang.ts';
import { type Card, createCard } from '../cards/card.ts';
import { PAGE_SIZE, pageSlice } from '../frame/page-parts.ts';
import { createDisplayImage } from './media-files.ts';
import { createPlayer } from './recording.ts';

/** The image of one page of a document. */
export type DocumentPage = ReturnType<typeof createDocumentPages>[number];

/** File roles whose images are shown as pages, the best first. Images of other roles are listed as files. */
const PAGE_ROLES = ['mezzanine', 'access', 'master'];

/** A page of a document: a file, and which of its pages, from 0. The file is the record itself if that has its pages. */
export interface Leaf {
  file: ListedEntry;
  at: number;
}

/**
 * Divides a record's files into ordered pages, and others. Pages are a document's images, several images of one role, or those of
 * an image that has several.
 */
export function splitFiles(entry: ListedEntry, { relations, images, notices }: Pick<Site, 'relations' | 'images' | 'notices'>) {
  const files = [...relations.files(entry.id)];
  const shown = files.filter(({ mediaUrls }) => firstImage(mediaUrls, images) !== undefined);
  const chosen = PAGE_ROLES.map((role) => shown.filter((file) => file.role === role)).find((own) => own.length > 0) ?? [];
  const pagesOf = (file: ListedEntry): Leaf[] =>
    Array.from({ length: firstImage(notices.mediaUrls(file), images)?.pages ?? 1 }, (_, at) => ({ file, at }));
  const documentPages = chosen.flatMap(pagesOf);
  if (documentPages.length > 1 || (chosen.length > 0 && entry.format === 'doc'))
    return { documentPages, others: files.filter((file) => !chosen.includes(file)) };
  const own = entry.media.some(({ kind }) => kind !== 'transcript') ? [] : pagesOf(entry);
  return { documentPages: own.length > 1 ? own : [], others: files };
}

/** Returns the document pages that are on one page of a record, numbered from 1, with their images in the strip of pages. */
export function createDocumentPages(page: number, leaves: Leaf[], site: Site) {
  return pageSlice(leaves, page).flatMap(({ file, at }, i) => {
    const image = createDisplayImage(file, site, at);
    const number = (page - 1) * PAGE_SIZE + i + 1;
    const lang = textLang(file.title, site, file);
    return image ? [{ number, title: file.title, lang, path: objectPath(file.id), image }] : [];
  });
}

/** The segments of an interview. */
export type Playlist = NonNullable<ReturnType<typeof createPlaylist>>;

/** A segment in the ribbon of its interview. `isCurrent` says whether it is the one whose page shows the ribbon. */
export type RibbonBlock = ReturnType<typeof createRibbon>[number];

/** Segments before and after its own that the page of a segment lists. */
const NEIGHBORS = 3;

/**
 * Returns the segments of an interview that a page shows; undefined if there are none. The page of a segment, `current`, shows
 * those next to it.
 */
export function createPlaylist(interview: string, page: number, current: string | undefined, site: Site) {
  const segments = [...site.relations.children(interview).only('segment')];
  if (segments.length === 0) return undefined;
  const own = segments.findIndex(({ id }) => id === current);
  const first = own < 0 ? (page - 1) * PAGE_SIZE : Math.max(0, own - NEIGHBORS);
  const shown = segments.slice(first, own < 0 ? first + PAGE_SIZE : own + NEIGHBORS + 1);
  const tracks = shown.map((segment, i) => {
    const isPlayable = createPlayer(segment, site) !== undefined;
    return {
      /** From 1. */
      number: first + i + 1,
      title: shortTitle(segment, site),
      lang: titleLang(segment, site),
      path: objectPath(segment.id),
      /** Such as `4:12`. */
      duration: segment.durationSeconds === undefined ? undefined : formatDuration(segment.durationSeconds),
      isPlayable,
      isMissing: !isPlayable && isRecordingMissing(segment, site),
      /** Whether it is the segment whose page shows the list. */
      isCurrent: segment.id === current,
    };
  });
  const ribbon = createRibbon(segments, current, site);
  const last = ribbon[ribbon.length - 1];
  return {
    /** The segments on this page. */
    tracks,
    /** The number of all segments. */
    count: segments.length,
    /** The total length, if the length of every segment is known. */
    duration: last && formatDuration(last.start + last.length),
    /** The path of the first segment on this page that can be played. */
    start: tracks.find(({ isPlayable }) => isPlayable)?.path,
    /** The page with all segments, if this one has only those next to its own. */
    all: own >= 0 && tracks.length < segments.length ? objectPath(interview) : undefined,
    /** All segments, one after the other, if the length of each is known. */
    ribbon: segments.length > 1 ? ribbon : [],
  };
}

/** Returns all segments with their starts and lengths, in seconds; none if the length of one is unknown. */
function createRibbon(segments: readonly ListedEntry[], current: string | undefined, site: Site) {
  let end = 0;
  const blocks = segments.flatMap((segment) => {
    if (segment.durationSeconds === undefined) return [];
    const start = end;
    end += segment.durationSeconds;
    const isCurrent = segment.id === current;
    return [{ path: objectPath(segment.id), title: shortTitle(segment, site), isCurrent, start, length: end - start }];
  });
  return blocks.length === segments.length ? blocks : [];
}

/** Whether a record lists recordings, for streaming only or none of which is in the site. */
function isRecordingMissing({ media, streamOnlyUrls }: ListedEntry, site: Site): boolean {
  const recordings = media.filter(({ kind }) => kind !== 'transcript');
  return streamOnlyUrls.length > 0 || (recordings.length > 0 && recordings.every(({ url }) => !site.copiedFiles.get(url)));
}

/** Returns the other files of a file's parent; if there are many, those next to it. */
export function siblingFileCards(entry: ListedEntry, site: Site): Card[] {
  if (entry.model !== 'file' || entry.parent === undefined) return [];
  const siblings = site.relations.files(entry.parent);
  const own = siblings.indexOf(entry.id);
  const first = Math.max(0, own - PAGE_SIZE / 2);
  return siblings
    .slice(first, first + PAGE_SIZE + 1)
    .filter(({ id }) => id !== entry.id)
    .map((file) => createCard(file, site));
}
