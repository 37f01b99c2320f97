/** Media files as pages offer them: images to zoom, and files to download. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { CopiedFile } from '../../../derivatives/copied-files.ts';
import { pageKey } from '../../../derivatives/iiif.ts';
import { ALGORITHM_NAMES } from '../../../model/media/fixity.ts';
import { encloseInMarks } from '../../../model/text/isolate.ts';
import { isTextType } from '../../../model/transcripts/read-transcript.ts';
import type { Site } from '../../site.ts';

/** Media types that all current browsers show as an image. */
const DISPLAYABLE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/** A file that a reader can download. */
export type Download = NonNullable<ReturnType<typeof createDownload>>;

/** The image on a record's own page. */
export type DisplayImage = NonNullable<ReturnType<typeof createDisplayImage>>;

type MediaContext = Pick<Site, 'images' | 'tiles' | 'copiedFiles' | 'locale' | 'notices'>;

/** Returns the image for a record's own page, or that of one of its pages, from 0; undefined if none is available. */
export function createDisplayImage(entry: Pick<ListedEntry, 'id' | 'mediaUrls'>, site: MediaContext, at?: number) {
  const urls = site.notices.mediaUrls(entry);
  const url = urls.find((candidate) => site.images.get(candidate));
  if (url === undefined) return undefined;
  const whole = site.images.get(url);
  const images = at === undefined || !whole?.pages ? whole : site.images.get(pageKey(url, at));
  if (!images) return undefined;
  // The image of a PDF or a video shows only a part of it. The file itself is offered elsewhere on the page.
  const received = site.copiedFiles.get(url);
  const file = received?.mimetype.startsWith('image/') && !at ? received : undefined;
  const download = file && createDownload(file, site);
  const tiles = at ? site.tiles.get(pageKey(url, at)) : urls.map((each) => site.tiles.get(each)).find(Boolean);
  const larger = images.thumb.path === images.page.path ? undefined : images.page.path;
  return {
    ...images.page,
    thumbnail: images.thumb,
    isMoving: images.isMoving,
    /** The URL upstream. */
    url,
    /** The path of the largest image that browsers can show, for the viewer; undefined without a larger one. */
    largest: download && DISPLAYABLE.has(file.mimetype) ? download.path : larger,
    /** The image as received. */
    download,
    /** The same, if it is a JPEG file, which every IIIF viewer shows. */
    jpeg: download && file.mimetype === 'image/jpeg' && file.pixels ? { path: download.path, ...file.pixels } : undefined,
    /** The tiles of the image or its original. */
    tiles: tiles && { ...tiles, path: `${site.locale.rootPath}${tiles.path}` },
  };
}

/** Returns sentences on a file's fixity: SHA-256, declared checksums that were verified, and what metadata was removed. */
export function describeFileFixity({ sha256, verifiedAlgorithms, removed }: CopiedFile, { locale }: Site): string {
  const { t } = locale;
  const names = verifiedAlgorithms.map((algorithm) => ALGORITHM_NAMES[algorithm]).join(', ');
  return [
    t.object.checksum(sha256),
    ...(names ? [t.object.verified(names)] : []),
    ...(removed ? [t.object.stripped[removed]] : []),
  ].join(' ');
}

/** Returns the download of a file, whose name shows its type if none is given; undefined if the site does not offer it. */
export function createDownload(
  { path, mimetype, size, isDownloadable }: Pick<CopiedFile, 'path' | 'mimetype' | 'size' | 'isDownloadable'>,
  { locale }: Pick<Site, 'locale'>,
  type = path.slice(path.lastIndexOf('.') + 1).toUpperCase(),
) {
  if (!isDownloadable) return undefined;
  const { download, downloads } = locale.t.object;
  const kind = downloadKind(mimetype);
  const format = `${type}, ${encloseInMarks(locale.formatBytes(size))}`;
  return {
    kind,
    /** Its type and size, such as “JPG, 240 KB”. */
    format,
    /** In the site, from the top of the locale's pages. */
    path: `${locale.rootPath}${path}`,
    /** What it is and its type and size, such as “Download image (JPG, 240 KB)”. */
    label: download(downloads[kind], format),
    isRecording: /^(?:audio|video)\//.test(mimetype),
    /** In bytes. */
    size,
  };
}

function downloadKind(mimetype: string): 'image' | 'video' | 'audio' | 'text' | 'file' {
  const [, kind] = /^(image|video|audio|text)\//.exec(mimetype) ?? [];
  return (
    (kind as 'image' | 'video' | 'audio' | 'text' | undefined) ??
    (mimetype === 'application/pdf' || isTextType(mimetype) ? 'text' : 'file')
  );
}
