/** Reads the files of a built site for an export. Each file is compared with the manifest of the site as it is read. */
import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Withholding } from '../catalogue/read/withholding.ts';
import { JOURNAL_FILE, STAGING_DIRECTORY } from '../catalogue/urls.ts';
import { VIEWER_PAGE } from '../formats/compact-names.ts';
import { originalOfCopy } from '../formats/compressed-names.ts';
import { findInvalidLines, parseManifest } from '../formats/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { MANIFEST_FILE, readManifestText } from '../publish/manifest.ts';
import { assertBuiltWith } from '../publish/withheld-before.ts';
import type { SiteContext } from './export-context.ts';

/** A file of a site. */
export interface SiteFile {
  path: string;
  size: number;
  /** From the manifest. */
  sha256: string;
}

/** The files of a site that Microfiche built. Methods throw a `UserError` if a file is not as the manifest says. */
export type SiteFiles = ReturnType<typeof openSite>;

const BUILD_AGAIN = 'Run "microfiche build" again, then export.';
const CHUNK_BYTES = 1024 * 1024;

/**
 * Opens a site to export its pages.
 * @throws {UserError} as `openSite` does, or if it is a compact build.
 */
export function openSiteOfPages({ dir, withholding, snapshot }: SiteContext): SiteFiles {
  const site = openSite(dir, withholding, snapshot);
  if (site.files.every(({ path }) => path !== VIEWER_PAGE)) return site;
  throw new UserError(
    `${dir} contains a compact build, which has its pages in packs. Build without --compact into another directory, and name it with --dir.`,
  );
}

/**
 * Opens the site in a directory. `withholding` is what is withheld now, and `snapshot` the directory of the site's snapshot, if
 * it is there.
 * @throws {UserError} if it is not a complete site of Microfiche, or may contain what is now withheld.
 */
export function openSite(dir: string, withholding: Withholding, snapshot: string) {
  if (!existsSync(dir) || !statSync(dir).isDirectory())
    throw new UserError(`${dir} is not a directory. Run "microfiche build" first, or name the site's directory with --dir.`);
  const manifest = readManifestText(dir);
  const lines = parseManifest(manifest ?? '');
  if (manifest === undefined || lines.length === 0)
    throw new UserError(
      `${dir} does not contain a site made by Microfiche: ${MANIFEST_FILE} is missing or lists no files. Run "microfiche build" first, or name the site's directory with --dir.`,
    );
  if (existsSync(join(dir, JOURNAL_FILE)) || existsSync(join(dir, STAGING_DIRECTORY)))
    throw new UserError(`A build into ${dir} was interrupted or is in progress. ${BUILD_AGAIN}`);
  const [invalid] = findInvalidLines(manifest);
  if (invalid !== undefined || new Set(lines.map(({ path }) => path)).size < lines.length)
    throw new UserError(
      `The manifest in ${dir} is damaged: ${invalid === undefined ? 'it lists a file twice' : `line ${invalid} is not a SHA-256 and a path`}. ${BUILD_AGAIN}`,
    );
  const fingerprint = hash('sha256', manifest);
  assertBuiltWith(dir, withholding, snapshot);
  const safeDir = toSafeDirectory(dir);
  const damaged = (path: string, problem: string) =>
    new UserError(`The site in ${dir} is damaged: ${toPrintable(path)} ${problem}. ${BUILD_AGAIN}`);
  const sizeOf = (path: string): number => {
    try {
      const size = safeDir.stat(path)?.size;
      if (size !== undefined) return size;
    } catch (cause) {
      if (!(cause instanceof UnsafePathError)) throw cause;
      throw damaged(path, 'is a symbolic link or is inside one');
    }
    throw damaged(path, 'is missing');
  };
  const notListed = (path: string) => damaged(path, `does not have the SHA-256 that ${MANIFEST_FILE} lists`);
  const assertUnchanged = (file: SiteFile, sha256: string) => {
    if (sha256 !== file.sha256) throw notListed(file.path);
  };
  return {
    /** SHA-256 of the manifest. */
    fingerprint,
    /** All files but the manifest and compressed copies, sorted by path. */
    files: lines
      .filter(({ path }) => originalOfCopy(path) === undefined)
      .map(({ path, sha256 }) => ({ path, sha256, size: sizeOf(path) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    readFile(file: SiteFile) {
      const bytes = readFileSync(safeDir.resolve(file.path));
      assertUnchanged(file, hash('sha256', bytes));
      return bytes;
    },
    /** Returns the path of a file. */
    resolve: (file: SiteFile) => safeDir.resolve(file.path),
    /** @throws {UserError} that names the file at a path as one that was changed */
    refuseChanged(path: string): never {
      throw notListed(relative(safeDir.root, path).replaceAll(sep, '/'));
    },
    async *streamFile(file: SiteFile) {
      const sha256 = createHash('sha256');
      let read = 0;
      for await (const chunk of createReadStream(safeDir.resolve(file.path), { highWaterMark: CHUNK_BYTES })) {
        read += (chunk as Uint8Array).length;
        if (read > file.size) break;
        sha256.update(chunk as Uint8Array);
        yield chunk as Uint8Array;
      }
      assertUnchanged(file, read === file.size ? sha256.digest('hex') : '');
    },
  };
}
