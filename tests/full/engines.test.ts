/** The scripts in docs/examples run under the engines that they are for. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDirectory, LONG, ROOT, runMicroficheJson, SAMPLE } from '../support/commands.ts';
import { hasSlurm, startSlurm } from '../support/slurm.ts';

const EXAMPLES = join(ROOT, 'docs/examples');

/** Returns the manifest of one build of the sample archive. */
async function manifestOfOneBuild(directory: string): Promise<string> {
  const out = join(directory, 'whole');
  await runMicroficheJson(['build', '--clean', '--snapshot', SAMPLE, '--out', out]);
  return readFileSync(join(out, 'manifest-sha256.txt'), 'utf8');
}

it.runIf(LONG && existsSync('/usr/bin/parallel'))('GNU parallel builds the shards and merges them', async () => {
  const directory = createTestDirectory();
  const out = join(directory, 'dist');
  execFileSync('sh', [join(EXAMPLES, 'parallel.sh'), SAMPLE, out, '3', '--jobs', '2'], { cwd: ROOT, stdio: 'pipe' });
  expect(readFileSync(join(out, 'manifest-sha256.txt'), 'utf8')).toBe(await manifestOfOneBuild(directory));
  expect(existsSync(`${out}.shards`)).toBe(false);
});

it.runIf(LONG && hasSlurm())(
  'Slurm builds the shards on two nodes, one of them again after a failure, and merges them',
  async () => {
    const directory = createTestDirectory();
    const { run, stop } = await startSlurm(directory);
    onTestFinished(stop);
    const env = { SNAPSHOT: SAMPLE, SHARDS: join(directory, 'shards'), OUT: join(directory, 'dist'), COUNT: '4' };
    mkdirSync(env.SHARDS);
    const submit = (args: string[]) => run('sbatch', ['--parsable', `--chdir=${ROOT}`, ...args], env).trim();
    const output = join(directory, 'job-%j.log');
    const job = submit([`--output=${output}`, '--requeue', '--array=0-3', join(EXAMPLES, 'slurm-shard.sh')]);
    // The first task is killed while it runs, as with a node that fails, and Slurm runs it again.
    while (!run('squeue', ['--noheader', '--states=RUNNING', '--format=%F_%K', `--jobs=${job}`]).includes(`${job}_0`))
      await setTimeout(100);
    await setTimeout(2_000);
    run('scontrol', ['requeue', `${job}_0`]);
    const merge = submit([`--output=${output}`, `--dependency=afterok:${job}`, join(EXAMPLES, 'slurm-merge.sh')]);
    while (run('squeue', ['--noheader', '--format=%A', `--jobs=${job},${merge}`]).trim() !== '') await setTimeout(500);
    expect(readFileSync(join(env.OUT, 'manifest-sha256.txt'), 'utf8')).toBe(await manifestOfOneBuild(directory));
  },
);
