/** Checks that builds write the same bytes with other numbers of threads, in shards, and as updates of earlier builds. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MANIFEST_FILE, readManifest } from '../../src/publish/manifest.ts';
import { changeTenTitles } from './change-titles.ts';
import { formatNumber, printStep, tableRow } from './format.ts';
import { itemId, itemRecord } from './generate-snapshot.ts';
import { measureCommand } from './measure.ts';
import { runBuild, runCleanBuild, runMerge } from './program.ts';
import type { ScaleWork } from './scale-work.ts';
import { runQueries } from './search.ts';

const THREADS = [1, 2, 4];
const SHARDS = 4;
const MAX_NAMED = 5;
const QUESTIONS = 500;
/** What search loads. */
const SEARCH = /^assets\/(?:index|facets|words|names)\//;

/** Runs this part. */
export async function benchIdentity({ few, directory, options, snapshotOf }: ScaleWork): Promise<void> {
  const snapshot = snapshotOf(few);
  const out = (name: string) => join(directory, `identity-${name}`);
  const reference = out('reference');
  const other = out('other');
  const rows: string[] = [];
  const withThreads = (threads: number) => ({ ...options, env: { ...options.env, MICROFICHE_THREADS: String(threads) } });
  const [first = 1, ...others] = THREADS;
  printStep(`${formatNumber(few)} records with ${THREADS.join(', ')} threads`);
  await runCleanBuild(snapshot, reference, withThreads(first));
  for (const threads of others) {
    await runCleanBuild(snapshot, other, withThreads(threads));
    rows.push(await compareSites(`${threads} threads; ${first} thread`, other, reference));
  }
  printStep(`the same in ${SHARDS} shards`);
  const shards = Array.from({ length: SHARDS }, (_, number) => out(`shard-${number}`));
  for (const [number, shard] of shards.entries())
    await runBuild(snapshot, shard, ['--clean', '--shard', `${number}/${SHARDS}`], options);
  const merged = out('merged');
  await runMerge(merged, shards, options);
  rows.push(await compareSites(`${SHARDS} shards, merged; one build`, merged, reference));
  printStep('the same with ten records changed');
  changeTenTitles(snapshot, few, 1);
  const { report } = await runBuild(snapshot, reference, [], options);
  await runCleanBuild(snapshot, other, options);
  const isPage = (path: string) => path.endsWith('.html');
  rows.push(
    await compareSites('pages of an update after ten changes; of a build from scratch', reference, other, isPage),
    await compareSites('other files of the same', reference, other, (path) => !isPage(path)),
  );
  rows.push(await searchBoth(few, reference, other));
  printStep('the same with --clean, over the updated site and its cache');
  await runBuild(snapshot, reference, ['--clean'], options);
  const isOfSearch = (path: string) => SEARCH.test(path);
  rows.push(
    await compareSites('search after `--clean`; of a build in an empty cache', reference, other, isOfSearch),
    await compareSites('other files of the same', reference, other, (path) => !isOfSearch(path)),
  );
  console.log(`
| the same bytes? (${formatNumber(few)} records) | files | different |
| --- | ---: | --- |
${rows.join('\n')}

The update rendered ${formatNumber(report.rebuilt.pages)} pages. The manifests were compared, after the files were checked against them.
`);
}

/** Searches an updated site, and one built from scratch, for the same questions. Returns a row of the table, and a sentence. */
async function searchBoth(records: number, updated: string, fresh: string): Promise<string> {
  printStep(`${QUESTIONS} questions, searched in both`);
  const questions = Array.from({ length: QUESTIONS }, (_, n) => ({ query: createQuestion(n, records) }));
  const [ours, theirs] = [await search(updated, questions), await search(fresh, questions)];
  const different = questions.filter((_, n) => ours[n] !== theirs[n]).map(({ query }) => query);
  const title = `results of ${QUESTIONS} questions after the update: numbers, suggestions, and documents of at most 20 results; of a build from scratch`;
  return tableRow(title, formatNumber(QUESTIONS), formatDifferences(different));
}

/** Returns what the search page shows for each question. The order of close scores may differ, so documents are sorted. */
async function search(site: string, questions: ReadonlyArray<{ query: string }>): Promise<string[]> {
  const shown = await runQueries(pathToFileURL(site).href, questions);
  return shown.map(({ total, first, suggestion }) =>
    JSON.stringify([total, suggestion, total <= first.length ? first.toSorted() : []]),
  );
}

/** Returns a question: one to three words of one of the `count` generated records, the beginning of one, or an ID. */
function createQuestion(question: number, count: number): string {
  // Prime numbers, so that the questions are about records and words that are far from each other.
  const n = (question * 7_919) % count;
  const { title, description } = itemRecord(n);
  const words = `${title} ${description}`.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  const word = (at: number) => words[(question + at * 13) % words.length] as string;
  const kinds = [
    word(0),
    `${word(0)} ${word(1)}`,
    `${word(0)} ${word(1)} ${word(2)}`,
    word(3).slice(0, 3),
    `"${words[0]} ${words[1]}"`,
    `changed ${word(1)}`,
    itemId(n),
    `${word(0)} view ${n}`,
  ];
  return kinds[question % kinds.length] as string;
}

function formatDifferences(different: readonly string[]): string {
  return different.length === 0 ? 'none' : `**${different.length}**: ${different.slice(0, MAX_NAMED).join(', ')}`;
}

/** Compares the manifests of two sites, and each with its files. Returns a row of the table. */
async function compareSites(
  title: string,
  ours: string,
  theirs: string,
  includes: (path: string) => boolean = () => true,
): Promise<string> {
  const checksums = async (site: string) => {
    await measureCommand('sha256sum', ['--check', '--quiet', '--strict', MANIFEST_FILE], { cwd: site });
    return new Map(
      readManifest(site)
        .filter(({ path }) => includes(path))
        .map(({ path, sha256 }) => [path, sha256]),
    );
  };
  const [a, b] = [await checksums(ours), await checksums(theirs)];
  const different = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort();
  return tableRow(title, formatNumber(b.size), formatDifferences(different));
}
