/** Which documents a search finds: the same as a plain scan of all documents, however the index is divided. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDocuments } from '../src/client/find-documents.ts';
import type { Pagefind, SearchResult } from '../src/client/search-engine.ts';
import { foldText, splitNameParts, splitQueryWords, splitWords } from '../src/client/searchable-text.ts';
import { isStopWord } from '../src/client/stop-words.ts';
import { createVocabulary, encodeWords, type Vocabulary } from '../src/client/vocabulary.ts';
import type { FoundDocument, WordIndex } from '../src/client/word-index.ts';
import { type SearchDocument, searchedTexts } from '../src/search/documents.ts';
import { writeSearchIndex } from '../src/search/write-index.ts';
import { startStaticHost } from './static-host.ts';
import { createSharedDirectory, LONG } from './support.ts';

const DOCUMENTS = LONG ? 20_000 : 1_200;
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
  ...'net nets netherby cannery Constance crew whistle 17 170 1942 1940s Women’s O’Tide Ōta Zoë 山の灯り 照らす 港 録音 김바다 ｶﾞﾗｽ ｆｌｏｏｄ'.split(
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
    const isLast = word === all.at(-1) && [...word].length >= 3;
    const isCharacter = /^\p{Script=Han}$/u.test(word);
    return own.has(word) || ((isLast || isCharacter) && [...own].some((other) => other.startsWith(word)));
  });
}

interface BuiltIndex {
  index: WordIndex<FoundDocument & Pick<SearchResult, 'data'>>;
  vocabulary: Vocabulary;
  urls: Map<string, string>;
}

/** Writes an index of documents, and opens it over HTTP as the search page does. `wordsPerPack` divides the vocabulary. */
async function buildIndex(
  name: string,
  documents: readonly SearchDocument[],
  top: string,
  wordsPerPack: number,
): Promise<BuiltIndex> {
  const out = join(temporaryDirectory.path, name);
  const pages = documents.map((document) => ({ page: document.url, create: () => document }));
  const { vocabulary, facets, problems } = await writeSearchIndex(pages, out);
  expect(problems).toEqual([]);
  const packs = Array.from({ length: Math.ceil(vocabulary.length / wordsPerPack) }, (_, i) =>
    vocabulary.slice(i * wordsPerPack, (i + 1) * wordsPerPack),
  );
  const { createInstance } = (await import(pathToFileURL(join(out, 'pagefind.js')).href)) as {
    createInstance(options: object): Pagefind;
  };
  const pagefind = createInstance({ basePath: `${top}/${name}/`, noWorker: true });
  await pagefind.init();
  return {
    index: {
      loaded: new Set(),
      preload: (codes) => pagefind.preload(codes),
      search: async (codes) => (await pagefind.search(codes, { filters: {}, sort: {} })).results,
    },
    vocabulary: createVocabulary(
      packs.map((pack, i) => [pack[0]?.word ?? '', String(i)]),
      async (i) => encodeWords(packs[Number(i)] ?? []),
    ),
    urls: new Map(facets.ids.map((id, i) => [id, documents[i]?.url ?? ''])),
  };
}

/** Returns the pages that have all words of a query, sorted; none if words had to be left out. */
async function find({ index, vocabulary, urls }: BuiltIndex, query: string): Promise<string[]> {
  // A connection that the host closes at the same moment fails once; the page, too, lets its reader search again.
  const attempt = () => findDocuments(query, index, vocabulary);
  const found = await attempt().catch(attempt);
  if (!found || found.unknown.length > 0 || found.isPartial || found.leftOut.length > 0) return [];
  return found.documents.map(({ id }) => urls.get(id) ?? id).sort();
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
  let host: Awaited<ReturnType<typeof startStaticHost>>;
  let whole: BuiltIndex;
  beforeAll(async () => {
    host = await startStaticHost(temporaryDirectory.path);
    whole = await buildIndex('whole', documents, host.url, 4096);
  }, 600_000);
  afterAll(() => host.stop());

  it('finds what a plain scan finds', async () => {
    for (const [i, query] of queries.entries()) expect(await find(whole, query), query).toEqual(expected[i]);
    expect(expected.filter((urls) => urls.length > 0).length).toBeGreaterThan(QUERIES / 2);
  }, 600_000);

  it('finds the same if other documents divide the index differently', async () => {
    const others = Array.from({ length: DOCUMENTS / 2 }, (_, n) => createDocument(DOCUMENTS + n));
    const larger = await buildIndex('larger', [...others, ...documents], host.url, 100);
    for (const [i, query] of queries.entries())
      expect(
        (await find(larger, query)).filter((url) => scanned.has(url)),
        query,
      ).toEqual(expected[i]);
  }, 600_000);

  it('finds the same in several indexes together', async () => {
    const parts: BuiltIndex[] = [];
    for (const part of [0, 1, 2])
      parts.push(
        await buildIndex(
          `part${part}`,
          documents.filter((_, n) => n % 3 === part),
          host.url,
          1000,
        ),
      );
    for (const [i, query] of queries.entries()) {
      const found = await Promise.all(parts.map((part) => find(part, query)));
      expect(found.flat().sort(), query).toEqual(expected[i]);
    }
  }, 600_000);

  it('indexes exactly the words of the vocabulary', async () => {
    const all = new Set(documents.flatMap((document) => [...scan({ ...document, hidden: '' })]));
    expect((await whole.vocabulary.listAll()).map(({ word }) => word)).toEqual([...all].sort());
    const [entry] = Object.values(
      (
        JSON.parse(readFileSync(join(temporaryDirectory.path, 'whole/pagefind-entry.json'), 'utf8')) as {
          languages: Record<string, { page_count: number }>;
        }
      ).languages,
    );
    expect(entry?.page_count).toBe(DOCUMENTS);
  });
});
