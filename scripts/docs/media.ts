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
  const image = `as an image${decoder === 'sharp' ? '' : `, with ${decoder === 'libvips' ? 'libvips or ffmpeg' : decoder}`}`;
  const recording = plays ? 'with a player' : 'with a player after `media --derivatives web`, else as a link';
  const shown = decoder ? image : demuxer ? recording : reader && !note ? 'as paragraphs' : undefined;
  const exported = format.exported ?? (decoder || plays ? 'IIIF' : demuxer ? 'MP4' : '');
  return [[shown, note].filter(Boolean).join('; '), format.searched ?? '', exported].join(' | ');
}
