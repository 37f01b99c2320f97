/** Brings the indexes of a site up to date: the base, from which documents are erased, and the delta. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Start, toRuns } from '../../formats/search/start-file.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { DELTA } from '../../search/plan-parts.ts';
import type { SearchPart, SearchParts } from '../../search/update-parts.ts';
import { INDEX_DIRECTORY } from '../../search/write-part.ts';
import { eraseDocuments } from './erase-documents.ts';
import { type NamedIndex, nameByContent, writeIndex } from './write-index.ts';

/** The indexes of the last build. */
type IndexNotes = Partial<Record<'base' | 'delta', NotedIndex>>;

interface NotedIndex {
  /** A hash of what it was made from. */
  source: string;
  index: NamedIndex;
}

const notesOf = (out: string) => `${out}-notes.json`;

/** Whether there is an index of the base parts in a directory. */
export function hasBase(key: string, out: string): boolean {
  const base = readCacheNote<IndexNotes>(notesOf(out), key)?.base;
  return base !== undefined && existsSync(join(out, base.index.directory));
}

/**
 * Brings the indexes in a directory up to date. `positions` has the position of each document by its page. The words of base
 * parts are deleted when they are in the index: what is erased later is erased there.
 */
export function updateIndexes(
  { parts }: Pick<SearchParts, 'parts'>,
  key: string,
  positions: ReadonlyMap<string, number>,
  out: string,
): Start {
  mkdirSync(out, { recursive: true });
  const last = readCacheNote<IndexNotes>(notesOf(out), key) ?? {};
  const base = parts.filter(({ name }) => name !== DELTA);
  const delta = parts.filter(({ name }) => name === DELTA);
  const notes = {
    base: updateBase(base, last.base, out),
    ...(delta.length > 0 ? { delta: writeNew(delta, last.delta, out) } : {}),
  };
  writeCacheNote(notesOf(out), key, notes);
  for (const { directory } of base) rmSync(join(directory, INDEX_DIRECTORY), { recursive: true, force: true });
  const names = new Set(Object.values(notes).map(({ index }) => index.directory));
  for (const name of readdirSync(out)) if (!names.has(name)) rmSync(join(out, name), { recursive: true });
  const describe = ({ index }: NotedIndex, own: readonly SearchPart[]) => ({
    ...index,
    runs: toRuns(own.flatMap((part) => positionsIn(part, positions))),
  });
  return { total: positions.size, indexes: [describe(notes.base, base), ...(notes.delta ? [describe(notes.delta, delta)] : [])] };
}

/** Returns the position of each document of a part; -1 of one that was erased, or is not in the index. */
function positionsIn({ file, numbers }: SearchPart, positions: ReadonlyMap<string, number>): number[] {
  const all = new Array<number>(file.size()).fill(-1);
  for (const [page, number] of numbers) all[number] = positions.get(page) ?? -1;
  return all;
}

/** Writes the index of the base parts, or erases from the last one what was erased from them. */
function updateBase(parts: readonly SearchPart[], last: NotedIndex | undefined, out: string): NotedIndex {
  const isNew = parts.every(({ directory }) => existsSync(join(directory, INDEX_DIRECTORY)));
  const source = sourceOf(parts);
  if (isNew || !last || last.source === source) return writeNew(parts, last, out);
  const erased = new Set<number>();
  let first = 0;
  for (const { file, numbers } of parts) {
    const size = file.size();
    const left = new Set(numbers.values());
    for (let number = 0; number < size; number++) if (!left.has(number)) erased.add(first + number);
    first += size;
  }
  const { index } = last;
  return {
    source,
    index: nameByContent(out, (directory) => eraseDocuments(erased, index, join(out, index.directory), directory)),
  };
}

/** Writes the index of some parts, unless it is the last one. */
function writeNew(parts: readonly SearchPart[], last: NotedIndex | undefined, out: string): NotedIndex {
  const source = sourceOf(parts);
  if (last?.source === source && existsSync(join(out, last.index.directory))) return last;
  const indexed = parts.map(({ directory, file }) => ({
    directory: join(directory, INDEX_DIRECTORY),
    documents: file.size(),
    results: () => file.results(),
  }));
  return { source, index: writeIndex(indexed, out) };
}

function sourceOf(parts: readonly SearchPart[]): string {
  return shortHash(JSON.stringify(parts.map(({ documents, numbers }) => [[...documents], [...numbers.values()]])));
}
