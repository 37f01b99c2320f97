/** Parts of real indexes, written by Pagefind, after changes, damage and builds that were killed. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toReads } from '../catalogue/dependencies/stored-reads.ts';
import { splitWords } from '../formats/search/searchable-text.ts';
import { encodeNumber, encodeWord } from '../formats/search/word-codes.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { SearchDocument } from './documents.ts';
import { openPagefindIndex } from './pagefind-words.ts';
import { openPartFile } from './part-file.ts';
import { DELTA } from './plan-parts.ts';
import { prepareDocument } from './prepare-document.ts';
import { updateParts } from './update-parts.ts';
import { DOCUMENTS_FILE, INDEX_DIRECTORY, writePart } from './write-part.ts';

let directory: string;
/** Whether there is an index of the base parts, which then lack their words. */
let hasBase: boolean;
beforeEach(() => {
  hasBase = false;
  directory = mkdtempSync(join(tmpdir(), 'microfiche-parts-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const LIMITS = { documentsInPart: 4, documentsForDelta: 0 };

/** Titles by page. The document of an Error cannot be created. */
type Titles = Record<string, string | Error>;

function documentOf(page: string, title: string): SearchDocument {
  return {
    url: page,
    shown: { title, kind: 'entity', image: '', description: '', fields: [] },
    hidden: '',
    keys: [],
    filters: { model: ['entity'] },
    sort: { title },
  };
}

interface Update {
  changed?: string[];
  /** What documents have read in addition to themselves. */
  reads?: Record<string, string[]>;
  /** Called before a part is written. */
  beforeWrite?: () => void;
  /** Whether the build is killed before it writes the index. */
  isKilled?: boolean;
}

/** Brings the parts up to date. Returns the titles of the documents found, and the names of all parts and of the new ones. */
async function update(titles: Titles, { changed, reads = {}, beforeWrite, isKilled = false }: Update = {}) {
  const prepare: Parameters<typeof writePart>[1] = ({ path }) => {
    const title = titles[path];
    const read = toReads(new Set([path, ...(reads[path] ?? [])]));
    if (typeof title === 'string') return prepareDocument(documentOf(path, title), read);
    const nothing = { filters: {}, sort: {}, words: [], keys: [], shown: undefined };
    return { row: { page: path, hash: 'failed', reads: read, ...nothing, problem: 'failed' }, indexed: undefined };
  };
  const parts = await updateParts(directory, {
    key: 'key',
    limits: LIMITS,
    prepare,
    hasBase,
    pages: Object.keys(titles).map((path) => ({ kind: 'object', name: path, path })),
    changedKeys: changed && new Set(changed),
    write: async (stale) => {
      beforeWrite?.();
      for (const part of stale) await writePart(part, prepare);
    },
  });
  try {
    if (!isKilled) {
      hasBase = true;
      for (const part of parts.parts)
        if (part.name !== DELTA) rmSync(join(part.directory, INDEX_DIRECTORY), { recursive: true, force: true });
    }
    const found = parts.parts.flatMap((part) =>
      Array.from(part.file.rows()).flatMap(([page, { sort }]) => [[page, sort['title']] as const]),
    );
    return { found: Object.fromEntries(found), parts: parts.parts.map(({ name }) => name), made: parts.made };
  } finally {
    parts[Symbol.dispose]();
  }
}

const titlesOf = (count: number): Titles =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${String(i).padStart(2, '0')}`, `title ${i}`]));

/** Returns the name of the file without which nothing in Pagefind's index of a part can be read. */
const listOfPages = (part: string) =>
  readdirSync(join(directory, part, INDEX_DIRECTORY)).find((file) => file.endsWith('.pf_meta')) as string;

/** Expects that the index of each part has the words of its documents. */
function expectIndexed(parts: readonly string[]): void {
  for (const part of parts) {
    const file = openPartFile(join(directory, part, DOCUMENTS_FILE));
    const results = [...(file?.results() ?? [])];
    file?.close();
    const pages = new Map(
      [...openPagefindIndex(join(directory, part, INDEX_DIRECTORY)).words()].map((own) => [own.word, own.pages]),
    );
    for (const { number, shown } of results) {
      const own = pages.get(encodeNumber(number))?.map(({ page }) => page) ?? [];
      expect(own).toHaveLength(1);
      for (const word of splitWords((JSON.parse(shown) as { title: string }).title))
        expect(pages.get(encodeWord(word))?.map(({ page }) => page)).toContain(own[0]);
    }
  }
}

/** Returns whether any file of the parts has a text. */
const hasText = (text: string) =>
  listFiles(directory).some(([, file]) => {
    const bytes = readFileSync(file);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).includes(text);
  });

it.each([
  ['a build', false],
  ['a build that was killed before it wrote the index', true],
])('has nothing of the former text of a document after %s', async (_, isKilled) => {
  const titles = { ...titlesOf(24), d20: 'zyzzyva' };
  await update(titles, { reads: { d20: ['listed transcript'] }, isKilled });
  expect(hasText('zyzzyva')).toBe(true);
  const now = { ...titles, d20: 'without it' };
  const { made, found } = await update(now, { changed: ['listed transcript'], isKilled: true });
  expect(found).toEqual(now);
  expect(hasText('zyzzyva')).toBe(false);
  if (!isKilled) expect(made).toEqual(['delta']);
});

it('finds current documents only if the delta was lost or damaged', async () => {
  const titles = titlesOf(24);
  await update(titles);
  const changed = { ...titles, d01: 'changed' };
  expect((await update(changed, { changed: ['d01'] })).made).toEqual(['delta']);
  for (const damage of [
    () => rmSync(join(directory, 'delta'), { recursive: true }),
    () => writeFileSync(join(directory, 'delta/documents.sqlite'), 'x'.repeat(5000)),
    () => rmSync(join(directory, 'delta/index'), { recursive: true }),
    () => rmSync(join(directory, 'delta/index', listOfPages('delta'))),
  ]) {
    cpSync(directory, `${directory}-copy`, { recursive: true });
    damage();
    const { found, parts } = await update({ ...changed, d05: 'also changed' }, { changed: ['d05'] });
    expect(found).toEqual({ ...changed, d05: 'also changed' });
    expectIndexed(parts.filter((part) => part === DELTA));
    rmSync(directory, { recursive: true });
    cpSync(`${directory}-copy`, directory, { recursive: true });
    rmSync(`${directory}-copy`, { recursive: true });
  }
});

it('makes all parts again if a base part was lost', async () => {
  await update(titlesOf(24));
  rmSync(join(directory, 'p2'), { recursive: true });
  expect((await update(titlesOf(24), { changed: [] })).made.length).toBe(6);
  expect((await update(titlesOf(24), { changed: [] })).made).toEqual([]);
});

it('compares all documents if it is not known what changed', async () => {
  const titles = titlesOf(24);
  await update(titles);
  expect((await update(titles)).made).toEqual([]);
  const { made, found } = await update({ ...titles, d00: 'otherwise' });
  expect([made, found['d00']]).toEqual([['delta'], 'otherwise']);
  expect(hasText('title 0"')).toBe(false);
});

it('starts from the beginning after a kill while base parts were made', async () => {
  const titles = titlesOf(24);
  await update(titles);
  const half = Object.fromEntries(Object.entries(titles).slice(0, 12));
  const killed = update(half, {
    changed: [],
    beforeWrite: () => {
      throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  expect((await update(half, { changed: [] })).found).toEqual(half);
});

it.each([
  ['a part without documents', (): Titles => Object.fromEntries(Object.entries(titlesOf(12)).filter((_, i) => i < 4 || i > 7))],
  ['a delta of documents that fail', (): Titles => ({ ...titlesOf(12), d03: new Error('damaged') })],
])('has words and results of all documents, with %s', async (_, now) => {
  await update(titlesOf(12), { isKilled: true });
  const titles = now();
  const { found, parts } = await update(titles, { changed: ['d03'], isKilled: true });
  expect(found).toEqual(Object.fromEntries(Object.entries(titles).filter(([, title]) => typeof title === 'string')));
  expectIndexed(parts);
});
