/** Runs a search. The index finds the words; the facet table gives filters, years, counts and sort orders. */
import type { Column } from '../../formats/search/facet-table.ts';
import type { IndexedResult } from '../../formats/search/result-blocks.ts';
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';
import { suggest } from './corrections.ts';
import {
  countDocuments,
  createFilter,
  type FacetFilter,
  type FilterColumns,
  sortDocuments,
  yearsOfDocuments,
} from './facet-filter.ts';
import type { FacetStore } from './facet-store.ts';
import { type FoundDocuments, findDocuments, findWhole } from './find-documents.ts';
import { foldFiles, groupSegments } from './fold-files.ts';
import { type Documents, type Engine, withEngine } from './load-engine.ts';
import { findInNames } from './load-names.ts';
import { orderByRelevance } from './relevance.ts';

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

/** The results of a query. */
export interface Results {
  length: number;
  slice(from: number, to: number): SearchResult[];
}

declare global {
  interface Window {
    /** Returns all results of the latest search, for the script that exports them. */
    microficheResults?: () => Results | undefined;
  }
}

/** The response to a query. */
export type SearchResponse = Awaited<ReturnType<typeof runQuery>>;

/**
 * Searches the index of the site whose top is at `root`, a relative path. Without words and choices it returns no results, only
 * the counts of all records.
 * @throws {Error} if a part of the index could not be loaded; the next query tries again.
 */
export function search(query: SearchQuery, root: string): Promise<SearchResponse> {
  return withEngine(root, (loaded) => runQuery(query, loaded));
}

/**
 * Returns the result that a search has first, if the query is the entire ID, title or name of one record. In a large archive, all
 * others take much longer. Undefined for other queries.
 * @throws {Error} if a part of the index could not be loaded
 */
export function searchWhole(query: SearchQuery, root: string): Promise<SearchResult | undefined> {
  return withEngine(root, async ({ words, readResult }) => {
    const isByWords = query.sort === '' && isEmpty({ ...query, words: '' });
    const found = isByWords ? await findWhole(query.words, words) : undefined;
    const result = found === undefined ? undefined : await readResult(found);
    // A file is shown with its record.
    if (!result || result.meta.kind === 'file') return undefined;
    return { matched: undefined, data: async () => result, isFound: true, files: [], segments: [] };
  });
}

async function runQuery(query: SearchQuery, engine: Engine) {
  const { total, facets, loadSpelling } = engine;
  const [found, known] = await Promise.all([
    findDocuments(query.words, engine.words, loadSpelling, { isExact: query.isExact, findInNames }),
    engine.documents(),
  ]);
  const { parentOf } = known;
  const all = found ? orderByRelevance(found, known.kinds) : Uint32Array.from({ length: total }, (_, document) => document);
  const isSegment = isOfKind('segment', known);
  const recordOf = (document: number) => (showsOnly('file', query) || isSegment(document) ? undefined : parentOf(document));
  const chosen = SEARCH_FACETS.filter((facet) => (query.chosen[facet] ?? []).length > 0);
  const hasYears = query.from !== undefined || query.to !== undefined;
  const resultsIn = (columns: FilterColumns, filter: FacetFilter) => {
    const passes = createFilter(columns, filter);
    const { documents, ...folded } = foldFiles(all, total, recordOf, passes);
    return { documents: documents.filter(passes), ...folded };
  };
  const response = {
    /**
     * Returns the number of results that each value of some facets would give, with the choices in all other facets unchanged;
     * and how lists show and sort the values that are names.
     */
    counts: async (wanted: readonly SearchFacet[]) => {
      const columns = await loadColumns(facets, [...new Set([...chosen, ...wanted])], hasYears);
      const counts = countDocuments(columns, all, query, wanted, { total, recordOf });
      return { counts, filedBy: (facet: SearchFacet) => columns.columns.get(facet)?.filed };
    },
    /** Returns the first and last years of the results that there would be without chosen years. */
    years: async () => {
      const columns = await loadColumns(facets, chosen, true);
      return yearsOfDocuments(columns, resultsIn(columns, { ...query, from: undefined, to: undefined }).documents);
    },
    /** Loads a small archive's columns that no query has needed yet, so that a visited page can be used without a network. */
    preload: () => (total > MAX_PRELOADED ? Promise.resolve() : preloadColumns(facets)),
    /** How words were searched; undefined if the query has none. */
    words: found,
    /** Returns the unknown words that have a similar one. */
    suggestions: async () =>
      found && found.corrections.length === 0 ? suggest(found.unknown, { loadSpelling, findInNames }) : [],
    /** In the requested order. They are made when they are shown. */
    results: [] as Results,
    /** The number of records that were found: each segment of a result counts. */
    recordCount: 0,
  };
  if (!found && !hasYears && chosen.length === 0) return response;
  const folded = resultsIn(await loadColumns(facets, chosen, hasYears), query);
  const ordered = query.sort === '' ? folded.documents : sortDocuments(await facets.ranks(query.sort), folded.documents);
  const results = toResults(ordered, { ...folded, ...known, found }, query, engine);
  return { ...response, results, recordCount: ordered.length };
}

/** What is known of results: files that were found, and how documents were found, if by words. */
interface Foundings extends Documents, Pick<ReturnType<typeof foldFiles>, 'filesOf' | 'isOnlyByFiles'> {
  found: FoundDocuments | undefined;
}

/** Returns the results for documents, in their order. Several segments of an interview are one. */
function toResults(
  ordered: readonly number[],
  { filesOf, isOnlyByFiles, found, ...known }: Foundings,
  query: SearchQuery,
  { total, readResult }: Engine,
): Results {
  const { parentOf } = known;
  const isSegment = isOfKind('segment', known);
  const interviewOf = (document: number) => {
    const interview = found && isSegment(document) && !showsOnly('segment', query) ? parentOf(document) : undefined;
    // What is asked for by its ID or title is not one of several segments.
    const isAsked = interview !== undefined && found?.whole.has(document) && !found.whole.has(interview);
    return isAsked ? undefined : interview;
  };
  const { documents, segmentsOf } = groupSegments(ordered, total, interviewOf);
  const isMatching = new Uint8Array(total);
  for (const document of ordered) isMatching[document] = 1;
  const pageOf = (document: number): FoundPage => ({
    matched: found?.matchedBy?.(document),
    data: () => readResult(document),
  });
  const toResult = (document: number): SearchResult => ({
    ...pageOf(document),
    isFound: isMatching[document] === 1 && !isOnlyByFiles(document),
    files: found ? (filesOf.get(document) ?? []).map(pageOf) : [],
    segments: (segmentsOf.get(document) ?? []).map(pageOf),
  });
  return { length: documents.length, slice: (from, to) => documents.slice(from, to).map(toResult) };
}

/** Whether files or segments are results of their own, because the reader has chosen them. */
const showsOnly = (kind: 'file' | 'segment', { chosen }: SearchQuery): boolean => chosen['model']?.includes(kind) ?? false;

function isOfKind(kind: string, { kinds: { values, offsets, codes } }: Documents): (document: number) => boolean {
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
