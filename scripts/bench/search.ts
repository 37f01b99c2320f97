/** The search benchmark: types queries into the sample archive's search page, and compares results with relevant pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram, withDirectory } from './program.ts';
import { launch, type ShownResults, typeQuery } from './search-in-browser.ts';

const QUERIES_FILE = join(import.meta.dirname, 'search-queries.json');

/** A query with the pages that are relevant to it. */
export interface JudgedQuery {
  query: string;
  /** Paths of these pages; none if nothing should be found. */
  relevant: string[];
  /** What kind of query it is. */
  kind: string;
  /** Why these are relevant. */
  why: string;
  /** The word that the page should suggest. */
  didYouMean?: string;
}

/** The quality of search. */
type SearchQuality = ReturnType<typeof measureQuality>;

/** Runs the benchmark, and prints a table. */
export const benchSearch = () =>
  withDirectory('search', async (directory) => {
    const dist = join(directory, 'dist');
    await runProgram(['mirror', '--snapshot', join(directory, 'snapshot'), '--dir', dist]);
    const queries = JSON.parse(readFileSync(QUERIES_FILE, 'utf8')) as JudgedQuery[];
    const shown = await runQueries(pathToFileURL(dist).href, queries);
    printQuality(queries, measureQuality(queries, shown));
  });

/** Types each query into the search page of the site at the URL `top`. */
export async function runQueries(top: string, queries: ReadonlyArray<Pick<JudgedQuery, 'query'>>): Promise<ShownResults[]> {
  await using browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${top}/search.html`);
  await page.focus('#q'); // on a small screen, the engine is loaded when the reader turns to the field
  await page.waitForSelector('#results[aria-busy="false"]');
  const shown: ShownResults[] = [];
  for (const { query } of queries) shown.push(await typeQuery(page, query));
  return shown;
}

/** Compares what the page showed with the relevant pages. */
function measureQuality(queries: readonly JudgedQuery[], shown: readonly ShownResults[]) {
  const judged = queries.map((query, i) => ({ ...query, ...(shown[i] as ShownResults) }));
  const judgeable = judged.filter(({ relevant }) => relevant.length > 0);
  const ranks = judgeable.map(({ relevant, first }) => first.findIndex((path) => relevant.includes(path)) + 1 || undefined);
  const share = (limit: number) => ranks.filter((rank) => rank !== undefined && rank <= limit).length / judgeable.length;
  const total = (count: (query: (typeof judged)[number]) => number) =>
    judged.reduce((previous, query) => previous + count(query), 0);
  const suggested = judged.filter(({ didYouMean }) => didYouMean !== undefined);
  return {
    /** Mean reciprocal rank of the first relevant page, of the queries that have one. */
    mrr: ranks.reduce<number>((previous, rank) => previous + (rank === undefined ? 0 : 1 / rank), 0) / judgeable.length,
    /** Shares of these queries with a relevant page first, and among the first three. */
    first: share(1),
    third: share(3),
    /** Those of which no relevant page was found. */
    notFound: judgeable.filter((_, i) => ranks[i] === undefined).map(({ query }) => query),
    /** Number of results of queries that have no relevant page, nor similar words. */
    falseResults: total(({ relevant, didYouMean, total: found }) =>
      relevant.length + (didYouMean ?? '').length === 0 ? found : 0,
    ),
    /** Share of results that show why they were found. */
    explained: total(({ explained }) => explained) / total(({ first }) => first.length),
    /** Corrections or suggestions that were expected, and those that were right. */
    suggestions: {
      expected: suggested.length,
      right: suggested.filter(({ didYouMean, suggestion }) => suggestion?.match(/\p{L}+/gu)?.includes(didYouMean ?? '')).length,
    },
    /** Queries of which the first result is not relevant, with the rank of the first one that is. */
    misses: judgeable.flatMap(({ query, first }, i) => (ranks[i] === 1 ? [] : [{ query, rank: ranks[i], got: first[0] }])),
  };
}

function printQuality(queries: readonly JudgedQuery[], quality: SearchQuality): void {
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const { mrr, first, third, notFound, falseResults, explained, suggestions, misses } = quality;
  console.log(`
| ${queries.length} queries on the sample archive | |
| --- | ---: |
| mean reciprocal rank | ${mrr.toFixed(3)} |
| first result is relevant | ${percent(first)} |
| a relevant page is among the first three | ${percent(third)} |
| no relevant page found | ${notFound.length} |
| results of queries that have no relevant page | ${falseResults} |
| results that show why they were found | ${percent(explained)} |
| expected corrections and suggestions | ${suggestions.right} of ${suggestions.expected} |
`);
  for (const { query, rank, got } of misses) console.log(`${query}: relevant page at ${rank ?? '–'}; first result ${got ?? '–'}`);
}
