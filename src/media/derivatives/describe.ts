/** Adds to the mirrored files what takes a program to tell: the waves of sounds that play, the words of transcripts that are PDF. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { NamedFile } from '../../model/media.ts';
import { mediaRows, type StoredMedia } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import { createCache } from './cache.ts';
import { type MirroredFile, playedOf } from './mirrored.ts';
import { pdfText } from './pdf-text.ts';
import { enterProblem, type Problems } from './problems.ts';
import { waveOf } from './waves.ts';

/** Changes `mirrored`; what cannot be told is a line in the report. `folder` keeps what was found from build to build. */
export async function describeFiles(
  store: Store,
  records: ReadonlyArray<{ media: readonly NamedFile[] }>,
  mirrored: Record<string, MirroredFile>,
  folder: string,
): Promise<Problems> {
  const cache = createCache(folder);
  const report: Problems = { problems: [], lacking: [] };
  const heard = new Set(
    records.flatMap(({ media }) => playedOf(media, mirrored) ?? []).flatMap(({ kind, url }) => (kind === 'audio' ? [url] : [])),
  );
  const describe = async (row: StoredMedia, own: MirroredFile) => {
    const file = join(store.dir, own.source);
    if (heard.has(row.url)) own.wave = await waveOf(file, row, cache);
    if (row.kind === 'transcript' && own.mimetype === 'application/pdf') own.words = await pdfText(file, row, cache);
  };
  const queue = new PQueue({ concurrency: availableParallelism() });
  await queue.addAll(
    mediaRows(store).flatMap((row) => {
      const own = Object.hasOwn(mirrored, row.url) ? mirrored[row.url] : undefined;
      return own ? [() => describe(row, own).catch((error: unknown) => enterProblem(row, error, report))] : [];
    }),
  );
  return report;
}
