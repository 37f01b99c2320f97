/** Limits and names that FAT32, exFAT, NTFS, HFS+ and ext4 all accept: a site may be copied to any of them. */
import { MAX_PATH_LENGTH, pathProblem } from './portable-path.ts';
import { shortHash } from './short-hash.ts';

export { MAX_PATH_LENGTH, pathProblem };

/** Maximum bytes of a file on FAT32. */
export const MAX_FILE_BYTES = 2 ** 32 - 1;
/** Bytes of the largest common cluster on USB drives. Every file and directory takes complete clusters. */
export const MAX_CLUSTER_BYTES = 128 * 1024;

/** Maximum characters of an ID that is used unchanged. A path contains up to two IDs. */
const MAX_ID_LENGTH = 80;
const PREFIX_LENGTH = 60;

/** Returns a record's file name, without extension: its ID, or if that is long or has capitals, its beginning and a hash. */
export function objectFileName(id: string): string {
  if (id.length <= MAX_ID_LENGTH && id === id.toLowerCase()) return id;
  return `${id.slice(0, PREFIX_LENGTH).toLowerCase().replace(/-+$/, '')}--${shortHash(id)}`;
}

/** Returns a path without differences of case and Unicode form. Two paths with the same result collide on some file system. */
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/** A path that some file system cannot store, and why. */
export type PortabilityProblem = Record<'path' | 'problem', string>;

/** Returns the paths in a set of files (path and bytes) that some file system cannot store. */
export function listPortabilityProblems(files: Iterable<readonly [path: string, size: number]>): PortabilityProblem[] {
  const seen = new Map<string, string>();
  const problems: PortabilityProblem[] = [];
  for (const [path, size] of files) {
    const problem = pathProblem(path);
    if (problem) problems.push({ path, problem });
    if (size > MAX_FILE_BYTES) problems.push({ path, problem: 'it is larger than 4 GB, which FAT32 cannot store' });
    const folded = foldPath(path);
    const other = seen.get(folded);
    if (other !== undefined) problems.push({ path, problem: `differs from ${other} only by case or Unicode form` });
    seen.set(folded, path);
  }
  return problems;
}

/** Returns the bytes of the clusters that a file of `bytes` bytes takes. */
export const roundUpToClusters = (bytes: number, cluster = MAX_CLUSTER_BYTES): number => Math.ceil(bytes / cluster) * cluster;

/** Returns the bytes of the clusters of files and their directories. An entry takes 128 bytes, including a long name. */
export function sizeInClusters(files: Iterable<readonly [path: string, size: number]>, cluster = MAX_CLUSTER_BYTES): number {
  const entries = new Map<string, number>(); // by directory
  const count = (path: string) => {
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const directory = end === -1 ? '' : path.slice(0, end);
      const known = entries.get(directory) ?? 0;
      entries.set(directory, known + 1);
      if (known > 0 || end === -1) return; // it is counted in its own directory already
    }
  };
  let total = 0;
  for (const [path, size] of files) {
    total += roundUpToClusters(size, cluster);
    count(path);
  }
  for (const number of entries.values()) total += roundUpToClusters(number * DIRECTORY_ENTRY_BYTES, cluster);
  return total;
}
const DIRECTORY_ENTRY_BYTES = 128;
