/** The operator's directories, and what commands remember there between runs, outside directories that others are given. */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { attempt } from './expected-errors.ts';

/** Returns a remembered value; undefined if there is none or it cannot be read. */
export function readState(name: string): unknown {
  // It only grants a permission; without it, the operator is prompted again.
  return attempt(() => JSON.parse(readFileSync(join(stateDirectory(), name), 'utf8')) as unknown);
}

/**
 * Remembers a value under a name such as `snapshots/x.json`. The file is written atomically.
 * @throws {Error} of the file system.
 */
export function writeState(name: string, value: unknown): void {
  const file = join(stateDirectory(), name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}

/** Returns the operator's state directory, by the XDG Base Directory specification or the conventions of macOS and Windows. */
export function stateDirectory(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'microfiche');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), 'Microfiche');
  return platform === 'darwin'
    ? join(homedir(), 'Library/Application Support/Microfiche')
    : join(homedir(), '.local/state/microfiche');
}

/** Returns the operator's cache directory, by the same rules. Its content can be deleted at any time. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'microfiche');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), 'Microfiche/Cache');
  return platform === 'darwin' ? join(homedir(), 'Library/Caches/Microfiche') : join(homedir(), '.cache/microfiche');
}
