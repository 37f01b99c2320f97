/** Writes the table of formats in docs/media.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS, type Format } from '../../src/model/media/formats.ts';

/** Path of docs/media.md. */
export const MEDIA = join(import.meta.dirname, '../../docs/media.md');

const TABLE = /(?<=<!-- formats: .* -->\n)[\s\S]*(?=<!-- end of formats -->)/;
const HEAD = '| format | kept | shown | searched | exported |\n| --- | --- | --- | --- | --- |\n';

/** Returns the text of docs/media.md, with the formats as they are. Those of which the same is true share a row. */
export function mediaText(): string {
  const rows = [...Map.groupBy(FORMATS, describe)].map(
    ([cells, formats]) => `| ${formats.map(({ name }) => name).join(', ')} | yes | ${cells} |\n`,
  );
  return readFileSync(MEDIA, 'utf8').replace(TABLE, () => HEAD + rows.join(''));
}

function describe(format: Format): string {
  const { decoder, plays, demuxer, reader, note } = format;
  const isImage = decoder !== undefined;
  const recording = plays ? 'with a player' : 'with a player after `media --derivatives web`, else as a link';
  const image =
    decoder === 'sharp' ? 'as an image' : `as an image, with ${decoder === 'libvips' ? 'libvips or ffmpeg' : decoder}`;
  const shown = isImage ? image : demuxer !== undefined ? recording : reader && !note ? 'as paragraphs' : undefined;
  const exported = format.exported ?? (isImage || plays ? 'IIIF' : demuxer === undefined ? '' : 'MP4');
  return [[shown, note].filter(Boolean).join('; '), format.searched ?? '', exported].join(' | ');
}
