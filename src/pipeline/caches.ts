/** What builds keep from run to run: in the user's project, never inside node_modules, and never published. Pictures are shared between sites. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

/** Names another folder for the caches. */
export const CACHE_VARIABLE = 'MICROFICHE_CACHE';
const DEFAULT = '.microfiche/cache';
const PICTURES = 'derivatives';
/** In each site's cache: the site's folder that it belongs to. */
const OUT_NOTE = 'out.txt';
const UNFINISHED = 'unfinished';
/** In each site's cache: the SHA-256 of the files whose pictures it uses. */
const USED_NOTE = 'used.txt';
const DAY = 86_400_000;
/** What no build has used for so long is deleted; milliseconds. */
const UNUSED = 90 * DAY;

export interface SiteCache {
  /** The site's own folder. */
  folder: string;
  /** Where pictures and the like are kept, by the SHA-256 of what they are made of: shared by all sites. */
  pictures: string;
  /** Says of which files, by their SHA-256, this build uses what was made of them. */
  used(sha256: Iterable<string>): void;
  /** Says that the build has ended well: the next one may trust what is there. */
  finish(): void;
}

/** The folder of all caches, absolute. */
export function cacheRoot(): string {
  return resolve(process.env[CACHE_VARIABLE] || DEFAULT);
}

/** The cache of the site in the folder `out`; emptied first if the last build was interrupted, or this one is to be clean: then without the pictures that the site has used. */
export function openCache(root: string, out: string, { clean, now = Date.now() }: { clean: boolean; now?: number }): SiteCache {
  const folder = join(root, createHash('sha256').update(out).digest('hex').slice(0, 16));
  const unfinished = join(folder, UNFINISHED);
  const pictures = join(root, PICTURES);
  const note = join(folder, USED_NOTE);
  if (clean && existsSync(note)) deletePictures(pictures, readFileSync(note, 'utf8').split('\n'));
  // A build that was interrupted may have left pages that its ledger does not know of.
  if (clean || existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  markAsCache(root);
  writeFileSync(unfinished, '');
  writeFileSync(join(folder, OUT_NOTE), out);
  mkdirSync(pictures, { recursive: true });
  prune(root, now);
  return {
    folder,
    pictures,
    used(sha256) {
      const all = [...new Set(sha256)].sort();
      writeFileSync(note, all.join('\n'));
      touch(pictures, new Set(all), now);
    },
    finish: () => rmSync(unfinished, { force: true }),
  };
}

/** Deletes what was made of some files, and what builds keep of every site: it may show them. The next builds render all pages anew. */
export function forgetFiles(root: string, sha256: Iterable<string>): void {
  for (const name of existsSync(root) ? readdirSync(root) : []) {
    const folder = join(root, name);
    if (existsSync(join(folder, OUT_NOTE))) rmSync(folder, { recursive: true, force: true });
  }
  deletePictures(join(root, PICTURES), sha256);
}

function deletePictures(pictures: string, sha256: Iterable<string>): void {
  for (const name of madeOf(pictures, new Set(sha256))) rmSync(join(pictures, name), { recursive: true, force: true });
}

/** The names of everything that was made of some files. */
function madeOf(pictures: string, sha256: ReadonlySet<string>): string[] {
  return existsSync(pictures) ? readdirSync(pictures).filter((name) => sha256.has(name.slice(0, name.indexOf('-')))) : [];
}

/** So that neither version control nor backups take it in (https://bford.info/cachedir/). */
function markAsCache(root: string): void {
  for (const [name, text] of [
    ['.gitignore', '*\n'],
    ['CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# Made by Microfiche; it can be deleted.\n'],
  ] as const)
    if (!existsSync(join(root, name))) writeFileSync(join(root, name), text);
}

/** Deletes what belongs to sites that are no longer there, and what was not used for long. */
function prune(root: string, now: number): void {
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    const note = join(folder, OUT_NOTE);
    if (!existsSync(note)) continue;
    const underWay = statusOf(join(folder, UNFINISHED));
    if (underWay && now - underWay.mtimeMs < DAY) continue; // that build keeps its own
    if (!existsSync(readFileSync(note, 'utf8'))) rmSync(folder, { recursive: true, force: true });
  }
  const pictures = join(root, PICTURES);
  for (const name of existsSync(pictures) ? readdirSync(pictures) : []) {
    const age = now - (statusOf(join(pictures, name))?.mtimeMs ?? now);
    if (age > UNUSED || (name.endsWith('.part') && age > DAY)) rmSync(join(pictures, name), { recursive: true, force: true });
  }
}

function touch(pictures: string, sha256: ReadonlySet<string>, now: number): void {
  const date = new Date(now);
  for (const name of madeOf(pictures, sha256)) {
    const there = statusOf(join(pictures, name));
    if (there && now - there.mtimeMs > DAY) utimesSync(join(pictures, name), date, date);
  }
}

function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
