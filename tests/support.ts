/** What tests of the command line and of the browser share: they run the real program on real folders. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';

export const ROOT = join(import.meta.dirname, '..');
export const SAMPLE = join(ROOT, 'content/sample');
const SCRIPT = join(ROOT, 'scripts/microfiche.ts');
/** Whether this is `npm run test:long`, which tries what there is no time for in `npm test`. */
export const LONG = process.env['MICROFICHE_LONG'] === '1';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs one command to its end. */
export function microfiche(args: string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = ROOT, env } = options;
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child);
}

/** Runs a command with `--json` and gives what it printed. @throws when it failed. */
export async function microficheJson<T>(args: string[], options: RunOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await microfiche([...args, '--json'], options);
  if (code !== 0) throw new Error(`microfiche ${args.join(' ')} exited ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as T;
}

/** Starts `microfiche serve` on a free port. */
export async function serve(args: string[], cwd = ROOT): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
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

/** A folder that goes with the test. */
export function temporary(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  return path;
}

/** A folder that several tests share. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Whether this user may mount a small disk: root may, if the machine allows it. Every test on a small disk asks, and global-setup.ts says that they are left out. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'microfiche-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false; // not allowed to mount on this machine
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file system of a test's own. */
export function smallDisk(kilobytes: number): string {
  const folder = temporary();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

/** Every file below a folder, by its path; none where there is no such folder. */
export function filesBelow(folder: string): Map<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [relative(folder, file), readFileSync(file)] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function ended(child: ChildProcess): Promise<Ran> {
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
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Arguments that name an upstream which answers both APIs. */
export function upstreamAt(url: string): string[] {
  return ['--authors-url', url, '--catalog-url', url];
}
