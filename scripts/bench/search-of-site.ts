/** Searches built sites without a browser, and compares the results: the same documents, and the same counts of facet values. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { DIRECTORY, type Ranges } from '../../src/formats/pack-format.ts';
import { FACETS_DIRECTORY } from '../../src/formats/search/facet-table.ts';
import { parseFragmentName } from '../../src/formats/search/fragment-names.ts';
import { createVocabulary, WORDS_DIRECTORY, WORDS_ENTRY } from '../../src/formats/search/vocabulary.ts';
import { SEARCH_FACETS } from '../../src/model/facets.ts';
import { readPack } from '../../src/publish/packs/pack-writer.ts';
import { countDocuments } from '../../src/reader/search/facet-filter.ts';
import { createFacetStore } from '../../src/reader/search/facet-store.ts';
import { findDocuments } from '../../src/reader/search/find-documents.ts';
import { createIndexOfWords } from '../../src/reader/search/index-of-words.ts';
import { type Fragment, type Pagefind, RANKING } from '../../src/reader/search/index-parts.ts';
import { directoryOfPart } from '../../src/search/plan-parts.ts';
import { itemId, itemRecord } from './generate-snapshot.ts';
import type { Json } from './records.ts';
import { startThrottledServer } from './throttled-server.ts';

/** Opens the search of the site in a directory, from the search files for HTTP, with the code that runs in the browser. */
async function openSearch(site: string) {
  const readAsset = (path: string) => readFileSync(join(site, 'assets', `${path}.js`), 'utf8');
  const readEntries = (path: string) => new Map(Array.from(readPack(readAsset(path)), ({ name, data }) => [name, data]));
  const facets = createFacetStore(async (pack) => readEntries(`${FACETS_DIRECTORY}/${pack}`));
  const [parts, names, columns] = await Promise.all([facets.parts(), facets.documents(), facets.columns(SEARCH_FACETS)]);
  const pageOf = new Map(
    Array.from({ length: names.count }, (_, document) => {
      const id = names.nameOf(document);
      const file = join(site, 'pagefind', directoryOfPart(parseFragmentName(id).name), 'fragment', `${id}.pf_fragment`);
      const { url } = JSON.parse(gunzipSync(readFileSync(file)).subarray('pagefind_dcd'.length).toString()) as Fragment;
      return [id, url];
    }),
  );
  const ranges = JSON.parse(readAsset(`${WORDS_DIRECTORY}/${DIRECTORY}`).replace(/^[^,]*,|\);\n$/g, '')) as Ranges;
  const vocabulary = createVocabulary(ranges, async (pack) =>
    new TextDecoder().decode(readEntries(`${WORDS_DIRECTORY}/${pack}`).get(WORDS_ENTRY)),
  );
  const server = await startThrottledServer(site, { latencyMs: 0, bytesPerSecond: Number.MAX_SAFE_INTEGER }, false);
  const pagefind = await openPagefind(
    site,
    parts.map(({ name }) => `${server.url}pagefind/${directoryOfPart(name)}`),
  );
  const index = createIndexOfWords(pagefind, parts, names.documentOf);
  return {
    /** The number of documents. */
    documents: names.count,
    /** The names of the parts of the index. */
    parts: parts.map(({ name }) => name),
    /** Returns the paths of the pages, sorted, and the numbers of results with each facet value. */
    async find(question: string) {
      const found = await findDocuments(question, index, vocabulary);
      const documents = (found?.documents ?? []).map(({ document }) => document);
      const filter = { chosen: {}, from: undefined, to: undefined };
      return {
        pages: documents.map((document) => pageOf.get(names.nameOf(document)) as string).sort(),
        counts: countDocuments({ columns, years: undefined }, documents, filter, SEARCH_FACETS),
      };
    },
    async stop() {
      await pagefind.destroy();
      await server.stop();
    },
  };
}

async function openPagefind(site: string, [first = '', ...others]: readonly string[]): Promise<Pagefind> {
  const module = pathToFileURL(join(site, 'pagefind/pagefind.js')).href;
  const { createInstance } = (await import(module)) as { createInstance(options: object): Pagefind };
  const pagefind = createInstance({ basePath: first, noWorker: true, ranking: RANKING });
  await pagefind.options({ ranking: RANKING });
  for (const part of others) await pagefind.mergeIndex(part, { ranking: RANKING });
  return pagefind;
}

/** Returns `count` questions with words of generated records: one to three words, the beginning of one, or an ID. */
export function createQuestions(count: number, questions: number): string[] {
  const wordsOf = (n: number) =>
    `${textOf(itemRecord(n), 'title')} ${textOf(itemRecord(n), 'description')}`.split(/[^\p{L}\p{N}]+/u);
  return Array.from({ length: questions }, (_, i) => {
    // Prime numbers, so that the questions are about records and words that are far from each other.
    const n = (i * 7_919) % count;
    const words = wordsOf(n).filter((word) => word.length > 1);
    const word = (at: number) => words[(i + at * 13) % words.length] as string;
    const kinds = [
      () => word(0),
      () => `${word(0)} ${word(1)}`,
      () => `${word(0)} ${word(1)} ${word(2)}`,
      () => word(3).slice(0, 3),
      () => `"${words[0]} ${words[1]}"`,
      () => `changed ${word(1)}`,
      () => itemId(n),
      () => `${word(0)} view ${n}`,
    ];
    return (kinds[i % kinds.length] as () => string)();
  });
}

const textOf = (record: Json, field: string) => String(record[field] ?? '');

/** What a comparison of searches has found. */
export interface SearchComparison {
  /** The questions that have results. */
  withResults: number;
  /** All results of all questions together. */
  results: number;
  /** The questions of which the documents or the counts differ. */
  different: string[];
  /** The names of the parts of each index. */
  parts: [ours: string[], theirs: string[]];
}

/** Searches two sites for the same questions, and compares their documents and counts. Close scores may be in another order. */
export async function compareSearches(ours: string, theirs: string, questions: readonly string[]): Promise<SearchComparison> {
  const [a, b] = [await openSearch(ours), await openSearch(theirs)];
  try {
    const comparison: SearchComparison = { withResults: 0, results: 0, different: [], parts: [a.parts, b.parts] };
    if (a.documents !== b.documents) comparison.different.push(`${a.documents} and ${b.documents} documents`);
    for (const question of questions) {
      const [own, other] = [await a.find(question), await b.find(question)];
      if (JSON.stringify(own) !== JSON.stringify(other)) comparison.different.push(question);
      if (other.pages.length > 0) comparison.withResults++;
      comparison.results += other.pages.length;
    }
    return comparison;
  } finally {
    await a.stop();
    await b.stop();
  }
}
