/** Adds to the mirrored files what takes a program to tell: the waves of sounds that play, the words of transcripts that are PDF. */
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { NamedFile } from '../model/media.ts';
import { createCache } from './cache.ts';
import { type MirroredFile, playedOf } from './mirrored.ts';
import { pdfText } from './pdf-text.ts';
import { enterProblem, type Problems } from './problems.ts';
import type { ShownFile } from './shown-files.ts';
import { waveOf } from './waves.ts';

/** Changes `mirrored`; what cannot be told is a line in the report. `folder` keeps what was found from build to build. */
export async function describeFiles(
  files: readonly ShownFile[],
  records: ReadonlyArray<{ media: readonly NamedFile[] }>,
  mirrored: Record<string, MirroredFile>,
  folder: string,
): Promise<Problems> {
  const cache = createCache(folder);
  const report: Problems = { problems: [], lacking: [] };
  const heard = new Set(
    records.flatMap(({ media }) => playedOf(media, mirrored) ?? []).flatMap(({ kind, url }) => (kind === 'audio' ? [url] : [])),
  );
  const describe = async (row: ShownFile, own: MirroredFile) => {
    if (heard.has(row.url)) own.wave = await waveOf(row, cache);
    if (row.kind === 'transcript' && own.mimetype === 'application/pdf') own.words = await pdfText(row, cache);
  };
  const queue = new PQueue({ concurrency: availableParallelism() });
  await queue.addAll(
    files.flatMap((row) => {
      const own = Object.hasOwn(mirrored, row.url) ? mirrored[row.url] : undefined;
      return own ? [() => describe(row, own).catch((error: unknown) => enterProblem(row, error, report))] : [];
    }),
  );
  return report;
}
