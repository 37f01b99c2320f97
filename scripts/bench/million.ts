/** The benchmark of a million records: generated, harvested, and built in shards. A finished step is not repeated. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { hashOfProgram } from '../../src/build/steps/build-key.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { snapshotFingerprint } from '../../src/publish/site-identity.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { formatNumber, printStep, tableRow } from './format.ts';
import { type Measurement, measureCommand, startUpstream } from './measure.ts';
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
  const workDirectory = join(directory, 'microfiche-bench-million');
  mkdirSync(workDirectory, { recursive: true });
  const state = openState(workDirectory, { records, shards: count });
  const { bavail, bsize } = statfsSync(workDirectory);
  printStep(`${workDirectory}: ${state.count()} steps are done; ${formatBytes(bavail * bsize)} are free on its disk`);
  const snapshot = join(workDirectory, SNAPSHOT_DIRECTORY);
  const shards = Array.from({ length: count }, (_, number) => join(workDirectory, `shard-${number}`));
  const site = join(workDirectory, 'site');
  await runStep(state, 'generate', [snapshot], () => generate(snapshot, records));
  await runStep(state, 'harvest over loopback', [join(workDirectory, 'harvested')], () =>
    harvest(workDirectory, snapshot, records),
  );
  for (const [number, shard] of shards.entries())
    await runStep(state, `shard ${number}`, [shard], () =>
      buildShard(snapshot, shard, `${number}/${count}`, join(workDirectory, 'cache')),
    );
  await runStep(state, 'merge', [site, join(workDirectory, 'cache')], () => merge(site, shards, join(workDirectory, 'cache')));
  printTable(records, count, state);
  if (keep) printStep(`kept: ${snapshot} and ${site}`);
  else
    for (const name of readdirSync(workDirectory))
      if (name !== STATE_FILE) rmSync(join(workDirectory, name), { recursive: true, force: true });
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
async function harvest(workDirectory: string, snapshot: string, records: number): Promise<Step> {
  using upstream = await startUpstream('generated-upstream.ts', String(records));
  const harvested = join(workDirectory, 'harvested');
  const args = ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--root', 'lica'];
  const options = ['--snapshot', harvested, '--concurrency', String(CONCURRENCY)];
  const { report, seconds, megabytes } = await runProgram<HarvestReport>([...args, ...options]);
  if (!report.complete) throw new Error(`The harvest was not completed: ${JSON.stringify(report)}`);
  const size = sizeOf(harvested);
  const [ours, theirs] = [snapshot, harvested].map(fingerprintOf);
  if (ours !== theirs) throw new Error('The harvested records are not those that were generated');
  rmSync(harvested, { recursive: true });
  return { seconds, megabytes, ...size, note: 'the same records' };
}

/** Builds a shard. All shards share a cache, so that only the first reads the snapshot. Deletes the caches of finished ones. */
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
  using store = openSnapshot(snapshot);
  return snapshotFingerprint(store);
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

/** In the directory of the benchmark. */
const STATE_FILE = 'state.json';
/** The directory of the generated snapshot in it. */
const SNAPSHOT_DIRECTORY = 'snapshot';

/** What a step took, and what it has written. */
interface Step extends Measurement {
  files: number;
  bytes: number;
  note?: string;
}

/** The steps that are done. */
interface State {
  get(name: string): Step | undefined;
  put(name: string, step: Step): void;
  /** In the order in which they were done. */
  list(): Array<[name: string, step: Step]>;
  count(): number;
}

/** What is in the file. */
interface Stored {
  size: { records: number; shards: number };
  /** Checksum of the program. Shards of different versions cannot be merged. */
  program: string;
  steps: Record<string, Step>;
}

/**
 * Reads the state in a directory. If the program has changed since, its shards and its site are to be made again.
 * @throws {Error} if the directory is that of a benchmark of another size
 */
function openState(directory: string, size: Stored['size']): State {
  const file = join(directory, STATE_FILE);
  const program = hashOfProgram();
  const empty: Stored = { size, program, steps: {} };
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : empty;
  if (stored.size.records !== size.records || stored.size.shards !== size.shards)
    throw new Error(
      `${directory} is of ${stored.size.records} records in ${stored.size.shards} shards. Delete it, or choose another directory with --dir.`,
    );
  const { steps } = stored;
  if (stored.program !== program) {
    printStep('The program has changed: what depends on it is made again');
    const hasSnapshot = existsSync(join(directory, SNAPSHOT_DIRECTORY));
    for (const name of Object.keys(steps)) if (!hasSnapshot || /^(?:shard|merge)\b/.test(name)) delete steps[name];
  }
  return {
    get: (name) => steps[name],
    put(name, step) {
      steps[name] = step;
      writeFileAtomic(file, `${JSON.stringify({ size, program, steps } satisfies Stored, undefined, 1)}\n`);
    },
    list: () => Object.entries(steps),
    count: () => Object.keys(steps).length,
  };
}
