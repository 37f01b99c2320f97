/** Where a program keeps what it must remember for its user from run to run, outside of any folder that is handed on. */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** The user's state folder for Microfiche: by the XDG Base Directory specification, or where macOS and Windows have it. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'microfiche');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), 'Microfiche');
  return platform === 'darwin'
    ? join(homedir(), 'Library/Application Support/Microfiche')
    : join(homedir(), '.local/state/microfiche');
}

/** The user's cache folder for Microfiche, likewise: what is there can be deleted at any time. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'microfiche');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), 'Microfiche/Cache');
  return platform === 'darwin' ? join(homedir(), 'Library/Caches/Microfiche') : join(homedir(), '.cache/microfiche');
}

/** A remembered value; undefined if nothing is remembered there, or nothing that can be read. */
export function recall(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(stateFolder(), name), 'utf8'));
  } catch {
    return undefined; // what is remembered only permits things: where it cannot be read, they are asked for again
  }
}

/** Remembers a value under a name such as `snapshots/x.json`, whole or not at all. @throws the file system's error */
export function remember(name: string, value: unknown): void {
  const file = join(stateFolder(), name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}
