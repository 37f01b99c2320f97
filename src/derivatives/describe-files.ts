/** Adds what only ffmpeg and Poppler can extract from media files: waveforms of audio files, and the text of PDF transcripts. */

import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import { decodeText } from '../model/charset.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/limits.ts';
import type { NamedFile } from '../model/media.ts';
import { extractLinkTargets } from '../model/mentions.ts';
import { lookupIn } from '../platform/lookup.ts';
import { readStart } from '../platform/read-start.ts';
import { type CopiedFile, findPlayable } from './copied-files.ts';
import { createDerivativeCache } from './derivative-cache.ts';
import { extractPdfText } from './pdf-text.ts';
import { type DerivativeProblems, recordProblem } from './problems.ts';
import type { ShownFile } from './shown-files.ts';
import { readWaveform } from './waveform.ts';

/**
 * Sets `waveform`, `textFile` and `links` in `copiedFiles`. Returns the files for which this failed. `cacheDirectory` is the directory of the
 * derivative cache.
 */
export async function describeFiles(
  files: readonly ShownFile[],
  records: ReadonlyArray<{ media: readonly NamedFile[] }>,
  copiedFiles: Record<string, CopiedFile>,
  cacheDirectory: string,
): Promise<DerivativeProblems> {
  const cache = createDerivativeCache(cacheDirectory);
  const report: DerivativeProblems = { problems: [], lacking: [] };
  const audioUrls = new Set(
    records
      .flatMap(({ media }) => findPlayable(media, lookupIn(copiedFiles)) ?? [])
      .flatMap(({ kind, url }) => (kind === 'audio' ? [url] : [])),
  );
  const describe = async (row: ShownFile, target: CopiedFile) => {
    if (audioUrls.has(row.url)) target.waveform = await readWaveform(row, cache);
    if (row.kind === 'transcript' && target.mimetype === 'application/pdf') target.textFile = await extractPdfText(row, cache);
    if (row.kind === 'transcript' && target.mimetype === 'text/html') target.links = readLinks(row);
  };
  const describeIfIncluded = async (row: ShownFile) => {
    const target = Object.hasOwn(copiedFiles, row.url) ? copiedFiles[row.url] : undefined;
    if (target) await describe(row, target).catch((error: unknown) => recordProblem(row, error, report));
  };
  await pMap(files, describeIfIncluded, { concurrency: availableParallelism() });
  return report;
}

function readLinks({ file, charset }: ShownFile): string[] {
  return extractLinkTargets(decodeText(readStart(file, MAX_FILE_TEXT_LENGTH), charset?.name ?? 'utf-8'));
}
