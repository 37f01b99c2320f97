/** Puts a finished site in place: everything is copied beside dist first, then moved in, so that a failure leaves the site of before untouched. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { clusteredSize, type Unportable, unportable } from '../model/portable.ts';
import { MANIFEST, readManifest } from '../site/manifest.ts';
import { removeEmptyFolders, sumOf } from '../snapshot/files.ts';

const STAGING = '.microfiche-new';
const IN_FLIGHT = 64;

export interface Published {
  files: number;
  bytes: number;
  /** Files that were new or had changed. */
  written: number;
  removed: number;
  /** Bytes that it takes on a stick with the largest clusters. */
  onStick: number;
  /** What some file system will not take. */
  unportable: Unportable[];
}

/** @throws UserError when the folder holds something that is not a site of ours. */
export function assertPublishable(out: string): void {
  if (!existsSync(out)) return;
  const foreign = readdirSync(out).filter((name) => name !== STAGING);
  if (foreign.length > 0 && !foreign.includes(MANIFEST)) {
    throw new UserError(
      `${out} is not empty and holds no site made by Microfiche: name another folder with --out, or empty it yourself.`,
    );
  }
}

/** Makes `out` hold exactly `sources` (path below dist → file on disk), besides what its owner has added. */
export async function publish(sources: ReadonlyMap<string, string>, out: string): Promise<Published> {
  assertPublishable(out);
  const staging = join(out, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const paths = [...sources.keys()].sort();
  const sums = new Map<string, string>();
  const changed: string[] = [];
  const sizes: Array<[path: string, size: number]> = [];
  try {
    const folders = new Set<string>();
    await each(paths, async (path) => {
      const source = sources.get(path) as string;
      const { size } = await stat(source);
      sizes.push([path, size]);
      const content = size > LARGE ? undefined : await readFile(source);
      const sum = content ? createHash('sha256').update(content).digest('hex') : await sumOf(source);
      sums.set(path, sum);
      if (content ? await holds(join(out, path), content) : await isSame(join(out, path), size, sum)) return;
      changed.push(path);
      const target = join(staging, path);
      const folder = dirname(target);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true });
      folders.add(folder);
      await (content ? writeFile(target, content) : copyFile(source, target));
    });
    const manifest = paths.map((path) => `${sums.get(path)}  ${path}\n`).join('');
    await mkdir(staging, { recursive: true });
    await writeFile(join(staging, MANIFEST), manifest);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  const gone = readManifest(out).filter(({ path }) => !sources.has(path));
  for (const folder of new Set(changed.map((path) => dirname(path)))) await mkdir(join(out, folder), { recursive: true });
  await each([...changed, MANIFEST], (path) => rename(join(staging, path), join(out, path)));
  await each(gone, ({ path }) => rm(join(out, path), { force: true }));
  for (const folder of new Set(gone.map(({ path }) => dirname(path)))) removeEmptyFolders(out, folder);
  await rm(staging, { recursive: true, force: true });
  sizes.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files: paths.length,
    bytes: sizes.reduce((sum, [, size]) => sum + size, 0),
    written: changed.length,
    removed: gone.length,
    onStick: clusteredSize(sizes),
    unportable: unportable(sizes),
  };
}

/** A large file is never held in memory. */
const LARGE = 16 * 1024 * 1024;

async function isSame(file: string, size: number, sum: string): Promise<boolean> {
  const there = statSync(file, { throwIfNoEntry: false });
  return there?.isFile() === true && there.size === size && (await sumOf(file)) === sum;
}

async function holds(file: string, content: Buffer): Promise<boolean> {
  try {
    return content.equals(await readFile(file));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, worker));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
