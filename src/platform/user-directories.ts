/** Names the directories in which systems expect what a program remembers for one operator. */
import { homedir } from 'node:os';
import { join } from 'node:path';

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
