/** The search benchmark: types queries into the sample archive's search page, and compares results with relevant pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BenchSize, runProgram, withDirectory } from './program.ts';
import { launch, type ShownResults, typeQuery } from './search-in-browser.ts';

/** A query with the pages that are relevant to it. */
export interface JudgedQuery {
  query: string;
  /** Paths of these pages; none if nothing should be found. */
  relevant: string[];
  kind: string;
  why: string;
  /** The word that the page should suggest. */
  didYouMean?: string;
}

/** Runs the benchmark, and prints a table. */
export const benchSearch = ({ dir }: Pick<BenchSize, 'dir'>) =>
  withDirectory('search', dir, async (directory) => {
    const dist = join(directory, 'dist');
    await runProgram(['mirror', '--snapshot', join(directory, 'snapshot'), '--dir', dist]);
    const queries = JSON.parse(readFileSync(join(import.meta.dirname, 'search-queries.json'), 'utf8')) as JudgedQuery[];
    printQuality(queries, await runQueries(pathToFileURL(dist).href, queries));
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
function printQuality(queries: readonly JudgedQuery[], shown: readonly ShownResults[]): void {
  const judged = queries.map((query, i) => ({ ...query, ...(shown[i] as ShownResults) }));
  const judgeable = judged.filter(({ relevant }) => relevant.length > 0);
  /** Ranks of the first relevant pages, from 1; 0 without one. */
  const ranks = judgeable.map(({ relevant, first }) => first.findIndex((path) => relevant.includes(path)) + 1);
  const found = ranks.filter((rank) => rank > 0);
  const total = (count: (query: (typeof judged)[number]) => number) =>
    judged.reduce((previous, query) => previous + count(query), 0);
  const percent = (part: number, all: number) => `${((part / all) * 100).toFixed(1)} %`;
  const shareUpTo = (limit: number) => percent(found.filter((rank) => rank <= limit).length, ranks.length);
  const reciprocalRanks = found.reduce((previous, rank) => previous + 1 / rank, 0);
  const falseResults = total(({ relevant, didYouMean, total: results }) =>
    relevant.length + (didYouMean ?? '').length === 0 ? results : 0,
  );
  const explained = percent(
    total((query) => query.explained),
    total(({ first }) => first.length),
  );
  const suggested = judged.filter(({ didYouMean }) => didYouMean !== undefined);
  const right = suggested.filter(({ didYouMean, suggestion }) => suggestion?.match(/\p{L}+/gu)?.includes(didYouMean ?? ''));
  console.log(`
| ${queries.length} queries on the sample archive | |
| --- | ---: |
| mean reciprocal rank | ${(reciprocalRanks / ranks.length).toFixed(3)} |
| first result is relevant | ${shareUpTo(1)} |
| a relevant page is among the first three | ${shareUpTo(3)} |
| no relevant page found | ${ranks.length - found.length} |
| results of queries that have no relevant page | ${falseResults} |
| results that show why they were found | ${explained} |
| expected corrections and suggestions | ${right.length} of ${suggested.length} |
`);
  for (const [i, { query, first }] of judgeable.entries())
    if (ranks[i] !== 1) console.log(`${query}: relevant page at ${ranks[i] || '–'}; first result ${first[0] ?? '–'}`);
}
