/** A photograph with metadata, and a file without them. */
import { copyFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { findMetadata, writePatches } from '../../src/derivatives/embedded-metadata.ts';
import type { Removed } from '../../src/derivatives/tiff-metadata.ts';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 exif:GPSLatitude="60,10.5N" dc:format="image/jpeg"><exif:GPSLongitude>24,56.25E</exif:GPSLongitude>
<dc:rights>Rights of the museum</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Returns an image with a position, an orientation and a name in its metadata. */
export const createPhotograph = (): Sharp =>
  sharp({ create: { width: 48, height: 32, channels: 3, background: '#a52' } })
    .withExif({
      IFD0: { Artist: 'A. Photographer', Copyright: 'Museum' },
      IFD2: { DateTimeOriginal: '1988:08:10 12:00:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 4242/77', GPSLongitudeRef: 'E', GPSLongitude: '24/1 56/1 1717/33' },
    })
    .withXmp(XMP)
    .withMetadata({ orientation: 6 });

/** Removes metadata from a copy of a file, which must then have no position. Returns the copy. */
export function stripMetadata(file: string, mimetype: string, removed: Removed): string {
  const copy = `${file}.${removed}`;
  copyFileSync(file, copy);
  writePatches(copy, findMetadata(file, mimetype, removed));
  expect(findMetadata(copy, mimetype, 'location')).toEqual([]);
  return copy;
}
