/** The stored files that the site shows, each one read: its SHA-256 is the one that was received, and its type is what its bytes say. */
import { mkdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import PQueue from 'p-queue';
import { compareIds } from '../model/ids.ts';
import { decodeBody } from '../model/json.ts';
import { type FileType, sniffType } from '../model/sniff.ts';
import { containedIn, UnsafePath } from '../platform/contained.ts';
import { sumOf } from '../snapshot/files.ts';
import { mediaRows, type StoredMedia } from '../snapshot/read.ts';
import { readText } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import type { Problem } from './problems.ts';

export interface ShownFile extends StoredMedia {
  state: 'stored';
  /** Below the snapshot. */
  path: string;
  /** Absolute. */
  file: string;
  sha256: string;
  size: number;
  /** As its bytes say, with the extension (without a dot) that belongs to it. */
  mimetype: string;
  extension: string;
}

/** What names a file: a record that is shown. */
export interface Namer {
  id: string;
  model: string;
  /** The addresses that it names, of pictures and of other files. */
  images: readonly string[];
}

export interface ShownFiles {
  /** In the order of addresses. */
  files: ShownFile[];
  /** Files that are not what was received, and are not shown. */
  problems: Problem[];
}

/** Files read side by side. */
const SIDE_BY_SIDE = 4;
/** What a file of no known type counts as. */
const UNKNOWN: FileType = { mimetype: 'application/octet-stream', extension: 'bin' };

/**
 * Reads the files that `records` name and that `allowed` lets pass. A file belongs to the record that it is stored under as long as that one
 * names it, else to the first that does: file records first, then by ID. `folder` keeps from build to build what files were found to be.
 */
export async function shownFiles(
  store: Store,
  records: readonly Namer[],
  allowed: (row: StoredMedia) => boolean,
  folder: string,
): Promise<ShownFiles> {
  const namers = namersOf(records);
  const inside = containedIn(store.dir);
  const memory = openMemory(folder);
  const problems: Problem[] = [];
  const files: ShownFile[] = [];
  const rows = mediaRows(store).filter(({ state, url, path }) => state === 'stored' && path !== null && namers.has(url));
  const read = async (path: string, sharers: StoredMedia[]) => {
    const [first] = sharers as [StoredMedia];
    try {
      const there = inside.stat(path);
      if (there === undefined) return; // verify says that it is missing, and media fetches it again
      const file = inside.at(path);
      const { sha256, ...type } = await memory.of(file, there);
      if (sha256 !== first.sha256)
        throw new Error(
          `its bytes are not those that were received (SHA-256 ${sha256}); “microfiche verify --repair” fetches it again`,
        );
      if (type.mimetype.startsWith('text/') && names(store, file))
        throw new Error('it names somebody who is withheld, and is left out');
      for (const row of sharers)
        files.push({ ...row, ...type, owner: ownerOf(row, namers), state: 'stored', path, file, sha256, size: there.size });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      const cause =
        error instanceof UnsafePath ? 'it is behind a symbolic link, which is not followed' : (error as Error).message;
      problems.push({ url: first.url, owner: first.owner, cause });
    }
  };
  try {
    const queue = new PQueue({ concurrency: SIDE_BY_SIDE });
    // Rows of one path that name different bytes cannot all be right: each group is compared by itself.
    const groups = [...Map.groupBy(rows.filter(allowed), ({ path, sha256 }) => `${path} ${sha256}`).values()];
    await queue.addAll(groups.map((sharers) => () => read((sharers[0] as StoredMedia).path as string, sharers)));
  } finally {
    memory.close();
  }
  return { files: files.sort(byUrl), problems: problems.sort(byUrl) };
}

/** Whether a text has words in it that are withheld: as a file it cannot be handed out. */
function names({ view }: Store, file: string): boolean {
  if (!view?.redactText) return false;
  const text = decodeBody(readFileSync(file));
  return view.redactText(text) !== text;
}

function byUrl(a: { url: string }, b: { url: string }): number {
  return a.url < b.url ? -1 : a.url > b.url ? 1 : 0;
}

/** For each address the records that name it, the one that it belongs to first. */
function namersOf(records: readonly Namer[]): Map<string, Namer[]> {
  const namers = new Map<string, Namer[]>();
  for (const record of records) for (const url of record.images) namers.set(url, [...(namers.get(url) ?? []), record]);
  const rank = ({ model }: Namer) => (model === 'file' ? 0 : 1);
  for (const own of namers.values()) own.sort((a, b) => rank(a) - rank(b) || compareIds(a.id, b.id));
  return namers;
}

/** A record may have changed to another file since this one was stored under its name. */
function ownerOf({ url, owner }: StoredMedia, namers: ReadonlyMap<string, Namer[]>): string {
  const own = namers.get(url) ?? [];
  return own.some(({ id }) => id === owner) ? owner : (own[0]?.id ?? owner);
}

interface Read extends FileType {
  sha256: string;
}

/** Remembers what files were found to be, by what the file system says of them: a file that was not touched is not read again. */
function openMemory(folder: string) {
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, 'files.sqlite'), { timeout: 60_000 });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS file (file TEXT PRIMARY KEY, seen TEXT NOT NULL, sha256 TEXT NOT NULL, mimetype TEXT NOT NULL, extension TEXT NOT NULL) STRICT, WITHOUT ROWID`);
  const known = db.prepare('SELECT sha256, mimetype, extension FROM file WHERE file = ? AND seen = ?');
  const keep = db.prepare('INSERT OR REPLACE INTO file (file, seen, sha256, mimetype, extension) VALUES (?, ?, ?, ?, ?)');
  return {
    async of(file: string, there: Stats): Promise<Read> {
      const seen = stateOf(file);
      const before = known.get(file, seen);
      if (before)
        return {
          sha256: readText(before, 'sha256'),
          mimetype: readText(before, 'mimetype'),
          extension: readText(before, 'extension'),
        };
      const sha256 = await sumOf(file);
      const { mimetype, extension } = (there.size > 0 ? await sniffType(file) : undefined) ?? UNKNOWN;
      // A file that is being written just now may change again within the same tick of the clock.
      if (Date.now() - there.mtimeMs > SETTLED) keep.run(file, seen, sha256, mimetype, extension);
      return { sha256, mimetype, extension };
    },
    close: () => db.close(),
  };
}

/** Milliseconds. */
const SETTLED = 3_000;

/** What the file system says of a file; it changes whenever the file does. */
function stateOf(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
