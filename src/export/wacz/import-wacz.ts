/** Imports a snapshot from a WACZ of `export wacz`. All is checked first: the snapshot is then there as a whole or not at all. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extractLinks } from '../../harvest/extract-links.ts';
import { decodeBody, parseJson } from '../../model/json.ts';
import { type BaseUrls, parseBaseUrl, parseResourceKey, type Resource } from '../../model/resources.ts';
import type { Exchange, HeaderList } from '../../model/response.ts';
import { isObject } from '../../model/values.ts';
import { chunksOfFile } from '../../platform/file-chunks.ts';
import { tee } from '../../platform/in-parts.ts';
import { foldPath } from '../../platform/portability.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { openSyncs } from '../../platform/sync-files.ts';
import { parseExchange } from '../../snapshot/exchanges.ts';
import { mediaPathProblem } from '../../snapshot/media-files.ts';
import { isMoment, isResourceKind } from '../../snapshot/rows.ts';
import { createSnapshot, type Store, writeMeta } from '../../snapshot/store.ts';
import { openWriter } from '../../snapshot/write.ts';
import { openMediaWriter } from '../../snapshot/write-media.ts';
import { createDigest } from '../digest.ts';
import {
  type ImportOptions,
  type ImportReport,
  isDiskError,
  refuseDatabase,
  refusePackage,
  syncDatabase,
  withStaging,
} from '../import-staging.ts';
import { checkSignatureOf, findWaczProblem, identityOf, readWacz } from './wacz-check.ts';
import { UNKNOWN_TIME } from './wacz-container.ts';
import { API_WARC, KEY_FIELD, MEDIA_FIELDS, MEDIA_WARC, RECEIVED_FIELD, type SnapshotFacts } from './wacz-records.ts';
import { TABLE_FIELD, writeRows } from './wacz-rows.ts';
import { flatten, parseRequest, readBytes, readResponse, readWarc } from './warc-reader.ts';

/**
 * Imports the WACZ at `path` as the snapshot `target`.
 * @throws {UserError} if the target is not empty, or the WACZ is damaged, was changed, or is not one of a snapshot.
 */
export function importWacz(path: string, target: string, { signersFile, progress }: ImportOptions): Promise<ImportReport> {
  return withStaging(path, target, progress, async ({ snapshot, workDirectory }) => {
    using closing = new DisposableStack();
    const store = createSnapshot(snapshot);
    closing.defer(() => store.close());
    // What a crash leaves here is deleted anyway, so no change waits for the disk; `syncDatabase` does so once.
    store.db.exec('PRAGMA synchronous = OFF');
    const written = new Map<string, string>();
    let facts: SnapshotFacts | undefined;
    let failure: { error: unknown } | undefined;
    const waiting = join(workDirectory, 'media.warc.gz');
    const importNow = async (name: string, content: AsyncIterable<Uint8Array>) => {
      if (failure) return;
      if (name === API_WARC) facts = await importApi(store, content, path);
      else if (name === MEDIA_WARC && facts) await importMedia(store, content, path, written);
      else if (name === MEDIA_WARC) await writeFile(waiting, content); // another program has sorted the files
    };
    /** A file that was changed is refused as such, and not for what it says. */
    const use = (name: string, content: AsyncIterable<Uint8Array>) =>
      importNow(name, content).catch((error: unknown) => {
        if (isDiskError(error)) throw error;
        failure ??= { error };
      });
    const wacz = await readWacz(path, progress?.onRead, use);
    const problem = findWaczProblem(wacz);
    if (problem !== undefined) refusePackage(path, problem);
    const signature = await checkSignatureOf(wacz, signersFile);
    if (signature && 'problem' in signature) refusePackage(path, signature.problem);
    const identity = identityOf(wacz);
    if (identity?.format !== 'wacz')
      refusePackage(path, 'it is not a WACZ of a snapshot. A WACZ of a site has pages only, from which no snapshot can be made');
    for (const file of [API_WARC, MEDIA_WARC]) if (!wacz.checksums.has(file)) refusePackage(path, `${file} is missing`);
    try {
      if (failure) throw failure.error;
      if (existsSync(waiting)) await importMedia(store, chunksOfFile(waiting), path, written);
      if (facts) finishRuns(store, facts);
    } catch (error) {
      refuseDatabase(error, snapshot, path);
    }
    closing.dispose();
    syncDatabase(snapshot);
    return { identity, written: (file: string) => written.get(file) };
  });
}

/** Writes the bodies. Returns the facts of the snapshot. */
async function importApi(store: Store, content: AsyncIterable<Uint8Array>, path: string): Promise<SnapshotFacts> {
  let facts: SnapshotFacts | undefined;
  let baseUrls: BaseUrls | undefined;
  let writer: ReturnType<typeof openWriter> | undefined;
  /** The exchanges of redirects before the next body, and the request before the next response. */
  let hops: Exchange[] = [];
  let request: Pick<Exchange, 'method' | 'sentAt' | 'requestHeaders'> | undefined;
  /** The exchanges of the next body, if that was changed since. */
  let described: Exchange[] = [];
  for await (const record of readWarc(API_WARC, content)) {
    const type = record.fields.get('warc-type');
    if (type === 'metadata' && record.fields.has('warc-refers-to')) described = readDownload(await readBytes(record, path), path);
    else if (type === 'metadata') {
      facts = readFacts(await readBytes(record, path), path);
      baseUrls = applyFacts(store, facts, path);
      const now = facts.runs[0]?.startedAt ?? UNKNOWN_TIME;
      writer = openWriter(store, () => now);
    }
    if (type === 'request') request = parseRequest(await readBytes(record, path), record, path);
    if (type !== 'response' && type !== 'resource') continue;
    if (!writer || !baseUrls) refusePackage(path, 'it does not describe its snapshot');
    const { url, fetchedAt, status, reason, headers, body } = await readResponse(record, type, path);
    const exchange: Exchange | undefined = request && { ...request, url, status, reason, headers, body: undefined };
    request = undefined;
    const key = record.fields.get(KEY_FIELD.toLowerCase());
    if (key === undefined) {
      if (exchange) hops.push({ ...exchange, body });
      continue;
    }
    const outcome = describeResource(key, body, headers, baseUrls, path);
    const received = {
      url,
      fetchedAt,
      status,
      headers: flatten(headers),
      body,
      redirects: [...hops, ...described.slice(0, -1)].map((hop) => hop.url),
      exchanges: exchange ? [...hops, exchange] : described,
    };
    writer.enqueue([outcome.resource]);
    writer.commitOutcomes([{ ...outcome, attempts: 1, received, discovered: [] }]);
    const receivedSha256 = record.fields.get(RECEIVED_FIELD.toLowerCase());
    if (receivedSha256 !== undefined) markRedacted(store, key, fetchedAt, receivedSha256, path);
    hops = [];
    described = [];
  }
  if (!facts) refusePackage(path, 'it does not describe its snapshot');
  return facts;
}

/** Notes that the body that was just written is not as it was received. */
function markRedacted({ db }: Store, key: string, at: string, receivedSha256: string, path: string): void {
  if (!/^[0-9a-f]{64}$/.test(receivedSha256)) refusePackage(path, `the checksum of what was received as ${key} is damaged`);
  db.prepare(
    'INSERT OR IGNORE INTO redaction (response, redacted_at, received_sha256) SELECT response, ?, ? FROM resource WHERE key = ? AND response IS NOT NULL',
  ).run(at, receivedSha256, key);
}

/** Returns the resource that a key names, and the model of a record. */
function describeResource(
  key: string,
  body: Buffer,
  headers: HeaderList,
  baseUrls: BaseUrls,
  path: string,
): { resource: Resource; model: string | undefined } {
  const { kind, name } = parseResourceKey(key);
  if (!isResourceKind(kind)) refusePackage(path, `a record has the unknown key ${key}`);
  const [, limit, offset] = /\?limit=(\d{1,9})&offset=(\d{1,9})$/.exec(key) ?? [];
  const resource: Resource = {
    kind,
    name,
    ...(limit === undefined ? {} : { page: { limit: Number(limit), offset: Number(offset) } }),
  };
  const payload = parseJson(decodeBody(body, flatten(headers)['content-type']));
  return { resource, model: kind === 'object' ? extractLinks(resource, payload, baseUrls).model : undefined };
}

function readFacts(block: Buffer, path: string): SnapshotFacts {
  const facts = parseJson(block.toString('utf8'));
  const { meta, runs } = isObject(facts) ? facts : {};
  if (!isObject(meta) || !Array.isArray(runs)) refusePackage(path, 'the description of its snapshot is damaged');
  return {
    meta: Object.fromEntries(Object.entries(meta).map(([key, value]) => [key, String(value)])),
    runs: runs.flatMap((run: unknown) => {
      if (!isObject(run) || !isMoment(run['startedAt'])) return [];
      const { startedAt, finishedAt, report } = run;
      return [
        { startedAt, finishedAt: isMoment(finishedAt) ? finishedAt : null, report: typeof report === 'string' ? report : null },
      ];
    }),
  };
}

/** Writes the facts. Returns the base URLs of the archive. */
function applyFacts(store: Store, { meta }: SnapshotFacts, path: string): BaseUrls {
  for (const [key, value] of Object.entries(meta)) writeMeta(store.db, key, value);
  const base = (key: string) => parseBaseUrl(meta[key] ?? '') ?? refusePackage(path, `it does not name the archive (${key})`);
  return { authors: base('authors_url'), catalog: base('catalog_url') };
}

/** Writes the media files. `written` gets their checksums by path. */
async function importMedia(
  store: Store,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
  written: Map<string, string>,
): Promise<void> {
  const safeDir = toSafeDirectory(store.dir);
  await using syncs = openSyncs();
  using writer = openMediaWriter(store);
  /** The paths of the files as one file system or another may have them. */
  const spellings = new Map<string, string>();
  /** Of the next file. */
  let exchanges: Exchange[] | undefined;
  for await (const record of readWarc(MEDIA_WARC, content)) {
    const type = record.fields.get('warc-type');
    const table = record.fields.get(TABLE_FIELD.toLowerCase());
    if (type === 'metadata' && table !== undefined) {
      if (!writeRows(store.db, table, await readBytes(record, path))) refusePackage(path, `its rows of ${table} are damaged`);
    } else if (type === 'metadata') exchanges = readDownload(await readBytes(record, path), path);
    if (type !== 'resource') continue;
    const field = (name: string) => record.fields.get(name.toLowerCase()) ?? '';
    const file = field(MEDIA_FIELDS.path);
    const problem = mediaPathProblem(file, 'stored');
    if (problem !== undefined) refusePackage(path, `${file}: ${problem}`);
    const other = spellings.get(foldPath(file)) ?? file;
    if (other !== file) refusePackage(path, `${file} and ${other} are the same file on some systems`);
    spellings.set(foldPath(file), file);
    const fetchedAt = field('WARC-Date');
    if (!isMoment(fetchedAt)) refusePackage(path, `${file} has no time`);
    const digest = createDigest(['sha256']);
    await syncs.add(safeDir.create(file), tee(record.block(), digest.update));
    const { size, checksums } = digest.digest();
    written.set(file, String(checksums.sha256));
    const stored = { path: file, sha256: checksums.sha256, size, mimetype: field('Content-Type'), fetchedAt };
    const url = field(MEDIA_FIELDS.url) || field('WARC-Target-URI');
    const named = { url, owner: field(MEDIA_FIELDS.owner), kind: field(MEDIA_FIELDS.kind) };
    writer.put({ ...named, state: 'stored', ...stored, exchanges });
    exchanges = undefined;
  }
  await syncs.finish();
}

function readDownload(block: Buffer, path: string): Exchange[] {
  const download = parseJson(block.toString('utf8'));
  const listed = isObject(download) && Array.isArray(download['exchanges']) ? (download['exchanges'] as unknown[]) : [];
  const exchanges = listed.flatMap((exchange) => parseExchange(exchange) ?? []);
  if (exchanges.length === 0 || exchanges.length < listed.length) refusePackage(path, 'the description of a download is damaged');
  return exchanges;
}

/** Writes the harvests of the snapshot in place of the one that the import began. */
function finishRuns({ db }: Store, { runs }: SnapshotFacts): void {
  const [first, ...others] = runs;
  const update = db.prepare('UPDATE run SET started_at = ?, finished_at = ?, report = ?');
  if (first) update.run(first.startedAt, first.finishedAt, first.report);
  const insert = db.prepare('INSERT INTO run (started_at, finished_at, report) VALUES (?, ?, ?)');
  for (const { startedAt, finishedAt, report } of others) insert.run(startedAt, finishedAt, report);
  db.exec('UPDATE resource SET run = (SELECT max(id) FROM run)');
}
