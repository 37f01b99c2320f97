/** Runs commands, and measures the time and the memory of all their processes. */
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { execa, type Options } from 'execa';
import { attempt } from '../../src/platform/expected-errors.ts';
import { formatMemory, type Measurement, printStep } from './format.ts';
import type { UpstreamOptions } from './upstream.ts';

const POLL_INTERVAL_MS = 100;

/** Where a command runs, and environment variables that are added to those of this process. */
export type CommandOptions = Pick<Options, 'cwd' | 'env'>;

/** Runs a command, measures it, and returns what it printed. Rejects if the command fails. */
export async function measureCommand(command: string, args: readonly string[], options: CommandOptions = {}) {
  const running = execa(command, args, { ...options, stdin: 'ignore', maxBuffer: Number.POSITIVE_INFINITY });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentKilobytes(running.pid as number));
  }, POLL_INTERVAL_MS);
  try {
    const { stdout, durationMs } = await running;
    return { seconds: durationMs / 1000, megabytes: peak > 0 ? peak / 1000 : undefined, output: stdout };
  } finally {
    clearInterval(timer);
  }
}

/** Returns the seconds that something took. */
export async function measureSeconds(run: () => Promise<unknown>): Promise<Measurement> {
  const startedAt = performance.now();
  await run();
  return { seconds: (performance.now() - startedAt) / 1000, megabytes: undefined };
}

/**
 * Measures each of several things, then each again, so that other load on the machine affects all of them. Prints each
 * measurement, so that an interrupted benchmark has shown what it has measured.
 */
export async function measureAll<Title extends string, M extends Measurement>(
  runs: number,
  things: Readonly<Record<Title, (run: number) => Promise<M>>>,
): Promise<Record<Title, M[]>> {
  const entries = Object.entries(things) as Array<[Title, (run: number) => Promise<M>]>;
  const measured = Object.fromEntries(entries.map(([title]) => [title, [] as M[]])) as Record<Title, M[]>;
  for (let run = 0; run < runs; run++)
    for (const [title, measure] of entries) {
      const one = await measure(run);
      measured[title].push(one);
      printStep(`run ${run + 1} of ${runs}, ${title}: ${one.seconds.toFixed(1)} s, ${formatMemory([one])}`);
    }
  return measured;
}

/** What a command took, without and with the time until its files are on the disk. */
export type Written = Measurement & { onDisk: Measurement };

/**
 * Measures a command that writes `bytes` to the disk of `directory`. First syncs the disk, and allocates and frees as much file
 * cache: a virtual machine returns memory that stays free to its host, and waits for it when it is used again (observed for 2 GB:
 * 4.5 s instead of 0.4 s). Then calls `prepare`.
 */
export async function measureWriting(
  bytes: number,
  directory: string,
  command: string,
  args: readonly string[],
  prepare?: () => Promise<unknown>,
): Promise<Written> {
  const scratch = join(directory, 'scratch');
  const file = openSync(scratch, 'w');
  const chunk = Buffer.alloc(4_000_000, 'scratch');
  for (let offset = 0; offset < bytes; offset += chunk.length) writeSync(file, chunk);
  closeSync(file);
  await execa('sync');
  rmSync(scratch);
  await prepare?.();
  const measured = await measureCommand(command, args);
  const { seconds } = await measureCommand('sync', []);
  return { ...measured, onDisk: { seconds: measured.seconds + seconds, megabytes: undefined } };
}

/** Starts the upstream of the benchmarks. It ends when it is disposed of, at the latest with this process. */
export async function startUpstream(options: UpstreamOptions): Promise<{ url: string } & Disposable> {
  const script = join(import.meta.dirname, 'upstream.ts');
  const running = execa(process.execPath, [script, JSON.stringify(options)], { stderr: 'inherit', buffer: false });
  const [url] = await Promise.race([once(running.stdout, 'data'), running.then(() => [])]);
  return { url: String(url).trim(), [Symbol.dispose]: () => void running.kill() };
}

/** Returns the arguments with which curl downloads the URLs of a configuration file, up to `concurrency` at the same time. */
export function curlArguments(config: string, concurrency: number): string[] {
  return ['--silent', '--parallel', '--parallel-max', String(concurrency), '--config', config];
}

/** Returns the resident memory of a process and its descendants in kilobytes. What has ended, or is without /proc, counts as 0. */
function residentKilobytes(pid: number): number {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  // Each thread has the processes that it has started.
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.flatMap((thread) => {
    const list = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')) ?? '';
    return list.split(' ').filter(Boolean).map(Number);
  });
  return children.map(residentKilobytes).reduce((a, b) => a + b, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
}
