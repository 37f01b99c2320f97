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
export const stateDirectory = (): string =>
  ownDirectory('XDG_STATE_HOME', 'Microfiche', 'Application Support/Microfiche', '.local/state/microfiche');

/** Returns the operator's cache directory, by the same rules. Its content can be deleted at any time. */
export const cacheDirectory = (): string =>
  ownDirectory('XDG_CACHE_HOME', 'Microfiche/Cache', 'Caches/Microfiche', '.cache/microfiche');

function ownDirectory(variable: string, onWindows: string, onMac: string, elsewhere: string): string {
  const { env, platform } = process;
  if (env[variable]) return join(env[variable], 'microfiche');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), onWindows);
  return join(homedir(), platform === 'darwin' ? `Library/${onMac}` : elsewhere);
}
