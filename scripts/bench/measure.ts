/** Runs commands, and measures the time and the memory of all their processes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Time and memory that a command took. */
export interface Measurement {
  seconds: number;
  /** Peak memory of all processes together, in megabytes; undefined on systems without /proc. */
  megabytes: number | undefined;
}

const POLL_INTERVAL_MS = 100;

/** Where a command runs, and environment variables that are added to those of this process. */
export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs a command and measures it. Rejects if the command fails. */
export async function measureCommand(command: string, args: string[], options: CommandOptions = {}): Promise<Measurement> {
  const { seconds, megabytes } = await measureOutput(command, args, options);
  return { seconds, megabytes };
}

/** Runs a command, measures it, and returns what it printed. Rejects if the command fails. */
export function measureOutput(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<Measurement & { output: string }> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentKilobytes(child.pid as number));
  }, POLL_INTERVAL_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      const seconds = (performance.now() - startedAt) / 1000;
      if (code === 0)
        resolve({ seconds, megabytes: peak > 0 ? peak / 1000 : undefined, output: Buffer.concat(printed).toString() });
      else reject(new Error(`${command} ${args.join(' ')} exited ${code ?? signal}: ${stderr}`));
    });
  });
}

/** What a command took, without and with the time until its files are on the disk. */
export interface Written extends Measurement {
  onDisk: Measurement;
}

/**
 * Measures a command that writes `bytes` to the disk of `directory`. First syncs the disk, and allocates and frees as much file
 * cache: a virtual machine returns memory that stays free to its host, and waits for it when it is used again (observed for 2 GB:
 * 4.5 s instead of 0.4 s). Then calls `prepare`.
 */
export async function measureWriting(
  bytes: number,
  directory: string,
  command: string,
  args: string[],
  prepare?: () => Promise<void>,
): Promise<Written> {
  const scratch = join(directory, 'scratch');
  const file = openSync(scratch, 'w');
  const chunk = Buffer.alloc(4_000_000, 'scratch');
  for (let offset = 0; offset < bytes; offset += chunk.length) writeSync(file, chunk);
  closeSync(file);
  await readOutput('sync', []);
  rmSync(scratch);
  await prepare?.();
  const measured = await measureCommand(command, args);
  const { seconds } = await measureCommand('sync', []);
  return { ...measured, onDisk: { seconds: measured.seconds + seconds, megabytes: undefined } };
}

/** Runs a command, and returns what it printed. Rejects if the command fails. */
export async function readOutput(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Starts an upstream script of this directory, and waits for the URL that it prints. It ends when it is disposed of. */
export function startUpstream(script: string, ...args: string[]): Promise<{ url: string } & Disposable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithThisProcess(child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve({ url: String(chunk).trim(), [Symbol.dispose]: () => void child.kill() }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the upstream of the benchmark exited ${code}`)));
  });
}

/** Ends a process at the latest when this one exits, so that an interrupted benchmark leaves none. */
export function endWithThisProcess(child: ChildProcess): void {
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/** Returns the arguments with which curl downloads the URLs of a configuration file, up to `concurrency` at the same time. */
export function curlArguments(config: string, concurrency: number): string[] {
  return ['--silent', '--parallel', '--parallel-max', String(concurrency), '--config', config];
}

/** Returns the median; of an even number of values, the upper one. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Returns the resident memory of a process and its descendants in kilobytes. What has ended counts as 0. */
function residentKilobytes(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(readIfExists(`/proc/${pid}/status`))?.[1] ?? 0);
  // Each thread has the processes that it has started.
  const children = listIfExists(`/proc/${pid}/task`).flatMap((thread) =>
    readIfExists(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return own + children.reduce((total, child) => total + residentKilobytes(child), 0);
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process or thread has ended
  }
}

function listIfExists(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // the process has ended, or the system has no /proc
  }
}
