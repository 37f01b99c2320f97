/** Runs a search. The index finds the words; the facet table gives filters, years, counts and sort orders. */

import { cached } from '../../formats/cached.ts';
import { type Column, FACETS_DIRECTORY, type ParentOf } from '../../formats/search/facet-table.ts';
import type { IndexedResult } from '../../formats/search/result-blocks.ts';
import { INDEX_DIRECTORY } from '../../formats/search/start-file.ts';
import { readVocabulary, WORDS_DIRECTORY, WORDS_ENTRY } from '../../formats/search/vocabulary.ts';
import { encodeKey } from '../../formats/search/word-codes.ts';
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';
import { loadPack, loadPackTexts } from '../browser/pack-reader.ts';
import type { ListWords } from './corrections.ts';
import {
  type Counts,
  countDocuments,
  createFilter,
  type FacetFilter,
  type FilterColumns,
  sortDocuments,
  yearsOfDocuments,
} from './facet-filter.ts';
import { createFacetStore, type FacetStore } from './facet-store.ts';
import { type FoundDocuments, findDocuments } from './find-documents.ts';
import { foldFiles, groupSegments } from './fold-files.ts';
import { isPlaceName } from './load-names.ts';
import { type OpenIndex, openIndex } from './open-index.ts';
import type { FoundDocument } from './word-index.ts';

/** A document that was found. */
export interface FoundPage {
  /** The words of the query that it has, if it does not have all of them. */
  matched: ReadonlySet<string> | undefined;
  /** Loads what the result shows. */
  data(): Promise<IndexedResult>;
}

/** One result. */
export interface SearchResult extends FoundPage {
  /** Whether the record itself was found, and not only its files. */
  isFound: boolean;
  /** Its files with words of the query, best first; none without words, and none if the reader has chosen to see files. */
  files: FoundPage[];
  /** If it is an interview of which several segments were found, these, best first. They are not results of their own. */
  segments: FoundPage[];
}

/** What the reader typed and selected. */
export interface SearchQuery extends FacetFilter {
  words: string;
  sort: '' | 'title' | 'date';
  /** Whether words that no record has are not corrected. */
  isExact?: boolean | undefined;
}

/** Whether a query has neither words nor filters. */
export function isEmpty({ words, chosen, from, to }: SearchQuery): boolean {
  const hasChosen = Object.values(chosen).some((values) => (values ?? []).length > 0);
  return words.trim() === '' && !hasChosen && from === undefined && to === undefined;
}

/** Returns how lists show and sort the values of a facet of names; undefined for other facets. */
export type FiledBy = (facet: SearchFacet) => Column['filed'];

/** The response to a query. */
export interface SearchResponse {
  /** In the requested order. */
  results: SearchResult[];
  /** The number of records that were found: each segment of a result counts. */
  recordCount: number;
  /**
   * Returns the number of results that each value of some facets would give, with the choices in all other facets unchanged; and
   * how lists show and sort the values that are names.
   */
  counts(facets: readonly SearchFacet[]): Promise<{ counts: Counts; filedBy: FiledBy }>;
  /** Returns the first and last years of the results that there would be without chosen years. */
  years(): Promise<ReturnType<typeof yearsOfDocuments>>;
  /** Loads a small archive's columns that no query has needed yet, so that a visited page can be used without a network. */
  preload(): Promise<void>;
  /** How words were searched; undefined if the query has none. */
  words: Omit<FoundDocuments<FoundDocument>, 'documents'> | undefined;
}

/** What readers look for is rather a collection or an entire interview than a segment or file of it. */
const KIND_FACTORS: Readonly<Record<string, number>> = {
  collection: 1.35,
  article: 1.35,
  entity: 1.2,
  segment: 0.9,
  file: 0.4,
};

interface Engine extends OpenIndex {
  /** Returns all words, with the number of documents of each. */
  listWords: ListWords;
  facets: FacetStore;
  /** The kind of each document. */
  kinds: Column;
  parentOf: ParentOf;
}

let engine: Promise<Engine> | undefined;

async function loadEngine(root: string): Promise<Engine> {
  const assets = new URL(`${root}assets/`, document.baseURI).href;
  const facets = createFacetStore((pack) => loadPack(`${assets}${FACETS_DIRECTORY}/${pack}.js`));
  const [index, columns, parentOf] = await Promise.all([
    openIndex(`${assets}${INDEX_DIRECTORY}/`),
    facets.columns(['model']),
    facets.parents(),
  ]);
  const listWords = cached(1, async () => {
    const { ranges, loadText } = await loadPackTexts(`${assets}${WORDS_DIRECTORY}/`, WORDS_ENTRY);
    return readVocabulary(ranges, loadText);
  });
  return { ...index, listWords: () => listWords(''), facets, kinds: columns.get('model') as Column, parentOf };
}

/** What a reader who wants to see any record is shown. */
const RANDOM_KINDS: ReadonlySet<string> = new Set(['entity', 'segment']);

/**
 * Returns a record by chance; undefined if the archive has no item.
 * @throws {Error} if a part of the index could not be loaded
 */
export function findRandom(root: string): Promise<IndexedResult | undefined> {
  return withEngine(root, async ({ total, kinds, readResult }) => {
    const { values, offsets, codes } = kinds;
    const kindOf = (document: number) => values[codes[offsets[document] ?? 0] ?? 0] ?? '';
    const items = Array.from({ length: total }, (_, document) => document).filter((at) => RANDOM_KINDS.has(kindOf(at)));
    const chosen = items[Math.floor(Math.random() * items.length)];
    return chosen === undefined ? undefined : readResult(chosen);
  });
}

/** What the index has of a record beside what its result shows. */
export interface IndexedRecord extends IndexedResult {
  /** Its rights: a code or the name of a license; empty without any. */
  rights: string;
}

/**
 * Returns what the index has of records, by the paths of their pages; nothing of a record that is not in it.
 * @throws {Error} if a part of the index could not be loaded
 */
export function lookUpRecords(
  records: ReadonlyArray<{ id: string; path: string }>,
  root: string,
): Promise<Map<string, IndexedRecord>> {
  return withEngine(root, async ({ words, facets, readResult }) => {
    const rights = (await facets.columns(['rights'])).get('rights') as Column;
    const rightsOf = (document: number) => {
      const [from = 0, to = 0] = rights.offsets.subarray(document, document + 2);
      return from < to ? (rights.values[rights.codes[from] ?? 0] ?? '') : '';
    };
    const found = new Map<string, IndexedRecord>();
    const lookUp = async ({ id, path }: { id: string; path: string }) => {
      const key = encodeKey('id', id);
      // Other records can have the same words in another ID of theirs.
      for (const { document } of key === undefined ? [] : await words.search([key])) {
        const result = await readResult(document);
        if (result.url === path) found.set(path, { ...result, rights: rightsOf(document) });
      }
    };
    await Promise.all(records.map(lookUp));
    return found;
  });
}

/** Runs an action with the engine, loaded when first needed. If the action fails, the next one loads the engine again. */
async function withEngine<T>(root: string, action: (engine: Engine) => Promise<T>): Promise<T> {
  engine ??= loadEngine(root);
  const current = engine;
  try {
    return await action(await current);
  } catch (error) {
    if (engine === current) engine = undefined;
    throw error;
  }
}

/**
 * Searches the index of the site whose top is at `root`, a relative path. Without words and choices it returns no results, only
 * the counts of all records.
 * @throws {Error} if a part of the index could not be loaded; the next query tries again.
 */
export function search(query: SearchQuery, root: string): Promise<SearchResponse> {
  return withEngine(root, (loaded) => runQuery(query, loaded));
}

async function runQuery(query: SearchQuery, engine: Engine): Promise<SearchResponse> {
  const { total, facets, parentOf, readResult } = engine;
  const outcome = await findDocuments(query.words, engine.words, engine.listWords, {
    isExact: query.isExact,
    isPlace: isPlaceName,
  });
  const { documents: unordered, ...words } = outcome ?? { documents: undefined };
  const found = unordered && orderByRelevance(unordered, engine);
  const all = found ? found.map(({ document }) => document) : Array.from({ length: total }, (_, document) => document);
  const isSegment = isOfKind('segment', engine);
  const recordOf = (document: number) => (showsOnly('file', query) || isSegment(document) ? undefined : parentOf(document));
  const interviewOf = (document: number) =>
    found && isSegment(document) && !showsOnly('segment', query) ? parentOf(document) : undefined;
  const chosen = SEARCH_FACETS.filter((facet) => (query.chosen[facet] ?? []).length > 0);
  const hasYears = query.from !== undefined || query.to !== undefined;
  const resultsIn = (columns: FilterColumns, filter: FacetFilter) => {
    const passes = createFilter(columns, filter);
    const { documents, ...folded } = foldFiles(all, recordOf, passes);
    return { documents: documents.filter(passes), ...folded };
  };
  const response = {
    counts: async (wanted: readonly SearchFacet[]) => {
      const columns = await loadColumns(facets, [...new Set([...chosen, ...wanted])], hasYears);
      const counts = countDocuments(columns, all, query, wanted, recordOf);
      return { counts, filedBy: (facet: SearchFacet) => columns.columns.get(facet)?.filed };
    },
    years: async () => {
      const columns = await loadColumns(facets, chosen, true);
      return yearsOfDocuments(columns, resultsIn(columns, { ...query, from: undefined, to: undefined }).documents);
    },
    preload: () => (total > MAX_PRELOADED ? Promise.resolve() : preloadColumns(facets)),
    words: outcome && (words as SearchResponse['words']),
  };
  if (!found && !hasYears && chosen.length === 0) return { results: [], recordCount: 0, ...response };
  const { documents: matching, filesOf, onlyByFiles } = resultsIn(await loadColumns(facets, chosen, hasYears), query);
  const ordered = query.sort === '' ? matching : sortDocuments(await facets.ranks(query.sort), matching);
  const isAnyPartial = found?.[0]?.matched !== undefined; // then it is known of all
  const matched = new Map(isAnyPartial ? found.map((each) => [each.document, each.matched]) : []);
  const pageOf = (document: number): FoundPage => ({
    matched: matched.get(document),
    data: () => readResult(document),
  });
  const isMatching = new Set(ordered);
  const results = groupSegments(ordered, interviewOf).map(({ document, segments }): SearchResult => {
    const files = found ? (filesOf.get(document) ?? []) : [];
    const isFound = isMatching.has(document) && !onlyByFiles.has(document);
    return { ...pageOf(document), isFound, files: files.map(pageOf), segments: segments.map(pageOf) };
  });
  return { results, recordCount: ordered.length, ...response };
}

/** Whether files or segments are results of their own, because the reader has chosen them. */
function showsOnly(kind: 'file' | 'segment', { chosen }: SearchQuery): boolean {
  return chosen['model']?.includes(kind) ?? false;
}

/** Returns whether documents are of a kind. */
function isOfKind(kind: string, { kinds: { values, offsets, codes } }: Engine): (document: number) => boolean {
  const code = values.indexOf(kind);
  return (document) => codes[offsets[document] ?? 0] === code;
}

/** Columns of more documents are only loaded when they are needed. */
const MAX_PRELOADED = 5_000;

async function preloadColumns(facets: FacetStore): Promise<void> {
  await Promise.all([facets.columns(SEARCH_FACETS), facets.years(), facets.ranks('title'), facets.ranks('date')]);
}

async function loadColumns(facets: FacetStore, wanted: readonly SearchFacet[], hasYears: boolean) {
  const [columns, years] = await Promise.all([facets.columns(wanted), hasYears ? facets.years() : undefined]);
  return { columns, years };
}

/** Orders results by their scores and kinds; equal ones by their positions, so that the order is always the same. */
function orderByRelevance(results: readonly FoundDocument[], { kinds }: Engine): FoundDocument[] {
  const { values, offsets, codes } = kinds;
  const factors = values.map((kind) => KIND_FACTORS[kind] ?? 1);
  const factorOf = (document: number) => factors[codes[offsets[document] ?? 0] ?? 0] ?? 1;
  return results
    .map((result) => ({ ...result, score: result.score * factorOf(result.document) }))
    .sort((a, b) => b.score - a.score || a.document - b.document);
}
