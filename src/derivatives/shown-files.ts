/** Lists the media files that the site shows. Verifies the SHA-256 of each one, and detects its media type. */
import { mkdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import type { FileFailure } from '../media/media-report.ts';
import { type Charset, charsetDeclaredIn, findCharset } from '../model/encoding/charset.ts';
import { compareIds } from '../model/ids.ts';
import type { NamedFile } from '../model/media/media.ts';
import { sniffType, UNKNOWN_TYPE } from '../model/media/sniff.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { isTextType } from '../model/transcripts/read-transcript.ts';
import { openCacheDatabase } from '../platform/cache-database.ts';
import { noteIntact } from '../platform/known-whole.ts';
import { readStart } from '../platform/read-start.ts';
import { toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { isDamagedDatabase } from '../platform/sqlite-errors.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';
import { readExchanges } from '../snapshot/exchanges.ts';
import { readMediaRows } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import { readText } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import { containsWithheldNames } from '../snapshot/withheld-names.ts';
import { findMetadata } from './embedded-metadata.ts';
import type { Removed } from './tiff-metadata.ts';

/** A media file that is present and verified. */
export interface ShownFile extends StoredMedia {
  /** Path in the snapshot. */
  path: string;
  /** Absolute path on disk. */
  file: string;
  sha256: string;
  /** In bytes. */
  size: number;
  /** Detected media type. */
  mimetype: string;
  /** The extension of that type, without a dot. */
  extension: string;
  /** The charset of a text file; undefined for other files. */
  charset: Charset | undefined;
  /** What could be removed from a published copy. */
  metadata: Removed[];
}

/** A shown record, and the media files that it names. */
export interface NamingRecord {
  id: string;
  model: string;
  /** Upstream URLs of all its media files, not only of images. */
  mediaUrls: readonly string[];
  /** Its recordings and texts, with their declared charsets. */
  media?: readonly NamedFile[];
}

/** A text file whose charset is only guessed. */
export interface GuessedCharset {
  /** Upstream URL. */
  url: string;
  /** ID of the record that it is stored under. */
  owner: string;
  /** The charset that it was read in. */
  charset: string;
  /** The charset that its record or its markup declares, if its bytes are not text in it. */
  declared?: string;
}

/**
 * Returns the text files whose charset neither they nor their records declare, or declare wrongly, and which are not UTF-8. A
 * file with several URLs is listed once.
 */
export function listGuessedCharsets(files: readonly ShownFile[]): GuessedCharset[] {
  const guessed = files.flatMap(({ path, url, owner, charset }) =>
    charset?.evidence === 'guess'
      ? [[path, { url, owner, charset: charset.name, ...(charset.rejected && { declared: charset.rejected }) }] as const]
      : [],
  );
  return [...new Map(guessed.reverse()).values()].reverse();
}

/** Number of files that are read at the same time. */
const CONCURRENCY = 4;

/**
 * Reads the media files that `records` name and `allowed` accepts. The owner of a file is the record that it is stored under, if
 * that record still names it; else the first record that does, with file records before others, then by ID. `cacheDirectory`
 * holds the results of former builds. `languagesOf` returns the languages that the texts of a record may be in, by its ID.
 */
export async function readShownFiles(
  store: Store,
  records: readonly NamingRecord[],
  allowed: (row: StoredMedia) => boolean,
  cacheDirectory: string,
  languagesOf: (record: string) => readonly string[] = () => [],
) {
  const namers = groupNamersByUrl(records);
  const safeDir = toSafeDirectory(store.dir);
  using known = openFileCache(cacheDirectory);
  const problems: FileFailure[] = [];
  const files: ShownFile[] = [];
  let missing = 0;
  const rows = readMediaRows(store).filter(({ state, url, path }) => state === 'stored' && path !== null && namers.has(url));
  const read = async (path: string, sharers: StoredMedia[]) => {
    const [first] = sharers as [StoredMedia];
    try {
      const stats = safeDir.stat(path);
      // "verify" reports it as missing, and "media" downloads it again.
      if (stats === undefined) {
        missing++;
        return;
      }
      const file = safeDir.resolve(path);
      const declared = findDeclaredCharsets(store, sharers, namers);
      const { sha256, ...found } = await known.of(file, stats, declared);
      const languages = languagesOf(findOwner(first, namers));
      // The cache of files does not depend on languages: if these are known, a charset is guessed again.
      const isGuess = found.charset?.evidence === 'guess' && languages.length > 0;
      const guess = isGuess ? findCharset(readStart(file, MAX_FILE_TEXT_LENGTH), declared, languages) : found.charset;
      const type = { ...found, charset: guess };
      if (sha256 !== first.sha256) {
        missing++;
        throw new Error(
          `the file is corrupted (its SHA-256 is now ${sha256}); run "microfiche verify --repair" to download it again`,
        );
      }
      if (containsWithheldNames(store, file, type.mimetype)) throw new Error('the file contains a withheld name');
      for (const row of sharers)
        files.push({ ...row, ...type, owner: findOwner(row, namers), path, file, sha256, size: stats.size });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC' || isDamagedDatabase(error)) throw error;
      const cause =
        error instanceof UnsafePathError ? 'its path contains a symbolic link, which is not followed' : (error as Error).message;
      problems.push({ url: first.url, owner: first.owner, cause });
    }
  };
  // Rows with the same path but different checksums cannot all be correct, so each group is verified separately.
  const groups = [...Map.groupBy(rows.filter(allowed), ({ path, sha256 }) => `${path} ${sha256}`).values()];
  await pMap(groups, (sharers) => read((sharers[0] as StoredMedia).path as string, sharers), { concurrency: CONCURRENCY });
  return {
    files: files.sort(compareUrls),
    /** Files that are corrupted, unreadable or withheld. Missing files are not among them: `verify` reports those. */
    problems: problems.sort(compareUrls),
    /** The number of files that are missing or corrupted, and may be intact the next time. */
    missing,
  };
}

/** Returns the charsets declared for a file, without duplicates: first by records, then by the server of its download. */
function findDeclaredCharsets(
  store: Store,
  sharers: readonly StoredMedia[],
  namers: ReadonlyMap<string, NamingRecord[]>,
): string[] {
  const byRecords = sharers.flatMap(({ url }) =>
    (namers.get(url) ?? []).flatMap(({ media = [] }) => media.flatMap((file) => (file.url === url && file.charset) || [])),
  );
  const byServer = sharers.flatMap(({ url, mimetype }) =>
    mimetype?.startsWith('text/') ? (charsetDeclaredIn(readContentType(store, url) ?? '') ?? []) : [],
  );
  return [...new Set([...byRecords, ...byServer])];
}

/** Returns the header `Content-Type` with which a media file was received; undefined if it is not known. */
function readContentType(store: Store, url: string): string | undefined {
  return readExchanges(store, { media: url })
    .at(-1)
    ?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

const compareUrls = (a: { url: string }, b: { url: string }): number => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0);

/** Returns the records that name each URL: file records first, then by ID. */
function groupNamersByUrl(records: readonly NamingRecord[]): Map<string, NamingRecord[]> {
  const namers = new Map<string, NamingRecord[]>();
  for (const record of records) for (const url of record.mediaUrls) namers.set(url, [...(namers.get(url) ?? []), record]);
  const rank = ({ model }: NamingRecord) => (model === 'file' ? 0 : 1);
  for (const list of namers.values()) list.sort((a, b) => rank(a) - rank(b) || compareIds(a.id, b.id));
  return namers;
}

/** Returns the ID of the owner of a file. The record that the file is stored under may name another file by now. */
function findOwner({ url, owner }: StoredMedia, namers: ReadonlyMap<string, NamingRecord[]>): string {
  const candidates = namers.get(url) ?? [];
  return candidates.some(({ id }) => id === owner) ? owner : (candidates[0]?.id ?? owner);
}

type KnownFile = Pick<ShownFile, 'sha256' | 'mimetype' | 'extension' | 'charset' | 'metadata'>;

/** Increased when what is known of a file changes. */
const VERSION = 6;
const SCHEMA = 'CREATE TABLE file (file TEXT PRIMARY KEY, seen TEXT NOT NULL, known TEXT NOT NULL) STRICT, WITHOUT ROWID';

/** Opens a cache of checksums, detected media types, charsets and metadata, so that unchanged files are not read again. */
function openFileCache(directory: string) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'files.sqlite');
  const db = openCacheDatabase(path, VERSION, SCHEMA);
  const select = db.prepare('SELECT known FROM file WHERE file = ? AND seen = ?');
  const insert = db.prepare('INSERT OR REPLACE INTO file (file, seen, known) VALUES (?, ?, ?)');
  return {
    async of(file: string, stats: Stats, declaredCharsets: readonly string[]): Promise<KnownFile> {
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true }); // some of them differ after any change
      const seen = [dev, ino, size, mtimeNs, ctimeNs, ...declaredCharsets].join(' ');
      const cached = select.get(file, seen);
      if (cached) return JSON.parse(readText(cached, 'known')) as KnownFile;
      const sha256 = await sha256OfFile(file);
      const { mimetype, extension } = (stats.size > 0 ? await sniffType(file, declaredCharsets) : undefined) ?? UNKNOWN_TYPE;
      const charset = isTextType(mimetype) ? findCharset(readStart(file, MAX_FILE_TEXT_LENGTH), declaredCharsets) : undefined;
      const metadata = (['location', 'all'] as const).filter((removed) => findMetadata(file, mimetype, removed).length > 0);
      const known: KnownFile = { sha256, mimetype, extension, charset, metadata };
      // A file that has just been written may change again without a new timestamp.
      if (Date.now() - stats.mtimeMs > SETTLED_AFTER_MS) insert.run(file, seen, JSON.stringify(known));
      return known;
    },
    [Symbol.dispose]() {
      db.close();
      noteIntact(path);
    },
  };
}

/** Age in milliseconds from which a file's timestamp is reliable. */
const SETTLED_AFTER_MS = 3_000;
