/** Prepares a site's media files: verifies those that it shows, creates derivatives that are not cached, describes both. */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import { type Catalogue, createLanguageLookup } from '../catalogue/catalogue.ts';
import type { ListedEntry } from '../catalogue/entries.ts';
import type { Records } from '../catalogue/records.ts';
import { decodeText } from '../model/encoding/charset.ts';
import type { NamedFile } from '../model/media/media.ts';
import type { StripMetadata } from '../model/media/media-kinds.ts';
import { extractLinkTargets } from '../model/mentions.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { truncateWords } from '../model/text/text.ts';
import { isScanType } from '../model/transcripts/read-transcript.ts';
import { lookupIn } from '../platform/lookup.ts';
import { readStart } from '../platform/read-start.ts';
import { readMediaByUrl } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import { readWebFiles } from '../snapshot/web-files.ts';
import { type CopiedFile, findPlayable, listCopiedFiles } from './copied-files.ts';
import { createDerivativeCache, type DerivativeCache } from './derivative-cache.ts';
import { createDerivatives } from './image-derivatives.ts';
import type { ImageFormat } from './image-formats.ts';
import { type DerivativeProblems, mergeProblems, recordProblem } from './problems.ts';
import { createPublishedCopies } from './published-copies.ts';
import { readFileTexts } from './read-text.ts';
import { readShownFiles, type ShownFile } from './shown-files.ts';
import { exportTexts } from './text-exports.ts';
import { hasTool, readToolOutput, ToolLimitError } from './tools.ts';
import { readWaveform } from './waveform.ts';

/** The media files of a site, and those that cannot be used. */
export type SiteFiles = Awaited<ReturnType<typeof prepareSiteFiles>>;

/** Options of `prepareSiteFiles`. */
export interface SiteFilesOptions {
  /** Directory for what is known of unchanged media files. */
  cacheDirectory: string;
  /** Directory of the derivative cache. */
  derivatives: string;
  imageFormat: ImageFormat;
  stripMetadata: StripMetadata;
  /**
   * How far a media file, by its SHA-256, is from the part of the site that is made here: 0 if it belongs to it. 0 by default.
   * What all parts need of a file is read in this order: what another part with the same cache has read by then is not read
   * again.
   */
  distance?: ((sha256: string) => number) | undefined;
  /** Reports the number of processed images and their total. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Measures the duration of a step. */
  timed?: TimeStep;
}

/** Runs one step of a build and measures its duration. */
export type TimeStep = <T>(step: string, work: () => T | Promise<T>) => Promise<T>;

/** Prepares the media files of everything in a catalogue. */
export async function prepareSiteFiles(
  store: Store,
  catalogue: Catalogue,
  { cacheDirectory, derivatives, imageFormat, stripMetadata, onProgress, ...options }: SiteFilesOptions,
) {
  const { distance = () => 0, timed = async (_, work) => work() } = options;
  const owns = (sha256: string) => distance(sha256) === 0;
  const withheld = new Set(catalogue.facts.withheld.map(({ what }) => what));
  const { objects, sourceFiles } = catalogue;
  const records = [...Array.from(objects.withMedia(), namingOf), ...sourceFiles, ...listPortraits(objects, store)];
  const streamOnly = new Set(records.flatMap((record) => record.streamOnlyUrls));
  const allowed = ({ url, owner }: StoredMedia) => !withheld.has(owner) && !streamOnly.has(url);
  const shown = await timed('files', () =>
    readShownFiles(store, records, allowed, cacheDirectory, createLanguageLookup(catalogue)),
  );
  const { images, tiles, sizes, ...derived } = await timed('images', () =>
    createDerivatives(shown.files, {
      cacheDirectory: derivatives,
      format: imageFormat,
      owns,
      imagesByRecord: records.map(({ mediaUrls }) => mediaUrls),
      onProgress,
    }),
  );
  // An image that cannot be decoded is left out of the site, unless its declared checksum was verified.
  const isBroken = ({ sha256, kind, verified }: ShownFile) =>
    kind === 'image' && verified === null && derived.brokenFiles.has(sha256);
  const shownOriginals = shown.files.filter((row) => row.kind !== 'thumb' && !isBroken(row));
  const copies = await createPublishedCopies(shownOriginals, stripMetadata, derivatives);
  const webFiles = readWebFiles(store.dir);
  const { copiedFiles, files: originals } = listCopiedFiles(shownOriginals, copies, webFiles, sizes);
  const originalsInShard = new Set(
    shownOriginals.flatMap(({ file, sha256 }) =>
      owns(sha256) ? [copies.get(sha256)?.file ?? file, webFiles.get(sha256)?.file] : [],
    ),
  );
  const byDistance = shown.files.toSorted((a, b) => distance(a.sha256) - distance(b.sha256));
  const described = await timed('recordings', () =>
    describeFiles(byDistance, records, { copiedFiles, brokenFiles: derived.brokenFiles }, store, derivatives),
  );
  return {
    images,
    tiles,
    copiedFiles,
    newCount: derived.newCount,
    ...mergeProblems({ problems: shown.problems, lacking: [] }, derived, described),
    /** Files of scans in which no text was recognized. */
    blankScans: described.blankScans,
    /** Media files and derivatives: path in the site → file on disk. */
    files: new Map([
      ...[...originals].filter(([, file]) => originalsInShard.has(file)),
      ...described.exported.flatMap(([sha256, files]) => (owns(sha256) ? [...files] : [])),
      ...derived.files,
    ]),
    /** The verified media files. */
    shown: shown.files,
    /** The number of media files that are missing or corrupted. */
    missing: shown.missing,
    /** The number of media files without whose metadata the site has them. */
    stripped: copies.size,
  };
}

/** Returns the portraits of narrators as those of the records under which they are stored. */
function listPortraits(objects: Records, store: Store): Naming[] {
  return objects.portraits().flatMap((url): Naming[] => {
    const id = readMediaByUrl(store, url)?.owner;
    return id === undefined ? [] : [{ id, model: 'entity', mediaUrls: [url], media: [], streamOnlyUrls: [] }];
  });
}

type Naming = ReturnType<typeof namingOf>;

/** Returns which media files a record names. */
function namingOf({ id, model, mediaUrls, media, streamOnlyUrls }: ListedEntry) {
  return { id, model, mediaUrls, media, streamOnlyUrls };
}

/**
 * Sets `waveform`, `attachments`, `textFile`, `links` and `exports` in `copiedFiles`. Returns the files for which this failed,
 * and the exported files. `cacheDirectory` is the directory of the derivative cache.
 */
async function describeFiles(
  files: readonly ShownFile[],
  records: ReadonlyArray<{ media: readonly NamedFile[] }>,
  { copiedFiles, brokenFiles }: { copiedFiles: Record<string, CopiedFile>; brokenFiles: ReadonlySet<string> },
  store: Store,
  cacheDirectory: string,
) {
  const cache = createDerivativeCache(cacheDirectory);
  const report: DerivativeProblems = { problems: [], lacking: [] };
  const exported: Array<[sha256: string, files: Map<string, string>]> = [];
  const blankScans: Array<Pick<ShownFile, 'url' | 'owner'>> = [];
  const audioUrls = new Set(
    records
      .flatMap(({ media }) => findPlayable(media, lookupIn(copiedFiles)) ?? [])
      .flatMap(({ kind, url }) => (kind === 'audio' ? [url] : [])),
  );
  const describe = async (row: ShownFile, target: CopiedFile) => {
    if (audioUrls.has(row.url)) (target.web ?? target).waveform = await readWaveform(row, cache);
    if (row.kind !== 'transcript') return;
    if (target.mimetype === 'application/pdf') {
      target.textFile = await extractPdfText(row, cache, TEXT_OPTIONS);
      target.isBlank = readStart(target.textFile, MAX_FILE_TEXT_LENGTH).toString().trim() === '';
      if (!target.isBlank) Object.assign(target, await extractWords(row, cache));
    }
    if (isScanType(target.mimetype)) target.isBlank = await isBlankScan(row, cache);
    if (target.isBlank) blankScans.push({ url: row.url, owner: row.owner });
    if (target.mimetype === 'text/html') {
      const html = decodeText(readStart(row.file, MAX_FILE_TEXT_LENGTH), row.charset?.name ?? 'utf-8');
      target.links = extractLinkTargets(html);
    }
    exported.push([row.sha256, await exportTexts(target, row, store, cache)]);
  };
  const describeIfIncluded = async (row: ShownFile) => {
    const target = Object.hasOwn(copiedFiles, row.url) ? copiedFiles[row.url] : undefined;
    if (!target) return;
    const note = (error: unknown) => recordProblem(row, error, report);
    const isRead = await describe(row, target).then(() => true, note);
    if (!isRead || target.mimetype !== 'application/pdf' || brokenFiles.has(row.sha256) || !hasTool('pdfdetach')) return;
    const names = await listAttachments(row, cache).catch(note);
    target.attachments = (names ?? []).map((name) => truncateWords(store.filter?.redactText?.(name) ?? name, MAX_NAME_LENGTH));
  };
  await pMap(files, describeIfIncluded, { concurrency: availableParallelism() });
  return { ...report, exported, blankScans: blankScans.sort((a, b) => (a.url < b.url ? -1 : 1)) };
}

/** Returns whether a file with the words of scanned pages has none. */
async function isBlankScan({ file, sha256, mimetype, charset }: ShownFile, cache: DerivativeCache): Promise<boolean> {
  const known = await cache.getOrCreate(sha256, { recipe: 1, mimetype }, '.blank', async (to) => {
    const texts = readFileTexts({ snapshotPath: file, mimetype, ...(charset && { charset: charset.name }) }, { dir: '' });
    await writeFile(to, String(texts.every(({ text }) => text === '')));
  });
  return (await readFile(known.file, 'utf8')) === 'true';
}

/** Returns the places of the words of a PDF; nothing if there are too many, without which its text is shown all the same. */
async function extractWords(row: ShownFile, cache: DerivativeCache): Promise<Pick<CopiedFile, 'wordsFile'>> {
  try {
    return { wordsFile: await extractPdfText(row, cache, WORDS_OPTIONS) };
  } catch (error) {
    if (error instanceof ToolLimitError) return {};
    throw error;
  }
}

const MAX_TEXT_BYTES = 20_000_000;
const TEXT_OPTIONS = ['-enc', 'UTF-8', '-nopgbrk', '-eol', 'unix'];
/** The words of the first pages, with their places. A document with as many images is not longer. */
const WORDS_OPTIONS = ['-enc', 'UTF-8', '-bbox-layout', '-l', '101'];

/**
 * Returns the path of a file in the derivative cache with what pdftotext writes of a PDF.
 * @throws {MissingToolError} if Poppler is not installed
 * @throws {Error} if the PDF cannot be read
 */
async function extractPdfText({ file, sha256 }: ShownFile, cache: DerivativeCache, options: string[]): Promise<string> {
  const { file: textFile } = await cache.getOrCreate(sha256, { recipe: 1, how: options }, '.txt', async (to) => {
    await writeFile(to, await readToolOutput('pdftotext', [...options, file, '-'], MAX_TEXT_BYTES));
  });
  return textFile;
}

/** Attachments that pages name, and characters of their names. */
const [MAX_ATTACHMENTS, MAX_NAME_LENGTH] = [20, 100];

/** Returns the names of the files that are attached to a PDF. */
async function listAttachments({ file, sha256 }: ShownFile, cache: DerivativeCache): Promise<string[]> {
  const { file: list } = await cache.getOrCreate(sha256, { recipe: 1 }, '.attachments', async (to) => {
    await writeFile(to, await readToolOutput('pdfdetach', ['-list', '-enc', 'UTF-8', file], MAX_TEXT_BYTES));
  });
  const names = (await readFile(list, 'utf8')).matchAll(/^\d+: (.{1,1000})/gmu);
  return Array.from(names.take(MAX_ATTACHMENTS), ([, name = '']) => name);
}
