/** Opens the site that is copied: in a directory, on a USB drive, or on a server. All of them are untrusted. */
import { createWriteStream, existsSync, mkdtempDisposableSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pMap from 'p-map';
import type { Dispatcher } from 'undici';
import { originalOfCopy } from '../../formats/compressed-names.ts';
import { type ManifestLine, parseChecksums, parseManifest } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { readDiskSpace } from '../../platform/disk-space.ts';
import { tee } from '../../platform/in-parts.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { WITHHELD_FILE } from '../../snapshot/file-names.ts';
import { MANIFEST_FILE, readManifest, readManifestText, readText, SIGNATURE_FILE, siteDirectoryOf } from '../manifest.ts';
import { LEFT_OUT_FILE, PATCH_DIRECTORY, PATCHED_FILE, readLeftOut } from '../partial-copy.ts';
import { IDENTITY_FILE } from '../site-identity.ts';
import { makeManifest, readUpdate } from '../site-update.ts';
import { COPY_LOG, copyBytes, describeObstacles, PARTIAL_FILES } from './copied-files.ts';
import { writePatched } from './patch.ts';

/** A file of the site. */
export interface SiteFile extends ManifestLine {
  /** In bytes; undefined on a server, and of a file that a patch makes. */
  size: number | undefined;
  /** The checksum of the earlier file of which a patch makes this one. */
  base?: string | undefined;
}

/** A site from which files are copied. */
export interface SiteSource extends Disposable {
  /** A directory with the manifest, its signature, the identity of the archive, and what was withheld. */
  dir: string;
  /** The text of the manifest, and of its signature, if there is one. */
  manifest: string;
  signature: string | undefined;
  /** What the manifest lists. */
  files: SiteFile[];
  /** What the manifest lists and this copy does not have, because it is partial. */
  absent: ManifestLine[];
  /** The number of compressed copies for hosts that are not in `files`. */
  leftOut: number;
  /** What to do if a file is missing or damaged, as a sentence. */
  advice: string;
  /** On a server: returns the files with their sizes. */
  measure?(): Promise<SiteFile[]>;
  /**
   * Writes a file of the site over the file `target`.
   * @throws {UserError} if the server does not send it
   */
  write(file: SiteFile, target: string): Promise<void>;
  /** Whether a file of the site has the checksum. False on a server, where it was just downloaded. */
  isIntact(path: string, sha256: string): Promise<boolean>;
}

interface SourceOptions {
  /** The copy that is updated, to whose files patches apply. */
  copy?: string;
  /** Leaves out the compressed copies, which only web servers use. */
  leavesOutCopies?: boolean;
  advice?: string;
}

/**
 * Opens the site in a directory, in the root of a drive, or at a URL.
 * @throws {UserError} if there is none, or a file that its manifest lists is missing
 */
export async function openSiteSource(from: string, options: SourceOptions = {}): Promise<SiteSource> {
  if (isUrl(from)) return await openRemoteSite(from, options);
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) throw new UserError(`${from} ${describeNoSite(from)}`);
  const dir = siteDirectoryOf(from);
  const advice = options.advice ?? `Check it with "microfiche verify --dir ${from}".`;
  const { files: listed, absent, ...lists } = readLists(dir, options);
  if (listed.length + absent.length === 0) throw new UserError(`${from} ${describeNoSite(from)}`);
  const site = toSafeDirectory(dir);
  const files = listed.map(({ path, sha256, base }) => {
    if (base !== undefined) return { path, sha256, base, size: undefined };
    const stats = describeObstacles(() => site.stat(path), dir, advice);
    if (!stats) throw new UserError(`${join(dir, path)} is missing. ${advice}`);
    return { path, sha256, size: stats.size };
  });
  return {
    ...{ dir, files, absent, advice, ...lists },
    async write({ path, sha256, base }, target) {
      if (base === undefined || options.copy === undefined) await copyBytes(site.resolve(path), target);
      else await writePatched(dir, toSafeDirectory(options.copy), { path, sha256, base }, target);
    },
    isIntact: async (path, sha256) => (await sha256OfFile(site.resolve(path))) === sha256,
    [Symbol.dispose]: () => undefined,
  };
}

/** Whether a name is a URL, and no path. */
export const isUrl = (name: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(name);

/** Whether something is a bag by its name or declaration: a ZIP or TAR file, or a directory. */
export const isBag = (path: string): boolean =>
  existsSync(join(path, 'bagit.txt')) || (/\.(?:zip|tar)$/i.test(path) && isFile(path));

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function describeNoSite(from: string): string {
  if (!existsSync(from)) return 'does not exist. Check the name, or run "microfiche build" first.';
  if (isFile(from)) return 'is a file. Name the directory of a site. To open a bag or a WACZ, use "microfiche import".';
  if (existsSync(join(from, COPY_LOG)))
    return 'is a copy that was interrupted. Complete it first: run the same "microfiche sync" again.';
  return `does not contain a site. Run "microfiche build" first, or name the site's directory.`;
}

/** Reads what the manifest in a directory lists: what is there, what a partial copy lacks, and how many copies are left out. */
function readLists(dir: string, { leavesOutCopies = false, copy }: SourceOptions) {
  const update = readUpdate(dir);
  const present = (update && copy !== undefined && readManifestText(copy)) || '';
  const made = update && makeManifest(update, present);
  if (update && !made)
    throw new UserError(
      `The update ${dir} cannot be applied to ${copy ?? 'nothing'}: it is for a copy with another manifest. Apply earlier updates first, or sync with a whole copy.`,
    );
  const { manifest, isWhole } = made ?? { manifest: readManifestText(dir) ?? '', isWhole: true };
  const all = parseManifest(manifest);
  const own = all.find(({ path }) => [COPY_LOG, ...PARTIAL_FILES, MANIFEST_FILE, LEFT_OUT_FILE].includes(path));
  if (own) throw new UserError(`The manifest in ${dir} lists ${own.path}, which is never part of a site. Build the site again.`);
  const listed = leavesOutCopies ? all.filter(({ path }) => originalOfCopy(path) === undefined) : all;
  const left = update ? parseChecksums(manifest) : readLeftOut(dir);
  const bases = parseChecksums(update ? present : (readText(dir, PATCHED_FILE) ?? ''));
  const lines = listed.map((line) => {
    const isHere = left.get(line.path) !== line.sha256 || existsSync(join(dir, line.path));
    const base = isHere || !existsSync(join(dir, PATCH_DIRECTORY, line.path)) ? undefined : bases.get(line.path);
    return { ...line, base, isAbsent: !isHere && base === undefined };
  });
  const { absent = [], files = [] } = Object.groupBy(lines, ({ isAbsent }) => (isAbsent ? 'absent' : 'files'));
  const signature = isWhole ? readText(dir, SIGNATURE_FILE) : undefined;
  const leftOut = isWhole ? all.length - listed.length : 1; // as many as the earlier site has
  return { files, absent, leftOut, manifest, signature };
}

/** Downloads the manifest of a site, and what says whose it is, to a temporary directory. */
async function openRemoteSite(from: string, options: SourceOptions): Promise<SiteSource> {
  const url = URL.parse(from);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(`${from} is not the URL of a site. Expected https:// or http://.`);
  using opening = new DisposableStack();
  const { path: dir } = opening.use(mkdtempDisposableSync(join(tmpdir(), 'microfiche-sync-')));
  const base = `${url.origin}${url.pathname.replace(/(?:\/index\.html|\/)$/, '')}/`;
  const { createProxyAgent } = await import('../../http/proxies.ts'); // slow to load
  const dispatcher = createProxyAgent();
  const fetchList = (name: string, isOptional = false) =>
    download(urlOf(base, name), join(dir, name), { dispatcher, isOptional, maxBytes: MAX_LIST_BYTES });
  await fetchList(MANIFEST_FILE);
  const listed = new Set(readManifest(dir).map(({ path }) => path));
  for (const name of [IDENTITY_FILE, WITHHELD_FILE]) if (listed.has(name)) await fetchList(name);
  for (const name of [SIGNATURE_FILE, LEFT_OUT_FILE]) await fetchList(name, true);
  const { files, absent, signature, ...lists } = readLists(dir, options);
  if (files.length === 0) throw new UserError(`${base}${MANIFEST_FILE} lists no files. Name the URL of a site's home page.`);
  const opened = opening.move();
  return {
    ...{ dir, absent, ...lists },
    // Some hosts send a page instead of a missing file.
    signature: signature?.startsWith('-----BEGIN SSH SIGNATURE-----') ? signature : undefined,
    files: files.map(({ path, sha256 }) => ({ path, sha256, size: undefined })),
    measure: async () =>
      await pMap(files, async (file) => ({ ...file, size: await remoteSize(urlOf(base, file.path), dispatcher) }), {
        concurrency: 8,
      }),
    advice: 'Check the site on the server.',
    write: async ({ path }, target) => await download(urlOf(base, path), target, { dispatcher }),
    isIntact: async () => false,
    [Symbol.dispose]: () => opened.dispose(),
  };
}

/** The largest manifest, and the largest file whose size the server does not declare, in bytes. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

async function remoteSize(url: string, dispatcher: Dispatcher): Promise<number> {
  const { request } = await import('undici');
  const { statusCode, headers } = await request(url, { dispatcher, method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
  const size = Number(headers['content-length'] ?? Number.NaN);
  if (statusCode === 200 && Number.isSafeInteger(size)) return size;
  throw new UserError(
    `The server does not say the size of ${url}. --fit needs it: copy from a directory or a drive, or copy all.`,
  );
}

const urlOf = (base: string, path: string) => `${base}${path.split('/').map(encodeURIComponent).join('/')}`;

/** Downloads a file of a site. Redirects are not followed. A file that never ends does not fill the disk. */
async function download(
  url: string,
  target: string,
  {
    dispatcher,
    isOptional = false,
    maxBytes = Number.POSITIVE_INFINITY,
  }: { dispatcher: Dispatcher; isOptional?: boolean; maxBytes?: number },
): Promise<void> {
  try {
    const { request } = await import('undici');
    const { statusCode, headers, body } = await request(url, { dispatcher, headers: { 'accept-encoding': 'identity' } });
    if (statusCode !== 200) {
      await body.dump();
      if (isOptional && statusCode >= 400 && statusCode < 500) return;
      throw new Error(`the server responds with HTTP ${statusCode}`);
    }
    const { free } = readDiskSpace(dirname(target));
    const limit = Math.min(Number(headers['content-length'] ?? MAX_LIST_BYTES), free, maxBytes);
    let received = 0;
    const limited = tee(body as AsyncIterable<Buffer>, (chunk) => {
      received += chunk.length;
      if (received > limit) throw new Error(`it is larger than ${formatBytes(limit)}`);
    });
    await pipeline(limited, createWriteStream(target));
  } catch (cause) {
    throw new UserError(`${url} could not be downloaded: ${(cause as Error).message}. Run the command again to resume.`, {
      cause,
    });
  }
}
