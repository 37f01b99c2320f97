/** Four shards on two Slurm nodes of one core each, and their merge, compared with one build on one core. Prints tables. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MANIFEST_FILE } from '../../src/publish/manifest.ts';
import { formatNumber, formatRatio, formatSpread, printStep } from './format.ts';
import { ROOT, runCleanBuild, setAside } from './program.ts';
import { compareSites } from './scale-identity.ts';
import type { ScaleWork } from './scale-work.ts';
import { hasSlurm, NODES, type RunSlurm, startSlurm } from './slurm.ts';

const EXAMPLES = join(ROOT, 'docs/examples');
const SHARDS = 4;
/** The cores of the nodes. The single build gets the first one. */
const CORES = [0, 1] as const;
const POLL_INTERVAL_MS = 1_000;

/** Runs this part. Without Slurm, prints a sentence. */
export async function benchSlurm({ few, runs, directory, options, snapshotOf }: ScaleWork): Promise<void> {
  if (!hasSlurm() || availableParallelism() < CORES.length) {
    console.log(
      '\nShards on Slurm were not measured: this needs root, two cores, and the Debian packages slurm-wlm and munge.\n',
    );
    return;
  }
  const snapshot = snapshotOf(few);
  const files = join(directory, 'slurm');
  mkdirSync(files);
  // The path of a socket must be short.
  const slurmFiles = mkdtempSync(join(tmpdir(), 'microfiche-slurm-'));
  const slurm = await startSlurm(slurmFiles, CORES);
  const merged = join(directory, 'slurm-dist');
  const single = join(directory, 'slurm-single');
  const [ofShards, ofOne]: [number[], number[]] = [[], []];
  const same: string[] = [];
  try {
    assertOneCoreEach(slurm.run, files);
    // Both alternate, so that other load on the machine affects both.
    for (let run = 1; run <= runs; run++) {
      printStep(
        `run ${run} of ${runs}: ${formatNumber(few)} records in ${SHARDS} shards on two nodes, then in one build on one core`,
      );
      for (const path of [join(files, 'shards'), join(files, 'cache'), merged]) setAside(path, options);
      ofShards.push(await buildOnSlurm(slurm.run, snapshot, files, merged));
      ofOne.push((await runCleanBuild(snapshot, single, { ...options, core: CORES[0] })).seconds);
      printStep(`  shards: ${ofShards.at(-1)?.toFixed(1)} s; one build: ${ofOne.at(-1)?.toFixed(1)} s`);
      same.push(await compareSites(`run ${run}: the site of the shards; that of one build`, merged, single));
    }
  } finally {
    await slurm.stop();
    rmSync(slurmFiles, { recursive: true, force: true });
  }
  const seconds = (values: readonly number[]) => formatSpread(values, (value) => value.toFixed(1));
  console.log(`
| ${formatNumber(few)} records (medians of ${runs}) | seconds |
| --- | ---: |
| one build from scratch on one core | ${seconds(ofOne)} |
| ${SHARDS} shards on two Slurm nodes of one core each, and the merge | ${seconds(ofShards)} |

Speed of the shards ÷ of one build: ${formatRatio(ofOne, ofShards)}.

| the same bytes? | files | different |
| --- | ---: | --- |
${same.join('\n')}
`);
}

/** @throws {Error} if what a node runs can use more than its core */
function assertOneCoreEach(run: RunSlurm, directory: string): void {
  for (const [n, node] of NODES.entries()) {
    const output = join(directory, `core-${node}.txt`);
    const script = 'grep Cpus_allowed_list /proc/self/status';
    run('sbatch', ['--wait', `--nodelist=${node}`, `--chdir=${directory}`, `--output=${output}`, `--wrap=${script}`]);
    const [, core] = /:\s*(\S+)/.exec(readFileSync(output, 'utf8')) ?? [];
    if (core !== String(CORES[n])) throw new Error(`The node ${node} may use the cores ${core}`);
  }
}

/** Builds and merges the shards with the scripts in docs/examples. Returns the seconds until the site is complete. */
async function buildOnSlurm(run: RunSlurm, snapshot: string, files: string, merged: string): Promise<number> {
  const [shards, cache] = [join(files, 'shards'), join(files, 'cache')];
  mkdirSync(shards);
  const output = join(files, 'job-%j.log');
  const submit = (...args: string[]) =>
    run('sbatch', ['--parsable', `--chdir=${ROOT}`, `--output=${output}`, ...args], {
      ...{ MICROFICHE_CACHE: cache, SNAPSHOT: snapshot, SHARDS: shards, OUT: merged, COUNT: String(SHARDS) },
    }).trim();
  const startedAt = performance.now();
  const job = submit(`--array=0-${SHARDS - 1}`, join(EXAMPLES, 'slurm-shard.sh'));
  const merge = submit(`--dependency=afterok:${job}`, '--kill-on-invalid-dep=yes', join(EXAMPLES, 'slurm-merge.sh'));
  while (run('squeue', ['--noheader', '--format=%A', `--jobs=${job},${merge}`]).trim() !== '') await setTimeout(POLL_INTERVAL_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  if (!existsSync(join(merged, MANIFEST_FILE))) throw new Error(`The jobs of Slurm failed:\n${readLogs(files)}`);
  return seconds;
}

function readLogs(directory: string): string {
  return readdirSync(directory)
    .filter((name) => name.startsWith('job-'))
    .map((name) => `${name}:\n${readFileSync(join(directory, name), 'utf8')}`)
    .join('\n');
}
