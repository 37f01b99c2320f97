/** Exports the entire snapshot as a BagIt bag (RFC 8493), which is also an RO-Crate. */
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../model/version.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { isOfUpdate } from '../../publish/partial-copy.ts';
import { SOURCE_FILE, writeProgramSource } from '../../publish/program-source.ts';
import { sign } from '../../publish/signature.ts';
import { signatureCommand, signatureFileOf } from '../../publish/signed-kinds.ts';
import { readArchiveIdentity } from '../../publish/site-identity.ts';
import { DATABASE_FILE } from '../../snapshot/file-names.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import { readBaseUrls, readLastRun } from '../../snapshot/read.ts';
import { BAG_DIGESTS, createDigest, type Digest } from '../digest.ts';
import { writeEad } from '../ead/ead.ts';
import { type ExportContext, type PackageReport, SOFTWARE } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE } from '../identity.ts';
import { type IsOwnFile, readChecksums } from '../own-files.ts';
import { formatManifest, type PackagedFile } from '../package/manifest.ts';
import { type Content, readContent } from '../package/package-content.ts';
import type { FileWriter } from '../package/package-writer.ts';
import { writePortableDatabase } from '../portable-database.ts';
import { checkMediaFile, type PortableMedia } from '../portable-media.ts';
import { describeBodies, type ExportScope, isWhole, PRIVATE_RECORDS, wrap } from '../scope.ts';
import { writeTables } from '../tables/tables.ts';
import { createRoCrate } from './ro-crate.ts';
import { openUpdate } from './update-writer.ts';

/** Path of the database in a bag. Media files are beside it, at their paths in the snapshot. */
export const BAGGED_DATABASE = 'data/snapshot.sqlite';

/** Returns which files `writeBag` wrote into a bag: those in its manifests, and the last ones, which are in none. */
export async function readBagFiles(directory: string): Promise<IsOwnFile> {
  const payload = await readChecksums(directory, 'manifest-sha256.txt');
  const tags = await readChecksums(directory, 'tagmanifest-sha256.txt');
  return (path) =>
    payload.has(path) || tags.has(path) || isOfUpdate(path) || /^tagmanifest-sha(?:256\.txt(?:\.sig)?|512\.txt)$/.test(path);
}

/**
 * Writes the files of a bag, or of its update. `root` is the directory of the bag in the package: a ZIP or TAR file has the bag
 * in a directory.
 */
export async function writeBag(context: ExportContext, writer: FileWriter, root: string): Promise<PackageReport> {
  if (context.since === undefined) return await writeFiles(context, writer, root);
  const update = await openUpdate(writer, root, context.since);
  const report = await writeFiles(context, update, root);
  return {
    ...report,
    ...(await update.finish()),
    notes: [...report.notes, 'It updates only the bag with that manifest, and snapshots that were imported from it.'],
  };
}

async function writeFiles(context: ExportContext, writer: FileWriter, root: string): Promise<PackageReport> {
  const { store, scope, title, keyFile, onProgress } = context;
  using directory = mkdtempDisposableSync(join(writer.workDirectory, 'bagit-'));
  const payload: PackagedFile[] = [];
  const tags: PackagedFile[] = [];
  const add = async (list: PackagedFile[], path: string, content: Content) => {
    const digest = await writer.add(`${root}${path}`, content);
    list.push({ path, digest });
    return digest;
  };
  const database = join(directory.path, DATABASE_FILE);
  const { media, notes: rowNotes } = writePortableDatabase(store, database, scope);
  const included = new Set(media.map(({ url }) => url));
  const fingerprint = computeFingerprint(store, { includesMedia: (url) => included.has(url) });
  const archive = readArchiveIdentity(store);
  await add(
    tags,
    IDENTITY_FILE,
    Buffer.from(formatIdentity({ format: 'bagit', fingerprint, archive, collections: scope.collections })),
  );
  await add(payload, BAGGED_DATABASE, { file: database });
  const failed = new AbortController();
  const mediaFiles = addMedia(media, store.dir, (path, content) => add(payload, path, content), onProgress);
  mediaFiles.catch((error: unknown) => failed.abort(error));
  const prepared = prepareFiles(join(directory.path, 'descriptions'));
  const notes = await writeDescriptions(context, prepared, `${root}data/`, failed.signal);
  await mediaFiles;
  for (const { path, digest } of await prepared.addTo(writer)) payload.push({ path: path.slice(root.length), digest });
  if (context.withSource) {
    const source = join(directory.path, SOURCE_FILE);
    await writeProgramSource(source);
    await add(payload, `data/${SOURCE_FILE}`, { file: source });
  }
  const { catalog } = readBaseUrls(store);
  const crate = createRoCrate({ title, scope, catalogUrl: catalog, harvestedAt: harvestTime(store), files: payload, media });
  await add(payload, 'data/ro-crate-metadata.json', Buffer.from(crate));
  await add(tags, 'bagit.txt', Buffer.from('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'));
  await add(tags, 'bag-info.txt', Buffer.from(bagInfo(context, payload, fingerprint)));
  await add(tags, 'README.txt', Buffer.from(bagReadme(title, scope, context.withSource)));
  await writeManifests(payload, tags, keyFile, (path, content) => add(tags, path, content));
  return {
    files: payload.length + tags.length,
    bytes: totalSize(payload),
    fingerprint,
    notes: [...rowNotes, ...notes],
  };
}

/** Media files that are added before one of them is written: as many as can be written while the catalogue is read. */
const FILES_PER_BATCH = 10_000;

/** Adds the media files, sorted by path. */
async function addMedia(
  media: readonly PortableMedia[],
  directory: string,
  add: (path: string, content: Content) => Promise<Digest>,
  onProgress: ExportContext['onProgress'],
): Promise<void> {
  const safeDir = toSafeDirectory(directory);
  const files = [...new Map(media.flatMap((row) => (row.path === null ? [] : [[row.path, row] as const])))];
  files.sort(([a], [b]) => (a < b ? -1 : 1));
  let done = 0;
  for (let from = 0; from < files.length; from += FILES_PER_BATCH)
    await Promise.all(
      files.slice(from, from + FILES_PER_BATCH).map(async ([path, row]) => {
        checkMediaFile(row, await add(`data/${path}`, { file: safeDir.resolve(row.source as string) }));
        onProgress?.(++done, files.length);
      }),
    );
}

/** Makes the tables and finding aids. Stops with the reason of the signal. Returns what a reader should know, as sentences. */
async function writeDescriptions(
  context: ExportContext,
  writer: FileWriter,
  prefix: string,
  signal: AbortSignal,
): Promise<string[]> {
  const watched = { ...context, onProgress: () => signal.throwIfAborted() };
  const { notes } = await writeTables(watched, writer, `${prefix}tables/`);
  const aids = await writeEad(watched, writer, `${prefix}finding-aids/`, { mediaBase: '../' });
  return [...notes, ...aids.notes];
}

/** Writes the manifests, and signs the last one of SHA-256. `add` also adds to `tags`. */
async function writeManifests(
  payload: readonly PackagedFile[],
  tags: readonly PackagedFile[],
  keyFile: string | undefined,
  add: (path: string, content: Content) => Promise<unknown>,
): Promise<void> {
  for (const algorithm of BAG_DIGESTS) await add(`manifest-${algorithm}.txt`, Buffer.from(formatManifest(payload, algorithm)));
  const listed = [...tags];
  for (const algorithm of BAG_DIGESTS) {
    const manifest = Buffer.from(formatManifest(listed, algorithm));
    await add(`tagmanifest-${algorithm}.txt`, manifest);
    if (algorithm === 'sha256' && keyFile !== undefined)
      await add(signatureFileOf('bag'), Buffer.from(await sign('bag', manifest, keyFile)));
  }
}

function harvestTime(store: ExportContext['store']): string | undefined {
  const run = readLastRun(store);
  return run?.finished_at ?? run?.started_at;
}

const totalSize = (files: readonly PackagedFile[]): number => files.reduce((total, { digest }) => total + digest.size, 0);

const MAX_INFO_LINE = 79;

/** Returns `bag-info.txt`. A long value continues on lines that begin with a space. */
function bagInfo({ store, scope, title }: ExportContext, payload: readonly PackagedFile[], fingerprint: string): string {
  const { authors, catalog } = readBaseUrls(store);
  const harvestedAt = harvestTime(store);
  const fields: ReadonlyArray<readonly [label: string, value: string]> = [
    [
      'External-Description',
      [
        isWhole(scope)
          ? `Snapshot of the archive “${title}”: every stored API response with its provenance, and media files.`
          : `Part of a snapshot of the archive “${title}”: API responses with their provenance, and media files. ${describeBodies(scope)}`,
        'It may contain records that the archive does not publish.',
      ].join(' '),
    ],
    ['External-Identifier', `urn:sha256:${fingerprint}`],
    ['Source-Organization', title],
    ['Bag-Software-Agent', SOFTWARE],
    ...(harvestedAt === undefined ? [] : [['Bagging-Date', harvestedAt.slice(0, 10)] as const]),
    ['Payload-Oxum', `${totalSize(payload)}.${payload.length}`],
    ['Internal-Sender-Description', `Harvested from ${authors === catalog ? catalog : `${authors} and ${catalog}`}.`],
  ];
  return fields.map(([label, value]) => `${wrap(`${label}: ${value.trim()}`, MAX_INFO_LINE, '  ')}\n`).join('');
}

/** Returns a writer of files below `directory`, which must not exist. */
function prepareFiles(directory: string) {
  const workDirectory = join(directory, 'work');
  mkdirSync(workDirectory, { recursive: true });
  const paths: string[] = [];
  const fileAt = (position: number) => join(directory, String(position));
  return {
    workDirectory,
    async add(path: string, content: Content): Promise<Digest> {
      const digest = createDigest(BAG_DIGESTS);
      const file = fileAt(paths.push(path) - 1);
      await writeFile(file, readContent(content, digest.update), { flag: 'wx' });
      return digest.digest();
    },
    /** Adds all files to a package, in the order in which they were made. Returns their paths and checksums. */
    async addTo(writer: FileWriter) {
      const added: PackagedFile[] = [];
      for (const [position, path] of paths.entries())
        added.push({ path, digest: await writer.add(path, { file: fileAt(position) }) });
      return added;
    },
  };
}

const SOURCE_COLUMN = 32;

function bagReadme(title: string, scope: ExportScope, withSource: boolean): string {
  const source = `data/${SOURCE_FILE}`.padEnd(SOURCE_COLUMN);
  return `${title}: snapshot

${wrap(
  `This is a BagIt bag (RFC 8493) with ${isWhole(scope) ? 'everything that' : 'a part of what'} Microfiche harvested from the archive's public API. ${describeBodies(scope)} ${PRIVATE_RECORDS}`,
)}

data/snapshot.sqlite            API responses, with URL, time, headers and checksum (SQLite)
data/tables/                    the published records as CSV, Parquet and SQLite
data/media/                     images, recordings and transcripts, named after their records
data/finding-aids/              the finding aids of the published collections (EAD3)
data/ro-crate-metadata.json     what each file is (RO-Crate 1.2)
${withSource ? `${source}the program that made this bag; its docs/snapshot-format.md describes the database\n` : ''}manifest-sha256.txt, …          the checksums of all files

Is it complete and unchanged? With any tool for bags, or:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

If tagmanifest-sha256.txt.sig is here, the bag was signed. With the signer's public key in the file signers:

  ${signatureCommand('bag')}

To read the records, open data/snapshot.sqlite with SQLite.

To make a site of them again${withSource ? `, unpack data/${SOURCE_FILE}, and run "npm ci" in its directory. Then run there` : `, run in the directory of Microfiche ${VERSION}`}:

  node scripts/bin.mjs import PATH_OF_THIS_BAG --snapshot snapshot
  node scripts/bin.mjs build --snapshot snapshot
`;
}
