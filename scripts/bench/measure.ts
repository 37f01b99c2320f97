/** Runs a command to its end and tells how long it took and how much memory its processes held together. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Measured {
  seconds: number;
  /** Megabytes at the peak, all processes together; undefined where the system does not tell (it has no /proc). */
  megabytes: number | undefined;
}

const POLL = 100;

/** @throws when the command fails. */
export function measure(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Measured> {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBelow(child.pid as number));
  }, POLL);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: (performance.now() - begun) / 1000, megabytes: peak > 0 ? peak / 1000 : undefined });
      else reject(new Error(`${command} ${args.join(' ')} exited ${code}: ${complaint}`));
    });
  });
}

/** What a command printed. @throws when it failed. */
export async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Starts a script of this folder that prints its address and serves until it is ended. */
export function startUpstream(script: string, ...args: string[]): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve({ url: String(chunk).trim(), process: child }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the bench’s upstream exited ${code}`)));
  });
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Kilobytes that a process and its descendants hold. A process that ends meanwhile counts as nothing. */
function residentBelow(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return own + children.reduce((sum, child) => sum + residentBelow(child), 0);
  } catch {
    return 0; // it ended between two reads
  }
}
