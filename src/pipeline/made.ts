/** Notes from what the content of a directory in a cache was made, so that it is made again only if that differs. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** What a build makes in a directory, and the key of everything from which it makes that. */
export interface Made {
  out: string;
  key: string;
}

/** Whether a directory has what a build made under the same key. If not, forgets what it has. */
export function isMade({ out, key }: Made): boolean {
  const keyFile = `${out}.key`;
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return true;
  rmSync(keyFile, { force: true });
  return false;
}

/** Notes that the directory is complete. */
export function noteMade({ out, key }: Made): void {
  writeFileSync(`${out}.key.part`, key);
  renameSync(`${out}.key.part`, `${out}.key`);
}
