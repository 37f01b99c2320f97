/** The benchmark of a million records: generated, harvested, and built in shards, one step after the other. A step that is done is not done again. Prints a table. */
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { snapshotFingerprint } from '../../src/publish/site-identity.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { formatNumber, printStep, tableRow } from './format.ts';
import { measureCommand, startUpstream } from './measure.ts';
import { openState, SNAPSHOT_DIRECTORY, STATE_FILE, type State, type Step } from './million-state.ts';
import { runBuild, runMerge, runProgram } from './program.ts';

const CONCURRENCY = 64;

/** Size of the benchmark. */
export interface MillionOptions {
  records: number;
  shards: number;
  /** Whether the snapshot and the site are kept after the last step. */
  keep: boolean;
  /** Contains the files of the benchmark, in a directory of its own. */
  directory: string;
}

/** Runs the steps that are not done, and prints what all of them took. */
export async function benchMillion({ records, shards: count, keep, directory }: MillionOptions): Promise<void> {
  const own = join(directory, 'microfiche-bench-million');
  mkdirSync(own, { recursive: true });
  const state = openState(own, { records, shards: count });
  const { bavail, bsize } = statfsSync(own);
  printStep(`${own}: ${state.count()} steps are done; ${formatBytes(bavail * bsize)} are free on its disk`);
  const snapshot = join(own, SNAPSHOT_DIRECTORY);
  const shards = Array.from({ length: count }, (_, number) => join(own, `shard-${number}`));
  const site = join(own, 'site');
  await runStep(state, 'generate', [snapshot], () => generate(snapshot, records));
  await runStep(state, 'harvest over loopback', [join(own, 'harvested')], () => harvest(own, snapshot, records));
  for (const [number, shard] of shards.entries())
    await runStep(state, `shard ${number}`, [shard], () => buildShard(snapshot, shard, `${number}/${count}`, join(own, 'cache')));
  await runStep(state, 'merge', [site, join(own, 'cache')], () => merge(site, shards, join(own, 'cache')));
  printTable(records, count, state);
  if (keep) printStep(`kept: ${snapshot} and ${site}`);
  else for (const name of readdirSync(own)) if (name !== STATE_FILE) rmSync(join(own, name), { recursive: true, force: true });
}

/** Runs a step unless it is done. First deletes what an interrupted one has left in `paths`. */
async function runStep(state: State, name: string, paths: readonly string[], run: () => Promise<Step>): Promise<void> {
  if (state.get(name)) return;
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  printStep(`${name} …`);
  const step = await run();
  state.put(name, step);
  printStep(`${name}: ${step.seconds.toFixed(1)} s, ${memoryOf(step)}`);
}

async function generate(snapshot: string, records: number): Promise<Step> {
  const script = join(import.meta.dirname, 'generate.ts');
  const measured = await measureCommand(process.execPath, [script, snapshot, String(records)]);
  return { ...measured, ...sizeOf(snapshot) };
}

/** Harvests the records of the snapshot from an upstream that has the same, and compares both snapshots. */
async function harvest(own: string, snapshot: string, records: number): Promise<Step> {
  const upstream = await startUpstream('generated-upstream.ts', String(records));
  const harvested = join(own, 'harvested');
  try {
    const args = ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--root', 'lica'];
    const options = ['--snapshot', harvested, '--concurrency', String(CONCURRENCY)];
    const { report, seconds, megabytes } = await runProgram<HarvestReport>([...args, ...options]);
    if (!report.complete) throw new Error(`The harvest was not completed: ${JSON.stringify(report)}`);
    const size = sizeOf(harvested);
    const [ours, theirs] = [snapshot, harvested].map(fingerprintOf);
    if (ours !== theirs) throw new Error('The harvested records are not those that were generated');
    rmSync(harvested, { recursive: true });
    return { seconds, megabytes, ...size, note: 'the same records' };
  } finally {
    upstream.process.kill();
  }
}

/** Builds a shard. All shards have one cache, so that the first one reads the snapshot for all. Deletes the caches of finished ones. */
async function buildShard(snapshot: string, shard: string, part: string, cache: string): Promise<Step> {
  const env = { MICROFICHE_CACHE: cache };
  const { report, seconds, megabytes } = await runBuild(snapshot, shard, ['--shard', part], { env });
  for (const name of readdirSync(cache)) if (name !== 'catalogues') rmSync(join(cache, name), { recursive: true, force: true });
  return { seconds, megabytes, files: report.files, bytes: report.bytes, note: stepsOf(report.seconds) };
}

async function merge(site: string, shards: readonly string[], cache: string): Promise<Step> {
  const { report, seconds, megabytes } = await runMerge(site, shards, { env: { MICROFICHE_CACHE: cache } });
  rmSync(cache, { recursive: true, force: true });
  const isLinked = statSync(join(site, 'objects/lica-bench-1-1.html')).nlink > 1;
  const note = isLinked ? 'hard links to the files of the shards' : 'copies of the files of the shards';
  return { seconds, megabytes, files: report.files, bytes: report.bytes, note };
}

/** Returns the steps of a build that took longest. */
function stepsOf(seconds: Readonly<Record<string, number>>): string {
  return Object.entries(seconds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([step, took]) => `${step} ${took.toFixed(1)}`)
    .join(', ');
}

function fingerprintOf(snapshot: string): string {
  const store = openSnapshot(snapshot);
  try {
    return snapshotFingerprint(store);
  } finally {
    store.close();
  }
}

function sizeOf(directory: string): { files: number; bytes: number } {
  if (!existsSync(directory)) return { files: 0, bytes: 0 };
  const files = listFiles(directory);
  return { files: files.length, bytes: files.reduce((total, [, file]) => total + statSync(file).size, 0) };
}

function memoryOf({ megabytes }: Step): string {
  return megabytes === undefined ? 'unknown' : `${Math.round(megabytes)} MB`;
}

function printTable(records: number, count: number, state: State): void {
  const steps = state.list();
  const row = (name: string, step: Step) =>
    tableRow(name, step.seconds.toFixed(1), memoryOf(step), formatNumber(step.files), formatNumber(step.bytes), step.note ?? '');
  const built = steps.filter(([name]) => name.startsWith('shard ')).map(([, step]) => step);
  const total = (value: (step: Step) => number) => built.reduce((all, step) => all + value(step), 0);
  const all: Step = {
    seconds: total(({ seconds }) => seconds),
    megabytes: Math.max(...built.map(({ megabytes = Number.NaN }) => megabytes)),
    files: total(({ files }) => files),
    bytes: total(({ bytes }) => bytes),
    note: 'together; memory of the largest',
  };
  const [longest, took] = steps.reduce((a, b) => (b[1].seconds > a[1].seconds ? b : a));
  console.log(`
| ${formatNumber(records)} records in ${count} shards, step | seconds | peak memory | files | bytes | |
| --- | ---: | ---: | ---: | ---: | --- |
${steps.map(([name, step]) => row(name, step)).join('\n')}
${row('all shards', all)}

The longest step was ${longest}, with ${(took.seconds / 60).toFixed(1)} minutes.
`);
}
