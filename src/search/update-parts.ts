/** Brings the parts of the search index up to date: finds the documents that a change concerns, and remakes their parts. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Reads } from '../catalogue/dependencies/stored-reads.ts';
import { readCacheNote, writeCacheNote } from '../platform/cache-note.ts';
import { isDamagedDatabase } from '../platform/sqlite-errors.ts';
import type { SearchedPage } from './create-document.ts';
import { openPartFile, type PartFile } from './part-file.ts';
import { DELTA, isKept, type PartLimits, type PlannedPart, planParts } from './plan-parts.ts';
import type { PrepareDocument } from './prepare-document.ts';
import { DOCUMENTS_FILE, INDEX_DIRECTORY, type PartToWrite } from './write-part.ts';

/** What the parts are made from. */
export interface PartsSource {
  /** Hash of everything that all documents depend on: the program and options. */
  key: string;
  /** The pages that search can find. */
  pages: readonly SearchedPage[];
  /** The keys of what documents would read otherwise than in the last build; undefined if that is not known. */
  changedKeys: ReadonlySet<string> | undefined;
  limits: PartLimits;
  /** Whether the base has an index, which then is kept up to date without the words of its parts. */
  hasBase: boolean;
  /** Whether this build makes a base part; a shard does not make all. */
  owns?: (part: number) => boolean;
  prepare: PrepareDocument;
  /** Writes parts; may write several at a time. */
  write: (parts: readonly PartToWrite[]) => Promise<void>;
}

/** A part that exists. */
export type SearchPart = ReturnType<typeof readPart>;

/** The parts of an index. */
export type SearchParts = Awaited<ReturnType<typeof updateParts>>;

/** In the directory of the parts: the key of the build that made them, and their names. */
const STATE_FILE = 'parts.json';

/** Brings the parts in a directory up to date. */
export async function updateParts(directory: string, source: PartsSource) {
  mkdirSync(directory, { recursive: true });
  const known = openKnownParts(directory, source);
  using unlessUpdated = new DisposableStack();
  unlessUpdated.defer(() => closeAll(known.values()));
  const updated = await updateStale(directory, known, source);
  unlessUpdated.move();
  return updated;
}

function closeAll(parts: Iterable<SearchPart>): void {
  for (const { file } of parts) file.close();
}

async function updateStale(directory: string, known: Map<string, SearchPart>, source: PartsSource) {
  const { pages, write, owns = () => true } = source;
  const hashes = findHashes(known, source);
  const hashOf = ({ path }: SearchedPage) => hashes.get(path);
  const documents = new Map(Array.from(known, ([name, part]) => [name, part.documents]));
  const all = planParts(pages, { parts: documents, hashOf }, source.limits);
  const planned = all.filter((part, i) => part.name === DELTA || owns(i));
  const hasWords = ({ name }: PlannedPart) => existsSync(join(directory, name, INDEX_DIRECTORY));
  const isStale = (part: PlannedPart) =>
    part.erased ? part.erased.length > 0 && hasWords(part) : !isKept(part, documents.get(part.name), hashOf);
  // A base is indexed as a whole.
  const isNewBase = planned.some((part) => part.name !== DELTA && isStale(part));
  const stale = planned.filter((part) => isStale(part) || (isNewBase && !hasWords(part)));
  for (const { name } of stale) known.get(name)?.file.close();
  for (const { name } of stale) known.delete(name);
  // If this build is killed, the base parts may be those of two divisions.
  if (stale.some(({ name }) => name !== DELTA)) rmSync(join(directory, STATE_FILE), { force: true });
  await write(stale.map(({ name, pages: own }) => ({ name, pages: own, directory: join(directory, name) })));
  const names = planned.map(({ name }) => name);
  writeCacheNote(join(directory, STATE_FILE), source.key, names);
  for (const [name, { file }] of known) if (!names.includes(name)) file.close();
  for (const { name, erased = [] } of planned) {
    const part = known.get(name);
    if (!part || erased.length === 0) continue;
    part.file.erase(erased);
    known.set(name, readPart(part));
  }
  for (const name of readdirSync(directory))
    if (name !== STATE_FILE && !names.includes(name)) rmSync(join(directory, name), { recursive: true, force: true });
  const parts = planned.map(({ name }) => {
    const part = known.get(name) ?? openPart(directory, name, false);
    if (!part) throw new Error(`The part ${name} of the search index was not written.`);
    return part;
  });
  return {
    /** In the order of their names: base parts by number, then the delta. */
    parts,
    /** The names of those that were made now. */
    made: stale.map(({ name }) => name),
    /** The number of parts, with those that this build does not make. */
    of: all.length,
    [Symbol.dispose]: () => closeAll(parts),
  };
}

/** Opens the parts of the last build. None, if they were made under another key, or if a base part cannot be used. */
function openKnownParts(directory: string, { key, hasBase }: PartsSource): Map<string, SearchPart> {
  const known = new Map<string, SearchPart>();
  for (const name of readCacheNote<string[]>(join(directory, STATE_FILE), key) ?? []) {
    const part = openPart(directory, name, hasBase && name !== DELTA);
    if (part) known.set(name, part);
    else if (name !== DELTA) {
      closeAll(known.values());
      return new Map();
    }
  }
  return known;
}

/** Opens a part. Undefined if it cannot be used. */
function openPart(directory: string, name: string, mayLackWords: boolean): SearchPart | undefined {
  const partDirectory = join(directory, name);
  const isWhole = mayLackWords || existsSync(join(partDirectory, INDEX_DIRECTORY));
  const file = isWhole ? openPartFile(join(partDirectory, DOCUMENTS_FILE)) : undefined;
  if (!file) return undefined;
  try {
    return readPart({ name, directory: partDirectory, file });
  } catch (error) {
    file.close();
    if (isDamagedDatabase(error)) return undefined;
    throw error;
  }
}

function readPart(part: { name: string; directory: string; file: PartFile }) {
  const list = part.file.list();
  return {
    ...part,
    /** The hash of each document by its page, in the order of their numbers; those with problems included. */
    documents: new Map(list.map(({ page, hash }) => [page, hash])),
    /** The number of each document by its page. Not all numbers are in use: those of erased documents are not. */
    numbers: new Map(list.map(({ page, number }) => [page, number])),
  };
}

/**
 * Returns the hash of each document as it is now, by its page. Documents that a change concerns are created for it; if it is not
 * known what changed, all are.
 */
function findHashes(known: ReadonlyMap<string, SearchPart>, { pages, changedKeys, prepare }: PartsSource): Map<string, string> {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const hashes = new Map<string, string>();
  // the delta is the last
  for (const { documents } of known.values()) for (const [page, hash] of documents) hashes.set(page, hash);
  for (const { file, documents } of known.values()) {
    const same = new Map<string, Reads>();
    for (const path of changedKeys ? file.findConcerned(changedKeys) : documents.keys()) {
      const page = byPath.get(path);
      if (!page) continue;
      const { row } = prepare(page);
      hashes.set(path, row.hash);
      if (documents.get(path) === row.hash) same.set(path, row.reads);
    }
    if (same.size > 0) file.setReads(same);
  }
  return hashes;
}
