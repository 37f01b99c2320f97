/** Checks that builds write the same bytes with other numbers of threads, in shards, and as updates of earlier builds. */
import { join } from 'node:path';
import { MANIFEST_FILE, readManifest } from '../../src/publish/manifest.ts';
import { changeTenTitles } from './change-titles.ts';
import { formatNumber, printStep, tableRow } from './format.ts';
import { measureCommand } from './measure.ts';
import { runBuild, runCleanBuild, runMerge } from './program.ts';
import type { ScaleWork } from './scale-work.ts';
import { compareSearches, createQuestions } from './search-of-site.ts';

const THREADS = [1, 2, 4];
const SHARDS = 4;
const MAX_NAMED = 5;
const QUESTIONS = 500;
/** What search loads. */
const SEARCH = /^(?:pagefind|packs|assets\/(?:facets|words|names))\//;

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
  const { text, row } = await searchBoth(few, reference, other);
  rows.push(row);
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
${text}
`);
}

/** Searches an updated site, and one built from scratch, for the same questions. Returns a row of the table, and a sentence. */
async function searchBoth(records: number, updated: string, fresh: string): Promise<{ row: string; text: string }> {
  printStep(`${QUESTIONS} questions, searched in both`);
  const questions = createQuestions(records, QUESTIONS);
  const { withResults, results, different, parts } = await compareSearches(updated, fresh, questions);
  const [ours, theirs] = parts.map((names) => names.join(', '));
  const title = `results of ${QUESTIONS} questions after the update: documents and counts; of a build from scratch`;
  return {
    row: tableRow(title, formatNumber(QUESTIONS), formatDifferences(different)),
    text: `${formatNumber(withResults)} of the questions have results, ${formatNumber(results)} in all. The index of the update has the parts ${ours}; that of the build from scratch, ${theirs}.`,
  };
}

function formatDifferences(different: readonly string[]): string {
  return different.length === 0 ? 'none' : `**${different.length}**: ${different.slice(0, MAX_NAMED).join(', ')}`;
}

/** Compares the manifests of two sites, and each with its files. Returns a row of the table. */
export async function compareSites(
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
