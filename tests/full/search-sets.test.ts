/** Which documents a search finds: the same as a plain scan of all documents, however the index is divided. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBase, updateIndexes } from '../../src/build/search/update-indexes.ts';
import { toReads } from '../../src/catalogue/dependencies/stored-reads.ts';
import { foldText, splitNameParts, splitQueryWords, splitWords } from '../../src/formats/search/searchable-text.ts';
import { fromRuns } from '../../src/formats/search/start-file.ts';
import { isStopWord } from '../../src/formats/search/stop-words.ts';
import type { VocabularyWord } from '../../src/formats/search/vocabulary.ts';
import { encodeHidden, encodeWord, isHiddenCode, isWordCode, toHiddenCode } from '../../src/formats/search/word-codes.ts';
import { readPack } from '../../src/publish/packs/pack-writer.ts';
import { createBlockIndex } from '../../src/reader/search/block-index.ts';
import { findDocuments } from '../../src/reader/search/find-documents.ts';
import * as spelling from '../../src/reader/search/spelling.ts';
import type { WordIndex } from '../../src/reader/search/word-index.ts';
import { type SearchDocument, searchedTexts } from '../../src/search/documents.ts';
import type { IndexableDocument } from '../../src/search/indexable.ts';
import type { PartLimits } from '../../src/search/plan-parts.ts';
import { type PrepareDocument, prepareDocument } from '../../src/search/prepare-document.ts';
import { updateParts } from '../../src/search/update-parts.ts';
import { countWords } from '../../src/search/vocabulary-of-parts.ts';
import { writePart } from '../../src/search/write-part.ts';
import { createSharedDirectory, LONG, readFiles } from '../support/commands.ts';
import { openPagefindEngine, type PagefindEngine } from '../support/pagefind-engine.ts';
import { INDEX, readIndexedWords, readResults } from '../support/search-index.ts';

const DOCUMENTS = LONG ? 20_000 : 600;
const QUERIES = 200;
const temporaryDirectory = createSharedDirectory();
afterAll(temporaryDirectory.remove);

/** A sequence of numbers that is the same in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const random = createRandom(14);
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const syllables = 'net her by con stan ce lan tern fen wick quay side cre w har bor ō ta mura saki q x 1 7 42'.split(' ');
const rareWords = Array.from({ length: DOCUMENTS }, () => Array.from({ length: 2 + random(3) }, () => pick(syllables)).join(''));
const words = [
  ...'net nets netherby cannery Constance crew whistle 17 170 1942 1940s Women’s O’Tide Ōta Zoë 山の灯り 照らす 港 録音 김바다 廣島の邊 广岛 ｺﾝﾋﾟｭｰﾀｰ コンピュータ 佐々木 ｶﾞﾗｽ ｆｌｏｏｄ'.split(
    ' ',
  ),
  ...rareWords,
];

const createText = (length: number) =>
  Array.from({ length }, () => (random(3) === 0 ? pick(words.slice(0, 24)) : pick(words))).join(' ');

function createDocument(n: number): SearchDocument {
  const url = `objects/demo-org-${n}.html`;
  return {
    url,
    shown: {
      title: createText(3),
      kind: 'entity',
      image: 'assets/no-picture-entity.svg',
      description: createText(12),
      fields: [
        ['facility', createText(2)],
        ['genre', 'photograph', 'Photographs'],
      ],
      ...(n % 5 === 0 ? { spoken: createText(40) } : {}),
    },
    hidden: n % 7 === 0 ? createText(3) : '',
    keys: [['id', `demo-org-${n}`]],
    filters: { model: ['entity'] },
    sort: { title: url },
  };
}

/** Returns the words of a document, by a plain scan. */
const scan = (document: SearchDocument) =>
  new Set([...searchedTexts(document), document.hidden].flatMap((text) => [...splitWords(text), ...splitNameParts(text)]));

/** Returns the queries, with the folded words that a document must have; the last one may be the beginning of a word. */
function createQueries(documents: readonly SearchDocument[]): string[] {
  const wordsOf = (document: SearchDocument) => searchedTexts(document).join(' ').split(' ');
  return Array.from({ length: QUERIES }, (_, n) => {
    const own = wordsOf(pick(documents));
    const start = foldText(pick(own)).slice(0, 3);
    const kinds = [
      () => pick(words),
      () => `${pick(own)} ${pick(own)}`,
      () => `${pick(own)} ${pick(own)} ${pick(own)}`,
      () => start,
      () => `${pick(own)} ${start}`,
      () => `${pick(words)} ${pick(words)}`,
      () => `${pick(words)} tide`,
      () => pick(['crewx', 'zeppelin', 'norway', 'spain', 'assets', 'entity', '1799', '鯨', 'zzz']),
      () => `${pick(words.slice(0, 10))} zeppelin`,
    ];
    return (kinds[n % kinds.length] as () => string)();
  });
}

function matches(own: ReadonlySet<string>, query: string): boolean {
  const all = splitQueryWords(query);
  const significant = all.some((word) => !isStopWord(word)) ? all.filter((word) => !isStopWord(word)) : all;
  return significant.every((word) => {
    const isLast = all.indexOf(word) === all.length - 1 && [...word].length >= 3; // a repeated one is whole before
    const isCharacter = /^\p{Script=Han}$/u.test(word);
    return own.has(word) || ((isLast || isCharacter) && [...own].some((other) => other.startsWith(word)));
  });
}

interface BuiltIndex {
  index: WordIndex;
  vocabulary: readonly VocabularyWord[];
  /** The page of each document. */
  urls: readonly string[];
  /** The names of the parts, and of those that were made now. */
  parts: string[];
  made: readonly string[];
}

interface BuildSettings {
  limits?: PartLimits;
  /** The documents that changed since the index of this name was last built; undefined: it is built as if it were new. */
  changed?: ReadonlySet<string>;
}

const byCode = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1);

/** All documents in one part. */
const ONE_PART: PartLimits = { documentsInPart: 1e6, documentsForDelta: 1e6 };

/** Brings an index of documents up to date, and opens it as the search page does. */
async function buildIndex(
  name: string,
  documents: readonly SearchDocument[],
  { limits = ONE_PART, changed }: BuildSettings = {},
): Promise<BuiltIndex> {
  const byPage = new Map(documents.map((document) => [document.url, document]));
  const prepare: PrepareDocument = ({ path }) => prepareDocument(byPage.get(path) as SearchDocument, toReads(new Set([path])));
  const directory = join(temporaryDirectory.path, name);
  const out = join(directory, 'index');
  using updated = await updateParts(join(directory, 'parts'), {
    ...{ key: 'test', limits, prepare, changedKeys: changed, removedKeys: new Set<string>() },
    hasBase: hasBase('test', out),
    pages: documents.map(({ url }) => ({ kind: 'object', name: url, path: url })),
    write: async (parts) => {
      for (const part of parts) await writePart(part, prepare);
    },
  });
  for (const part of updated.parts) expect(part.file.problems()).toEqual([]);
  const urls = documents.map(({ url }) => url);
  const { total, indexes } = updateIndexes(updated, 'test', new Map(urls.map((url, position) => [url, position])), out);
  const sets = indexes.map((index) => ({
    ...{ directory: `${join(out, index.directory)}/`, firsts: index.words, buckets: index.buckets },
    positions: fromRuns(index),
  }));
  const load = async (file: string) =>
    new Map([...readPack(readFileSync(file, 'utf8'))].map((entry) => [entry.name, entry.data]));
  return {
    ...{ urls, parts: updated.parts.map((part) => part.name), made: updated.made },
    index: createBlockIndex(sets, total, load),
    vocabulary: countWords(updated.parts.map(({ file }) => file.words())),
  };
}

/** Returns the pages that have all words of a query, sorted; none if words had to be left out. */
async function find({ index, vocabulary, urls }: BuiltIndex, query: string): Promise<string[]> {
  const found = await findDocuments(query, index, async () => ({ ...spelling, all: vocabulary }), { isExact: true });
  if (!found || found.unknown.length > 0 || found.isPartial || found.leftOut.length > 0) return [];
  return Array.from(found.documents, (document) => urls[document] as string).sort();
}

describe(`in ${DOCUMENTS} documents`, () => {
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => createDocument(n));
  const scanned = new Map(documents.map((document) => [document.url, scan(document)]));
  const queries = createQueries(documents);
  const expected = queries.map((query) =>
    [...scanned]
      .filter(([, own]) => matches(own, query))
      .map(([url]) => url)
      .sort(),
  );
  let whole: BuiltIndex;
  beforeAll(async () => {
    whole = await buildIndex('whole', documents);
  });

  it('finds what a plain scan finds', async () => {
    for (const [i, query] of queries.entries()) expect(await find(whole, query), query).toEqual(expected[i]);
    expect(expected.filter((urls) => urls.length > 0).length).toBeGreaterThan(QUERIES / 2);
  });

  it('finds the same if other documents divide the index differently', async () => {
    const others = Array.from({ length: DOCUMENTS / 2 }, (_, n) => createDocument(DOCUMENTS + n));
    const larger = await buildIndex('larger', [...others, ...documents]);
    for (const [i, query] of queries.entries())
      expect(
        (await find(larger, query)).filter((url) => scanned.has(url)),
        query,
      ).toEqual(expected[i]);
  });

  it('finds the same in several parts', async () => {
    const limits = { documentsInPart: DOCUMENTS / 3, documentsForDelta: 0 };
    const parts = await buildIndex('parts', documents, { limits });
    expect(parts.parts).toEqual(['p0', 'p1', 'p2']);
    for (const [i, query] of queries.entries()) expect(await find(parts, query), query).toEqual(expected[i]);
  });

  it('indexes exactly the words of the vocabulary', async () => {
    const all = new Set(documents.flatMap((document) => [...scan({ ...document, hidden: '' })]));
    expect(whole.vocabulary.map(({ word }) => word)).toEqual([...all].sort());
    const files = readFiles(join(temporaryDirectory.path, 'whole/index'));
    const inSite = new Map([...files].map(([path, bytes]) => [`${INDEX}/${path}`, bytes]));
    expect(
      readResults(inSite)
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual(whole.urls.toSorted());
    const indexed = new Map([...readIndexedWords(inSite)].sort(byCode)); // files are sorted by name, w10 before w2
    const shown = [...indexed].filter(([code]) => !isHiddenCode(code));
    expect(shown).toEqual(whole.vocabulary.map(({ word, documents: own }) => [encodeWord(word), own]).sort(byCode));
    const hidden = documents.flatMap((own) => [...scan(own)].filter((word) => !scan({ ...own, hidden: '' }).has(word)));
    expect([...indexed.keys()].filter(isHiddenCode)).toEqual([...new Set(hidden)].map(encodeHidden).sort());
  });

  it('finds in base parts and a delta what one index of everything finds, with scores that are close', async () => {
    const limits = { documentsInPart: DOCUMENTS / 3, documentsForDelta: 0 };
    const before = await buildIndex('changing', documents, { limits });
    expect(before.made).toEqual(['p0', 'p1', 'p2']);
    // One in twenty changes, one part loses a document, and there are new ones.
    const removed = (documents[1] as SearchDocument).url;
    const now = documents
      .filter(({ url }) => url !== removed)
      .map((document, n) => (n % 20 === 19 ? { ...createDocument(n), url: document.url } : document))
      .concat(Array.from({ length: DOCUMENTS / 50 }, (_, n) => createDocument(DOCUMENTS + n)));
    const changed = new Set(now.filter((_, n) => n % 20 === 19 && n < DOCUMENTS).map(({ url }) => url));
    const delta = await buildIndex('changing', now, { limits, changed });
    expect([delta.parts, delta.made]).toEqual([['p0', 'p1', 'p2', 'delta'], ['delta']]);
    const whole = await buildIndex('whole-now', now);
    expect(delta.vocabulary).toEqual(whole.vocabulary);
    const questions = [...createQueries(now), ...createQueries(now), ...createQueries(now)].slice(0, 500);
    const ranks = { same: 0, first: 0, questions: 0 };
    for (const question of questions) {
      const [one, several] = [await rank(whole, question), await rank(delta, question)];
      expect(several.pages.toSorted(), question).toEqual(one.pages.toSorted());
      if (one.pages.length < 2) continue;
      ranks.questions++;
      if (several.pages.slice(0, 10).join() === one.pages.slice(0, 10).join()) ranks.same++;
      if ((one.scores.get(several.pages[0] ?? '') ?? 0) > 0.9 * (one.scores.get(one.pages[0] ?? '') ?? 0)) ranks.first++;
    }
    console.info(
      `${ranks.questions} questions with results: the first ten are the same for ${ranks.same}; the first is as good for ${ranks.first}`,
    );
    expect(ranks.first / ranks.questions).toBeGreaterThan(0.98);
    const unchanged = await buildIndex('changing', now, { limits, changed: new Set() });
    expect(unchanged.made).toEqual([]);
    const reverted = await buildIndex('changing', documents, { limits, changed });
    expect(reverted.parts).toEqual(['p0', 'p1', 'p2', 'delta']); // with the removed document again
    for (const [i, query] of queries.entries()) expect(await find(reverted, query), query).toEqual(expected[i]);
  });
});

it('finds what a plain scan finds after any additions, changes and withdrawals, however often the base is made again', async () => {
  let number = 0;
  const create = () => createDocument(number++);
  let documents = Array.from({ length: 60 }, create);
  const built = new Set<string>();
  for (let round = 0; round < 15; round++) {
    const changed = new Set<string>();
    documents = documents.flatMap((document) => {
      const fate = random(20);
      if (fate === 0) return [];
      if (fate > 1) return [document];
      changed.add(document.url);
      return [{ ...create(), url: document.url }];
    });
    documents.push(...Array.from({ length: random(8) }, create));
    const limits = { documentsInPart: 25, documentsForDelta: 10 };
    const now = await buildIndex('history', documents, { limits, ...(round === 0 ? {} : { changed }) });
    for (const part of now.made) built.add(part.replace(/\d+/, ''));
    const scanned = documents.map((document) => [document.url, scan(document)] as const);
    for (const query of createQueries(documents).slice(0, 60)) {
      const expected = scanned.filter(([, own]) => matches(own, query)).map(([url]) => url);
      expect(await find(now, query), `${query}, round ${round}`).toEqual(expected.sort());
    }
  }
  expect([...built].sort()).toEqual(['delta', 'p']);
});

/** Its own engine takes too long for more. */
const DOCUMENTS_FOR_PAGEFIND = 600;

describe('in documents that Pagefind’s own engine searches, too', () => {
  const documents = Array.from({ length: DOCUMENTS_FOR_PAGEFIND }, (_, n) => createDocument(n));
  const indexed = documents.map((document) => prepareDocument(document, toReads(new Set())).indexed as IndexableDocument);
  const codes = [...new Set(indexed.flatMap(({ content }) => content.split(' ')))].filter(isWordCode).sort();
  let pagefind: PagefindEngine;
  let own: BuiltIndex;
  beforeAll(async () => {
    pagefind = await openPagefindEngine(join(temporaryDirectory.path, 'pagefind'), indexed);
    own = await buildIndex('for-pagefind', documents, { limits: { documentsInPart: 250, documentsForDelta: 0 } });
  });
  afterAll(() => pagefind?.stop());

  /** Returns the pages that Pagefind finds: words that nothing may show have other codes, which the search of a site includes. */
  async function findByPagefind(wanted: readonly string[]): Promise<string[]> {
    const forms = wanted.map((code) => [code, toHiddenCode(code)].filter((form) => codes.includes(form)));
    const combined = forms.reduce<string[][]>((all, some) => all.flatMap((rest) => some.map((form) => [...rest, form])), [[]]);
    const found = await Promise.all(combined.map((form) => pagefind.search(form)));
    return [...new Set(found.flatMap((urls) => [...urls]))].map((url) => url.replace(/#.*/, '')).sort();
  }

  it('finds the same pages for single words, and for two words together', async () => {
    const shown = codes.filter((code) => !isHiddenCode(code));
    const frequent = words
      .slice(0, 24)
      .flatMap(splitWords)
      .map(encodeWord)
      .filter((code) => shown.includes(code));
    const together = Array.from({ length: QUERIES }, () => {
      const [own = ''] = [pick(indexed).content];
      const inDocument = own.split(' ').filter((code) => shown.includes(code));
      return [pick(frequent), pick(random(2) === 0 ? frequent : inDocument)];
    });
    const singles = Array.from({ length: QUERIES }, (_, n) => [n % 3 === 0 ? pick(frequent) : pick(shown)]);
    let several = 0;
    for (const wanted of [...singles, ...together]) {
      const expected = await findByPagefind(wanted);
      const found = Array.from((await own.index.search(wanted)).documents, (document) => own.urls[document] as string);
      expect(found.sort(), wanted.join(' ')).toEqual(expected);
      if (expected.length > 1) several++;
    }
    expect(several).toBeGreaterThan(QUERIES / 2);
  });
});

/** Returns the pages for a query, the best first, and their scores. */
async function rank(
  { index, vocabulary, urls }: BuiltIndex,
  query: string,
): Promise<{ pages: string[]; scores: Map<string, number> }> {
  const found = await findDocuments(query, index, async () => ({ ...spelling, all: vocabulary }), { isExact: true });
  const scores = new Map(Array.from(found?.documents ?? [], (document, i) => [urls[document] as string, found?.scores[i] ?? 0]));
  const pages = [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || (a < b ? -1 : 1));
  return { pages, scores };
}
