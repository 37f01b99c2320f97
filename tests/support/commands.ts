/** Helpers for tests of the command line and in browsers, which run the program on temporary directories. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { openServer } from '../../scripts/commands/serve.ts';
import { createCommand } from '../../scripts/commands.ts';
import type { Flags } from '../../scripts/options/options.ts';
import { runProgram } from '../../scripts/program.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { captureOutput, inPlace } from './in-process.ts';

/** Path of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
/** Path of the sample archive. */
export const SAMPLE = join(ROOT, 'content/sample');
const SCRIPT = join(ROOT, 'scripts/bin.mjs');
/** Whether tests also run their slowest cases: `MICROFICHE_LONG=1 npm run test:full`. */
export const LONG = process.env['MICROFICHE_LONG'] === '1';
/** Milliseconds after which a command hangs. */
const MAX_COMMAND_MS = 600_000;

/** Exit code and output of a command. */
export interface CommandResult {
  /** Exit code; null if a signal ended the command. */
  code: number | null;
  stdout: string;
  /** Without lines of progress, which only a busy machine prints. */
  stderr: string;
}

/** How to run a command. `env` is added to the environment of the tests. */
export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/**
 * Runs a command in this process, and returns what it printed. Its exit code is never null. Use `spawnMicrofiche` if the test is
 * about the process itself: its signals, its start, or what it shares with other processes.
 */
export async function runMicrofiche(args: string[], options: RunOptions = {}): Promise<CommandResult> {
  assertNoPurgeOfSharedCaches(args, options);
  const { stderr, ...result } = await inPlace(options, () => captureOutput(() => runProgram(args)));
  return { ...result, stderr: withoutProgress(stderr) };
}

/** Runs a command in a process of its own until it exits. */
export function spawnMicrofiche(args: string[], options: RunOptions = {}): Promise<CommandResult> {
  assertNoPurgeOfSharedCaches(args, options);
  const { cwd = ROOT, env } = options;
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_COMMAND_MS, // what is created for all tests has no other limit
    killSignal: 'SIGKILL',
  });
  return waitForExit(child);
}

/**
 * Runs a command in a process that kills itself when it has moved a number of files into a directory, which the moves of other
 * processes would hardly hit on a busy machine. Returns the signal that ended it.
 */
export function killWhileMoving(args: string[], to: string, moves: number, env: NodeJS.ProcessEnv): Promise<unknown> {
  const script = `
    const { renameSync } = fs;
    let left = ${moves};
    if (isMainThread) fs.renameSync = (from, to) => {
      if (String(to).startsWith(${JSON.stringify(`${to}/`)}) && left-- === 0) process.kill(process.pid, 'SIGKILL');
      renameSync(from, to);
    };`;
  return spawnChanged(args, script, env);
}

/**
 * Runs a command in a process that kills itself when it has written a number of times to files in the staging directory of a
 * package. Returns the signal that ended it.
 */
export function killWhileStaging(args: string[], writes: number): Promise<unknown> {
  const script = `
    const { openSync, writeFileSync } = fs;
    const staged = new Set();
    let left = ${writes};
    fs.openSync = (path, ...rest) => {
      const descriptor = openSync(path, ...rest);
      if (/\\.(?:ex|im)porting-\\w{6}\\//.test(path)) staged.add(descriptor);
      else staged.delete(descriptor);
      return descriptor;
    };
    fs.writeFileSync = (file, ...rest) => {
      if (staged.has(file) && left-- === 0) process.kill(process.pid, 'SIGKILL');
      writeFileSync(file, ...rest);
    };`;
  return spawnChanged(args, script, process.env);
}

/** Runs a command in a process with another `fs`, in each of its threads. Returns the signal that ended it. */
function spawnChanged(args: string[], script: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const source = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    ${script}
    syncBuiltinESMExports();`;
  const preload = `data:text/javascript,${encodeURIComponent(source)}`;
  const child = spawn(process.execPath, ['--import', preload, SCRIPT, ...args], { cwd: ROOT, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
}

function assertNoPurgeOfSharedCaches(args: readonly string[], { cwd = ROOT }: RunOptions): void {
  if (args[0] === 'purge' && args.includes('--snapshot') && args.includes('--yes') && cwd === ROOT)
    throw new Error('A purge deletes the caches of all sites, and so those of other tests: run it in a directory of its own.');
}

/**
 * Runs a command with `--json` in this process, and returns what it printed. Throws if the command failed; exit code 3 says that
 * something remains, which the report names.
 */
export async function runMicroficheJson<T>(args: string[], options: RunOptions = {}): Promise<T> {
  return parseOutput(args, await runMicrofiche([...args, '--json'], options));
}

/** Like `runMicroficheJson`, in a process of its own. */
export async function spawnMicroficheJson<T>(args: string[], options: RunOptions = {}): Promise<T> {
  return parseOutput(args, await spawnMicrofiche([...args, '--json'], options));
}

function parseOutput<T>(args: readonly string[], { code, stdout, stderr }: CommandResult): T {
  if (code !== EXIT_CODES.success && code !== EXIT_CODES.incomplete)
    throw new Error(`microfiche ${args.join(' ')} exited ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as T;
}

/** A server that a test started. */
export interface TestServer {
  url: string;
  stop: () => Promise<void>;
}

/** Starts what `microfiche serve` serves on a free port, in this process. */
export async function startServe(args: string[]): Promise<TestServer> {
  let running: Awaited<ReturnType<typeof openServer>> | undefined;
  const command = createCommand('serve').exitOverride();
  command.action(async (flags: Flags<'serve'>) => {
    running = await openServer(flags, command);
  });
  await command.parseAsync(['--port', '0', ...args], { from: 'user' });
  if (!running) throw new Error('serve did not start');
  const { server, close } = running;
  let stopped: Promise<void> | undefined;
  return { url: server.url, stop: () => (stopped ??= close()) };
}

/** Starts `microfiche serve` on a free port, in a process of its own. */
export async function spawnServe(args: string[], cwd = ROOT): Promise<TestServer & { pid: number }> {
  const child = spawn(process.execPath, [SCRIPT, 'serve', '--port', '0', '--json', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) resolve((JSON.parse(out) as { url: string }).url);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('exit', (code) => reject(new Error(`serve exited ${code}: ${err}`)));
  });
  return {
    url,
    pid: child.pid as number,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.on('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Makes `npx --no-install microfiche` run this checkout in a directory, as in a project that has installed the npm package. */
export function linkProgram(directory: string): void {
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'scripts/bin.mjs'), join(directory, 'node_modules/.bin/microfiche'));
}

/** Returns the path of a new directory that is deleted after the test. */
export function createTestDirectory(): string {
  const { path, remove } = createSharedDirectory();
  onTestFinished(remove);
  return path;
}

/** Creates a directory for several tests. The caller deletes it with `remove`. */
export function createSharedDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The tasks of which commands print the progress. */
const TASKS = [
  ...['Compressed copies', 'Converting', 'Copying', 'Downloading', 'Export', 'Harvesting', 'Images', 'Package', 'Pages'],
  ...['Requesting sizes', 'Search index', 'Shards', 'Site', 'Snapshot'],
];
const PROGRESS_LINE = new RegExp(`^(?:${TASKS.join('|')}): \\d+ of \\d+(?:, .*)?\n`, 'gm');

/** Returns what a command printed without its lines of progress, which appear if it takes longer than five seconds. */
const withoutProgress = (stderr: string) => stderr.replace(PROGRESS_LINE, '');

/** Whether this user may mount file systems, as root usually may. `global-setup.ts` reports skipped tests on small disks. */
export function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory], { stdio: 'ignore' });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false; // no permission to mount
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Mounts a file system of the given size for one test, and returns its path. */
export function mountSmallDisk(kilobytes: number): string {
  const directory = createTestDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', directory]);
  onTestFinished(() => void execFileSync('umount', [directory]));
  return directory;
}

/** Reads every file below a directory, by path; empty if the directory does not exist. */
export function readFiles(directory: string): Map<string, Buffer> {
  if (!existsSync(directory)) return new Map();
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [relative(directory, file), readFileSync(file)] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function waitForExit(child: ChildProcess): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr: withoutProgress(stderr) }));
  });
}

/** Returns the options for an upstream that serves both APIs. */
export function upstreamOptions(url: string): string[] {
  return ['--authors-url', url, '--catalog-url', url];
}
