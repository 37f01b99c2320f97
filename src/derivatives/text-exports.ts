/** Writes what a transcript says in formats in which it was not received: captions and indexes as WebVTT, indexes as OHMS XML. */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPosition } from '../model/coordinates.ts';
import { formatOf } from '../model/media/formats.ts';
import { INDEX_LANGUAGES, indexText, pointTitle } from '../model/transcripts/index-points.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
import { formatOhms, formatVtt } from '../model/transcripts/write-transcript.ts';
import type { Store } from '../snapshot/store.ts';
import type { CopiedFile, IndexedPlace, TextExport } from './copied-files.ts';
import type { DerivativeCache } from './derivative-cache.ts';
import { readFileTexts } from './read-text.ts';
import type { ShownFile } from './shown-files.ts';

/** The list of what was written, in the directory with it. */
const LIST = 'list.json';

/**
 * Sets `exports` and `places` of a transcript, if it has any. Returns their files on disk by their paths in the site.
 * @throws {Error} if the transcript cannot be read
 */
export async function exportTexts(
  transcript: CopiedFile,
  { sha256, owner: id }: Pick<ShownFile, 'sha256' | 'owner'>,
  store: Pick<Store, 'dir' | 'filter'>,
  cache: DerivativeCache,
): Promise<Map<string, string>> {
  const { mimetype, charset, path } = transcript;
  const list = () => {
    const texts = readFileTexts(transcript, store);
    return { exports: listExports(texts, mimetype), places: texts.flatMap(listPlaces) };
  };
  // What is withheld now may not have been then.
  const redacted = store.filter?.redactText && list();
  const settings = { recipe: 3, mimetype, charset, redacted: redacted && hash('sha256', JSON.stringify(redacted)) };
  const { file: directory } = await cache.getOrCreate(sha256, settings, '.texts', async (to) => {
    await mkdir(to);
    const { exports, places } = redacted ?? list();
    const made = exports.map(({ content, ...each }) => {
      writeFileSync(join(to, each.name), content);
      return { ...each, size: Buffer.byteLength(content) };
    });
    writeFileSync(join(to, LIST), JSON.stringify({ made, places }));
  });
  const { made, places } = JSON.parse(readFileSync(join(directory, LIST), 'utf8')) as Made;
  const pathOf = (name: string) => `${path.replace(/(\.(?:xml|ttml))\.txt$/, '$1')}.${name}`;
  if (made.length > 0) transcript.exports = made.map(({ name, ...each }) => ({ ...each, path: pathOf(name) }));
  if (places.length > 0) transcript.places = places.map((place) => ({ ...place, id }));
  return new Map(made.map(({ name }) => [pathOf(name), join(directory, name)]));
}

/** What the list has. */
interface Made {
  made: Array<Omit<TextExport, 'path'> & { name: string }>;
  places: Array<Omit<IndexedPlace, 'id'>>;
}

/** Returns the places of an index. One without a name has that of its point. */
function listPlaces({ index }: TranscriptText): Made['places'] {
  return (index?.points ?? []).flatMap((point) =>
    point.places.flatMap((place) => {
      const { position } = readPosition(place['gps'], undefined);
      const names = INDEX_LANGUAGES.map((language) => indexText(place, 'gps_text', language) || pointTitle(point, language));
      return position ? [{ ...position, start: point.start, name: names.find(Boolean) ?? '' }] : [];
    }),
  );
}

/** Returns what is written of the texts of a file. The names are endings: none is XML, which a browser might run. */
function listExports(texts: readonly TranscriptText[], mimetype: string) {
  return texts.flatMap(({ cues, kind, index }, text) => {
    const same = texts.slice(0, text).filter((other) => other.kind === kind).length;
    const name = `${kind ?? 'captions'}${same === 0 ? '' : `-${same + 1}`}.vtt`;
    const about = { ...(kind && { kind }), text };
    const isExported = cues.length > 0 && mimetype !== 'text/vtt';
    const vtt = isExported ? [{ name, format: 'WebVTT' as const, ...about, content: formatVtt(cues, kind) }] : [];
    if (!index || formatOf(mimetype)?.reader === 'ohms') return vtt;
    return [...vtt, { name: 'ohms.txt', format: 'OHMS XML' as const, ...about, content: formatOhms(index) }];
  });
}
