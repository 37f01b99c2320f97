/** Adds what only ffmpeg and Poppler can extract from media files: waveforms of audio files, and the text of PDF transcripts. */
import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import type { NamedFile } from '../model/media.ts';
import { createCache } from './cache.ts';
import { type MirroredFile, playedOf } from './mirrored.ts';
import { pdfText } from './pdf-text.ts';
import { enterProblem, type Problems } from './problems.ts';
import type { ShownFile } from './shown-files.ts';
import { waveOf } from './waves.ts';

/** Sets `wave` and `words` in `mirrored`. Returns the files for which this failed. `cacheDirectory` is that of the derivative cache. */
export async function describeFiles(
  files: readonly ShownFile[],
  records: ReadonlyArray<{ media: readonly NamedFile[] }>,
  mirrored: Record<string, MirroredFile>,
  cacheDirectory: string,
): Promise<Problems> {
  const cache = createCache(cacheDirectory);
  const report: Problems = { problems: [], lacking: [] };
  const audioUrls = new Set(
    records.flatMap(({ media }) => playedOf(media, mirrored) ?? []).flatMap(({ kind, url }) => (kind === 'audio' ? [url] : [])),
  );
  const describe = async (row: ShownFile, target: MirroredFile) => {
    if (audioUrls.has(row.url)) target.wave = await waveOf(row, cache);
    if (row.kind === 'transcript' && target.mimetype === 'application/pdf') target.words = await pdfText(row, cache);
  };
  const describeIfIncluded = async (row: ShownFile) => {
    const target = Object.hasOwn(mirrored, row.url) ? mirrored[row.url] : undefined;
    if (target) await describe(row, target).catch((error: unknown) => enterProblem(row, error, report));
  };
  await pMap(files, describeIfIncluded, { concurrency: availableParallelism() });
  return report;
}
