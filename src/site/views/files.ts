/** The files of the mirror as pages offer them: pictures to look into, recordings to play, files to download. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Tiles } from '../../derivatives/iiif.ts';
import type { MirroredFile } from '../../derivatives/mirrored.ts';
import { ALGORITHM_NAMES } from '../../model/fixity.ts';
import { type Picture, pictureOf } from '../pictures.ts';
import type { Site } from '../site.ts';

/** Types that every browser of today shows as a picture. */
const SHOWN: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/** A file that a reader may keep. */
export interface Download {
  path: string;
  /** Such as “JPG, 240 KB”. */
  label: string;
  /** Whether it is a sound or a video. */
  recorded: boolean;
}

/** A picture of a record's own page. */
export interface Shot extends Picture {
  /** The path of the largest picture that a browser can show, to look into; undefined where there is no larger one. */
  largest: string | undefined;
  /** The picture as it was received. */
  download: Download | undefined;
  /** The same, or its original, tile by tile. */
  tiles: Tiles | undefined;
}

type Shown = Pick<Site, 'pictures' | 'tiles' | 'mirrored' | 'edition'>;

/** The tiles of a record's first picture that has some. */
function tilesOf({ images }: Pick<ObjectEntry, 'images'>, { tiles, edition: locale }: Shown): Tiles | undefined {
  const url = images.find((one) => Object.hasOwn(tiles, one));
  const found = url === undefined ? undefined : tiles[url];
  return found && { ...found, path: `${locale.root}${found.path}` };
}

/** The picture of a record's own page; undefined where there is none. */
export function shotOf(entry: Pick<ObjectEntry, 'images'>, site: Shown): Shot | undefined {
  const url = entry.images.find((one) => pictureOf([one], site.pictures));
  const picture = url === undefined ? undefined : pictureOf([url], site.pictures)?.page;
  if (url === undefined || !picture) return undefined;
  // Of a PDF or a video the picture is only a part: the file itself is offered as what it is.
  const received = mirroredAt(url, site);
  const file = received?.mimetype.startsWith('image/') ? received : undefined;
  const download = file && downloadOf(file, site);
  const larger = pictureOf([url], site.pictures)?.thumb.path === picture.path ? undefined : picture.path;
  return {
    ...picture,
    largest: download && SHOWN.has(file.mimetype) ? download.path : larger,
    download,
    tiles: tilesOf(entry, site),
  };
}

/** The file that was received from an address upstream. */
export function mirroredAt(url: string, { mirrored }: Pick<Site, 'mirrored'>): MirroredFile | undefined {
  return Object.hasOwn(mirrored, url) ? mirrored[url] : undefined;
}

/** What is known of a file's bytes: their SHA-256, and which of the archive's own checksums they agreed with. */
export function fixityOf({ sha256, proven }: MirroredFile, { edition: locale }: Pick<Site, 'edition'>): string {
  const { t } = locale;
  const names = proven.map((algorithm) => ALGORITHM_NAMES[algorithm]).join(', ');
  return [t.object.checksum(sha256), ...(names ? [t.object.verified(names)] : [])].join(' ');
}

/** Where a file can be had; undefined for one that is not handed out. */
export function downloadOf(
  { path, mimetype, size, offered }: MirroredFile,
  { edition: locale }: Pick<Site, 'edition'>,
): Download | undefined {
  const type = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
  return offered
    ? { path: `${locale.root}${path}`, label: `${type}, ${locale.bytes(size)}`, recorded: /^(?:audio|video)\//.test(mimetype) }
    : undefined;
}
