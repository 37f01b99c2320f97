/** Media files as pages offer them: images to zoom, and files to download. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Tiles } from '../../derivatives/iiif.ts';
import type { MirroredFile } from '../../derivatives/mirrored.ts';
import { ALGORITHM_NAMES } from '../../model/fixity.ts';
import { type Picture, pictureOf } from '../pictures.ts';
import type { Site } from '../site.ts';

/** Media types that all current browsers show as an image. */
const DISPLAYABLE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/** A file that a reader can download. */
export interface Download {
  /** Path in the site, from the top of the locale's pages. */
  path: string;
  /** Such as “JPG, 240 KB”. */
  label: string;
  /** Whether it is a recording: audio or video. */
  recorded: boolean;
}

/** The image on a record's own page. */
export interface Shot extends Picture {
  /** The path of the largest image that browsers can show, for the viewer; undefined without a larger one. */
  largest: string | undefined;
  /** The image as received. */
  download: Download | undefined;
  /** The tiles of the image or its original. */
  tiles: Tiles | undefined;
}

type Shown = Pick<Site, 'pictures' | 'tiles' | 'mirrored' | 'edition'>;

/** Returns the tiles of a record's first image that has any. */
function tilesOf({ images }: Pick<ObjectEntry, 'images'>, { tiles, edition: locale }: Shown): Tiles | undefined {
  const url = images.find((candidate) => Object.hasOwn(tiles, candidate));
  const found = url === undefined ? undefined : tiles[url];
  return found && { ...found, path: `${locale.root}${found.path}` };
}

/** Returns the image for a record's own page; undefined if none is available. */
export function shotOf(entry: Pick<ObjectEntry, 'images'>, site: Shown): Shot | undefined {
  const url = entry.images.find((candidate) => pictureOf([candidate], site.pictures));
  const image = url === undefined ? undefined : pictureOf([url], site.pictures)?.page;
  if (url === undefined || !image) return undefined;
  // The image of a PDF or a video shows only a part of it. The file itself is offered elsewhere on the page.
  const received = mirroredAt(url, site);
  const file = received?.mimetype.startsWith('image/') ? received : undefined;
  const download = file && downloadOf(file, site);
  const larger = pictureOf([url], site.pictures)?.thumb.path === image.path ? undefined : image.path;
  return {
    ...image,
    largest: download && DISPLAYABLE.has(file.mimetype) ? download.path : larger,
    download,
    tiles: tilesOf(entry, site),
  };
}

/** Returns the media file that was downloaded from a URL upstream; undefined if none was. */
export function mirroredAt(url: string, { mirrored }: Pick<Site, 'mirrored'>): MirroredFile | undefined {
  return Object.hasOwn(mirrored, url) ? mirrored[url] : undefined;
}

/** Returns sentences about a file's fixity: its SHA-256, and the declared checksums that were verified. */
export function fixityOf({ sha256, proven }: MirroredFile, { edition: locale }: Pick<Site, 'edition'>): string {
  const { t } = locale;
  const names = proven.map((algorithm) => ALGORITHM_NAMES[algorithm]).join(', ');
  return [t.object.checksum(sha256), ...(names ? [t.object.verified(names)] : [])].join(' ');
}

/** Returns the download of a file; undefined if the site does not offer it. */
export function downloadOf(
  { path, mimetype, size, offered }: MirroredFile,
  { edition: locale }: Pick<Site, 'edition'>,
): Download | undefined {
  const type = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
  return offered
    ? { path: `${locale.root}${path}`, label: `${type}, ${locale.bytes(size)}`, recorded: /^(?:audio|video)\//.test(mimetype) }
    : undefined;
}
