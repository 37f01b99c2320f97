/** The benchmark of a million records: generated, harvested, and built in shards. A finished step is not repeated. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { hashOfProgram } from '../../src/build/cache/program-cache.ts';
import type { MergeReport } from '../../src/build/shards/merge.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { snapshotFingerprint } from '../../src/publish/site-identity.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { formatMemory, formatNumber, type Measurement, printStep, tableRow } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureSeconds, startUpstream } from './measure.ts';
import { type BenchSize, runBuild, runHarvest, runProgram, sizeOf } from './program.ts';

const CONCURRENCY = 64;

/**
 * Runs the steps that are not done, and prints what all of them took. All files are in a directory of their own in `dir`;
 * with `keep`, the snapshot and the site stay there after the last step.
 */
export async function benchMillion(options: Omit<BenchSize, 'runs'> & { shards: number; keep: boolean }) {
  const { records, shards: count, keep, dir } = options;
  const workDirectory = join(dir, 'microfiche-bench-million');
  mkdirSync(workDirectory, { recursive: true });
  const path = (name: string) => join(workDirectory, name);
  const [snapshot, harvested, site, cache] = [path('snapshot'), path('harvested'), path('site'), path('cache')];
  const state = readState(path(STATE_FILE), existsSync(snapshot), records, count);
  const { bavail, bsize } = statfsSync(workDirectory);
  printStep(`${Object.keys(state.steps).length} steps are done; ${formatBytes(bavail * bsize)} are free in ${workDirectory}`);
  /** Runs a step unless it is done. First deletes what an interrupted one has left. */
  const runStep = async (name: string, left: readonly string[], run: () => Promise<Step>) => {
    if (state.steps[name]) return;
    for (const one of left) rmSync(one, { recursive: true, force: true });
    printStep(`${name} …`);
    const step = await run();
    state.steps[name] = step;
    writeFileAtomic(path(STATE_FILE), `${JSON.stringify(state, undefined, 1)}\n`);
    printStep(`${name}: ${step.seconds.toFixed(1)} s, ${formatMemory([step])}`);
  };
  const shards = Array.from({ length: count }, (_, number) => path(`shard-${number}`));
  await runStep('generate', [snapshot], async () => ({
    ...(await measureSeconds(async () => generateSnapshot(snapshot, records))),
    ...sizeOf(snapshot),
  }));
  await runStep('harvest over loopback', [harvested], () => harvest(harvested, snapshot, records));
  for (const [number, shard] of shards.entries())
    await runStep(`shard ${number}`, [shard], () => buildShard(snapshot, shard, `${number}/${count}`, cache));
  await runStep('merge', [site, cache], () => merge(site, shards, cache));
  printTable(records, count, Object.entries(state.steps));
  if (keep) printStep(`kept: ${snapshot} and ${site}`);
  else
    for (const name of readdirSync(workDirectory)) if (name !== STATE_FILE) rmSync(path(name), { recursive: true, force: true });
}

/** Harvests the records of the snapshot from an upstream that has the same, and compares both snapshots. */
async function harvest(harvested: string, snapshot: string, records: number): Promise<Step> {
  using upstream = await startUpstream({ items: records });
  const { report, ...measured } = await runHarvest(upstream.url, harvested, CONCURRENCY);
  if (!report.complete) throw new Error(`The harvest was not completed: ${JSON.stringify(report)}`);
  const size = sizeOf(harvested);
  const [ours, theirs] = [snapshot, harvested].map(fingerprintOf);
  if (ours !== theirs) throw new Error('The harvested records are not those that were generated');
  rmSync(harvested, { recursive: true });
  return { ...measured, ...size, note: 'the same records' };
}

/** Builds a shard. All shards share a cache, so that only the first reads the snapshot. Deletes the caches of finished ones. */
async function buildShard(snapshot: string, shard: string, part: string, cache: string): Promise<Step> {
  const env = { MICROFICHE_CACHE: cache };
  const { report, ...measured } = await runBuild(snapshot, shard, ['--shard', part], { env });
  for (const name of readdirSync(cache)) if (name !== 'catalogues') rmSync(join(cache, name), { recursive: true, force: true });
  return { ...measured, files: report.files, bytes: report.bytes, note: stepsOf(report.seconds) };
}

async function merge(site: string, shards: readonly string[], cache: string): Promise<Step> {
  const env = { MICROFICHE_CACHE: cache };
  const { report, ...measured } = await runProgram<MergeReport>(['merge', '--out', site, ...shards], { env });
  rmSync(cache, { recursive: true, force: true });
  const isLinked = statSync(join(site, 'objects/lica-bench-1-1.html')).nlink > 1;
  const note = isLinked ? 'hard links to the files of the shards' : 'copies of the files of the shards';
  return { ...measured, files: report.files, bytes: report.bytes, note };
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

function printTable(records: number, count: number, steps: ReadonlyArray<[name: string, step: Step]>): void {
  const row = (name: string, { seconds, files, bytes, note = '', ...step }: Step) =>
    tableRow(name, seconds.toFixed(1), formatMemory([{ seconds, ...step }]), formatNumber(files), formatNumber(bytes), note);
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

/** What a step took, and what it has written. */
interface Step extends Measurement {
  files: number;
  bytes: number;
  note?: string;
}

/** What is in the file. */
interface State {
  records: number;
  shards: number;
  /** Checksum of the program. Shards of different versions cannot be merged. */
  program: string;
  /** The steps that are done, in the order in which they were done. */
  steps: Record<string, Step>;
}

/**
 * Reads the state in a directory. If the program has changed since, its shards and its site are to be made again.
 * @throws {Error} if the directory is that of a benchmark of another size
 */
function readState(file: string, hasSnapshot: boolean, records: number, shards: number): State {
  const program = hashOfProgram();
  if (!existsSync(file)) return { records, shards, program, steps: {} };
  const state = JSON.parse(readFileSync(file, 'utf8')) as State;
  if (state.records !== records || state.shards !== shards)
    throw new Error(
      `${file} is of ${state.records} records in ${state.shards} shards. Delete its directory, or choose another with --dir.`,
    );
  if (state.program === program) return state;
  printStep('The program has changed: what depends on it is made again');
  const kept = Object.entries(state.steps).filter(([name]) => hasSnapshot && !/^(?:shard|merge)\b/.test(name));
  return { ...state, program, steps: Object.fromEntries(kept) };
}
