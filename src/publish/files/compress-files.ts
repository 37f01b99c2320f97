/**
 * Adds compressed copies to the files of a site that is published. A copy is known by the checksum of its file, so that only
 * copies of files that changed are made; the others are only stat'ed. Threads share the work.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CopyEncoding, isCompressible } from '../../formats/compressed-names.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { pathProblem } from '../../platform/portable-path.ts';
import { chosenThreads, possibleThreads } from '../../platform/thread-count.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { COPY_RECIPE, compressCopy, isSizeForCopies } from '../compressed-copies.ts';
import { type ComparedFile, changedMeanwhile, type PublishedSite, type SiteFile } from './compare-files.ts';
import { findCurrent } from './site-state.ts';

/** How the files of a site are compressed. */
export interface Compression {
  /** None: the site has no compressed copies. */
  encodings: readonly CopyEncoding[];
  cacheDirectory: string;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

/** In the cache of a site: new copies, until they are moved into the site. */
export const COPIES_DIRECTORY = 'compressed';
/** In the cache of a site: the copies that are not made, because they would hardly be smaller than their files. */
const OMITTED_FILE = 'compressed-omitted.json';
const ROLE = 'microfiche-compress';
/** Memory that a thread takes at most, in bytes: Brotli needs several times the size of the file. */
const THREAD_MEMORY = 512 * 1024 * 1024;
/** Threads take longer to start than it takes to compress fewer bytes. */
const MIN_BYTES_FOR_THREADS = 1024 ** 2;
/** Bytes of the files of one task, unless it has a single file. */
const TASK_BYTES = 1024 ** 2;

interface MissingCopy {
  /** Of the copy in the site. */
  path: string;
  encoding: CopyEncoding;
  /** Of the file and the program. */
  key: string;
}

/** A file of which copies are missing. */
interface FileToCompress {
  /** On the disk. */
  file: string;
  /** In bytes. */
  size: number;
  sha256: string;
  copies: MissingCopy[];
}

interface CompressedFile {
  file: string;
  /** Whether the file has changed since its checksum was computed. */
  hasChanged: boolean;
  /** Those that were written; the SHA-256 is that of the copy. */
  written: Array<MissingCopy & { sha256: string }>;
  omitted: MissingCopy[];
}

/**
 * Returns the compressed copies of the files of a site, as further files of it.
 * @throws {UserError} if a file changes while it is compressed
 */
export async function compressFiles(
  files: readonly ComparedFile[],
  { safeDir, state }: Pick<PublishedSite, 'safeDir' | 'state'>,
  { encodings, cacheDirectory, onProgress }: Compression,
): Promise<SiteFile[]> {
  const directory = join(cacheDirectory, COPIES_DIRECTORY);
  rmSync(directory, { recursive: true, force: true });
  if (encodings.length === 0) return [];
  const omittedFile = join(cacheDirectory, OMITTED_FILE);
  const omittedBefore = new Set(readCacheNote<string[]>(omittedFile, COPY_RECIPE));
  const omitted = new Set<string>();
  const copies: SiteFile[] = [];
  const toCompress: FileToCompress[] = [];
  for (const { path, sha256, size, source } of files) {
    if (!isCompressible(path) || !isSizeForCopies(size)) continue;
    const missing: MissingCopy[] = [];
    for (const encoding of encodings) {
      const copy = { path: `${path}.${encoding}`, encoding, key: `${sha256} ${encoding} ${COPY_RECIPE}` };
      const known = findCurrent(state, safeDir, copy);
      if (known) copies.push({ path: copy.path, file: undefined, known });
      else if (omittedBefore.has(copy.key)) omitted.add(copy.key);
      else if (pathProblem(copy.path) === undefined) missing.push(copy);
    }
    const file = source.file ?? join(safeDir.root, path);
    if (missing.length > 0) toCompress.push({ file, size, sha256, copies: missing });
  }
  for (const compressed of await compressInThreads(toCompress, directory, onProgress)) {
    if (compressed.hasChanged) throw changedMeanwhile(compressed.file);
    for (const { path, key, sha256 } of compressed.written)
      copies.push({ path, file: join(directory, path), isMoved: true, sha256, pageKey: key });
    for (const { key } of compressed.omitted) omitted.add(key);
  }
  writeCacheNote(omittedFile, COPY_RECIPE, [...omitted].sort());
  return copies;
}

async function compressInThreads(
  files: readonly FileToCompress[],
  directory: string,
  onProgress: Compression['onProgress'],
): Promise<CompressedFile[]> {
  const results: CompressedFile[] = [];
  const addResults = (compressed: CompressedFile[]) => {
    results.push(...compressed);
    onProgress?.('Compressed copies', results.length, files.length);
  };
  const tasks = toTasks(files);
  const bytes = files.reduce((total, { size }) => total + size, 0);
  const threads = Math.min(tasks.length, chosenThreads() ?? (bytes < MIN_BYTES_FOR_THREADS ? 1 : possibleThreads(THREAD_MEMORY)));
  if (threads < 2) for (const task of tasks) addResults(compressTask(directory, task));
  else
    await runInThreads<string, Task, CompressedFile[]>(
      threads,
      { module: import.meta.filename, role: ROLE, setting: directory },
      tasks,
      { onResult: addResults },
    );
  return results;
}

interface Task {
  files: FileToCompress[];
}

function toTasks(files: readonly FileToCompress[]): Task[] {
  const tasks: Task[] = [];
  let bytes = TASK_BYTES;
  for (const file of files) {
    if (bytes + file.size > TASK_BYTES) {
      tasks.push({ files: [] });
      bytes = 0;
    }
    tasks.at(-1)?.files.push(file);
    bytes += file.size;
  }
  return tasks;
}

const compressTask = (directory: string, { files }: Task): CompressedFile[] => files.map((file) => compressFile(directory, file));

function compressFile(directory: string, { file, sha256, copies }: FileToCompress): CompressedFile {
  const bytes = readFileSync(file);
  const compressed: CompressedFile = { file, hasChanged: hash('sha256', bytes) !== sha256, written: [], omitted: [] };
  if (compressed.hasChanged) return compressed;
  for (const copy of copies) {
    const content = compressCopy(bytes, copy.encoding);
    if (content === undefined) {
      compressed.omitted.push(copy);
      continue;
    }
    const target = join(directory, copy.path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    compressed.written.push({ ...copy, sha256: hash('sha256', content) });
  }
  return compressed;
}

doTasks<string, Task, CompressedFile[]>(ROLE, (directory) => (task) => compressTask(directory, task));
