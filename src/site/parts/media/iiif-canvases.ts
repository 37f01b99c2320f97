/** What of a record an IIIF viewer can show: images, pages of a document, recordings. From the catalogue, without I/O. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { Records } from '../../../catalogue/records.ts';
import { IIIF_COLLECTION_PATH, iiifPath } from '../../../catalogue/urls.ts';
import { type CopiedFile, findPlayable, type TextExport } from '../../../derivatives/copied-files.ts';
import { firstImage } from '../../images.ts';
import type { Site } from '../../site.ts';
import { createDisplayImage, type DisplayImage } from './media-files.ts';
import { splitFiles } from './object-parts.ts';
import { findRecordingTexts } from './recording-texts.ts';

/** A recording on a canvas. `url` is that upstream; `seconds`, its duration as far as the catalogue knows it. */
export type CanvasRecording = NonNullable<ReturnType<typeof findRecording>>;

/** A file that accompanies a canvas. */
export interface CanvasFile {
  /** Title of the file's record; undefined for a file of the canvas' own record. */
  title: string | undefined;
  file: CopiedFile;
  /** Captions of the file in WebVTT, if it is in another format. */
  exported?: TextExport;
}

/** One canvas: an image or a recording. A record has at most one, and further ones for the pages of its image. */
export interface CanvasSource {
  /** The record whose content it shows. */
  entry: ListedEntry;
  /** Which page of its image it is, from 0. */
  at: number;
  /** The image; for a recording, its poster or the still image of an interview. */
  image: DisplayImage | undefined;
  recording: CanvasRecording | undefined;
  /** Captions of the recording: files that are WebVTT, or have it. */
  captions: CanvasFile[];
  /** Files to download: originals, PDF files, transcripts. */
  files: CanvasFile[];
}

/** The part of a site that canvases depend on. */
type MediaContext = Pick<Site, 'relations' | 'images' | 'tiles' | 'copiedFiles' | 'locale' | 'notices'>;

/** The media type of captions. */
export const CAPTION_TYPE = 'text/vtt';

/** Returns a record's canvases in order; of an interview, also its segments'. None if it has neither image nor recording. */
export function listCanvases(entry: ListedEntry, site: MediaContext): CanvasSource[] {
  if (entry.model !== 'entity' && entry.model !== 'segment') return [];
  const segments = [...site.relations.children(entry.id).only('segment')];
  const own = listOwnCanvases(entry, site);
  // The image of an interview is a still image of one of its segments.
  const isOnlyStill = segments.length > 0 && own.every((canvas) => canvas.entry === entry && canvas.recording === undefined);
  const parts = segments.flatMap((segment) => listOwnCanvases(segment, site));
  const listed = isOnlyStill && parts.length > 0 ? parts : [...own, ...parts];
  // Universal Viewer plays no recording beside an image. A segment without recording has only the still image of the interview.
  const hasRecordings = listed.some(({ recording }) => recording !== undefined);
  return hasRecordings ? listed.filter(({ entry: { model }, recording }) => recording || model !== 'segment') : listed;
}

/** Whether a record has an IIIF manifest. */
export function hasManifest(entry: ListedEntry, site: MediaContext): boolean {
  if (entry.model !== 'entity' && entry.model !== 'segment') return false;
  const segments = [...site.relations.children(entry.id).only('segment')];
  const hasCanvas = (part: ListedEntry) =>
    firstImage(site.notices.mediaUrls(part), site.images) !== undefined ||
    findRecording(part, site) !== undefined ||
    splitFiles(part, site).documentPages.length > 0;
  return [entry, ...segments].some(hasCanvas);
}

/** Returns the files of a record that can be downloaded, without its recording and captions. */
export function listAccompanyingFiles(entry: ListedEntry, site: MediaContext): CanvasFile[] {
  const recording = findRecording(entry, site);
  const copies = entry.mediaUrls.flatMap((url) => site.copiedFiles.get(url) ?? []);
  const own = copies.map((file): CanvasFile => ({ title: undefined, file }));
  const texts = listTexts(entry, site).filter(({ file }) => recording === undefined || file.mimetype !== CAPTION_TYPE);
  const listed = [...own, ...texts].filter(({ file }) => file.isDownloadable && file.path !== recording?.file.path);
  return [...new Map(listed.map((each) => [each.file.path, each])).values()];
}

function listOwnCanvases(entry: ListedEntry, site: MediaContext): CanvasSource[] {
  const pages = splitFiles(entry, site).documentPages.flatMap(({ file, at }): CanvasSource[] => {
    const image = createDisplayImage(file, site, at);
    const files = at === 0 ? listAccompanyingFiles(file, site) : [];
    return image ? [{ entry: file, at, image, recording: undefined, captions: [], files }] : [];
  });
  const recording = findRecording(entry, site);
  const image = createDisplayImage(entry, site);
  if (!recording && (pages.length > 0 || !image)) return pages;
  const captions = recording ? listTexts(entry, site).flatMap(captionsOf) : [];
  return [{ entry, at: 0, image, recording, captions, files: listAccompanyingFiles(entry, site) }, ...pages];
}

/** Returns a text as WebVTT, as it was received or exported; none if it has no times, or is an index, which becomes ranges. */
function captionsOf({ title, file }: CanvasFile): CanvasFile[] {
  if (file.mimetype === CAPTION_TYPE) return file.exports?.some(({ kind }) => kind === 'index') ? [] : [{ title, file }];
  const exported = file.exports?.filter(({ kind, format }) => format === 'WebVTT' && kind !== 'index') ?? [];
  return exported.map((each) => ({ title, file, exported: each }));
}

/** Returns the transcripts of a record; glossaries too, which are not captions, if they are not WebVTT. */
function listTexts(entry: ListedEntry, site: MediaContext): CanvasFile[] {
  return findRecordingTexts(entry, site).flatMap(({ title, file, isGlossary }): CanvasFile[] =>
    file?.isDownloadable && !(isGlossary && file.mimetype === CAPTION_TYPE) ? [{ title, file }] : [],
  );
}

/** Returns a record's recording; undefined if the site has no playable one, or if the duration for its canvas is unknown. */
function findRecording(entry: ListedEntry, { copiedFiles }: MediaContext) {
  const found = findPlayable(entry.media, copiedFiles);
  const seconds = found?.file.waveform?.seconds ?? entry.durationSeconds;
  return found && found.file.size > 0 && seconds !== undefined && seconds > 0 ? { ...found, seconds } : undefined;
}

/** What decides whether pages link to IIIF resources. */
type LinkContext = MediaContext & Pick<Site, 'siteUrl' | 'kiosk'>;

/** Returns the URL of a record's IIIF manifest, or of a collection's IIIF Collection; undefined if there is none. */
export function iiifUrl(entry: ListedEntry, site: LinkContext): string | undefined {
  const { siteUrl, kiosk } = site;
  if (siteUrl === undefined || kiosk) return undefined;
  if (hasManifest(entry, site)) return new URL(iiifPath(entry.id, 'manifest.json'), siteUrl).href;
  const isShown =
    entry.model === 'collection' && Iterator.from(site.relations.children(entry.id)).some((child) => hasManifest(child, site));
  return isShown ? new URL(iiifPath(entry.id, 'collection.json'), siteUrl).href : undefined;
}

/** Returns the URL of the IIIF Collection of the archive; undefined if there is none. */
export function iiifTopUrl(objects: Records, site: LinkContext): string | undefined {
  const { siteUrl, kiosk } = site;
  if (siteUrl === undefined || kiosk || !Iterator.from(objects.allListed()).some((entry) => hasManifest(entry, site)))
    return undefined;
  return new URL(IIIF_COLLECTION_PATH, siteUrl).href;
}
