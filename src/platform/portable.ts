/** What every file system takes that a mirror may be copied to: FAT32, exFAT, NTFS, HFS+ and ext4. */

import { shortHash } from '../platform/short-hash.ts';
import { LONGEST_PATH, pathProblem } from './portable-path.ts';

export { LONGEST_PATH, pathProblem };

/** FAT32 holds no larger file. */
export const LARGEST_FILE = 2 ** 32 - 1;
/** The largest clusters that sticks are formatted with; every file and folder takes whole ones. */
export const CLUSTER = 128 * 1024;

/** Ids as they are, up to this length; a path has up to two of them. */
const LONGEST_ID = 80;
const KEPT = 60;

/** The file name of an object, without extension: its id, or where that would not be legal or distinct everywhere, its id with a hash of itself. */
export function fileName(id: string): string {
  if (id.length <= LONGEST_ID && id === id.toLowerCase()) return id;
  return `${id.slice(0, KEPT).toLowerCase().replace(/-+$/, '')}--${shortHash(id)}`;
}

/** What two paths have in common that some file system takes for one: letters but for their case and Unicode form. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}

export interface Unportable {
  path: string;
  problem: string;
}

/** Everything about a set of files (path → bytes) that some file system will not take. */
export function unportable(files: Iterable<readonly [path: string, size: number]>): Unportable[] {
  const seen = new Map<string, string>();
  const found: Unportable[] = [];
  for (const [path, size] of files) {
    const problem = pathProblem(path);
    if (problem) found.push({ path, problem });
    if (size > LARGEST_FILE) found.push({ path, problem: 'it is larger than 4 GB, which FAT32 cannot hold' });
    const folded = foldedPath(path);
    const other = seen.get(folded);
    if (other !== undefined) found.push({ path, problem: `differs from ${other} only by case or Unicode form` });
    seen.set(folded, path);
  }
  return found;
}

/** What a file of so many bytes takes. */
export function wholeClusters(bytes: number, cluster = CLUSTER): number {
  return Math.ceil(bytes / cluster) * cluster;
}

/** Bytes that files and their folders take in whole clusters. A folder's entries take 128 bytes each, long names included. */
export function clusteredSize(files: Iterable<readonly [path: string, size: number]>, cluster = CLUSTER): number {
  const folders = new Map<string, Set<string>>();
  let total = 0;
  for (const [path, size] of files) {
    total += wholeClusters(size, cluster);
    const parts = path.split('/');
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      const entries = folders.get(folder) ?? new Set();
      folders.set(folder, entries.add(parts[depth] as string));
    }
  }
  for (const entries of folders.values()) total += wholeClusters(entries.size * ENTRY, cluster);
  return total;
}
const ENTRY = 128;
