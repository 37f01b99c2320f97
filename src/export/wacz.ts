/** Exports the snapshot as a WACZ (version 1.1.1): every exchange with the API and every media file as WARC records, with an index and pages. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { titleOf } from '../catalogue/object-entries.ts';
import { readArticle, readAuthor } from '../model/guide.ts';
import { parseRecord } from '../model/records.ts';
import type { ResourceKind } from '../model/resources.ts';
import type { HeaderList } from '../model/response.ts';
import { toPlainText } from '../model/text.ts';
import { VERSION } from '../model/version.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { readExchanges } from '../snapshot/exchanges.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { parseBody, readBodies, readLastRun } from '../snapshot/read.ts';
import type { StoredBody, StoredMedia } from '../snapshot/row-types.ts';
import { createDigest } from './digest.ts';
import { type ExportContext, type ExportReport, SOFTWARE } from './export-context.ts';
import { formatIdentity, IDENTITY_FILE } from './identity.ts';
import type { PackageWriter } from './package-writer.ts';
import { readPortableMedia } from './portable-database.ts';
import { formatHttpHead, formatRecord, headersOfDecoded, surtOf, type WarcRecord } from './warc.ts';

const WACZ_VERSION = '1.1.1';
export const API_WARC = 'archive/api.warc.gz';
export const MEDIA_WARC = 'archive/media.warc.gz';
/** Names the resource of a snapshot that a record is a version of. */
export const KEY_FIELD = 'Microfiche-Key';
/** What an import needs to know of a media file. */
export const MEDIA_FIELDS = { path: 'Microfiche-Path', owner: 'Microfiche-Owner', kind: 'Microfiche-Kind' } as const;
const MAX_PAGE_TEXT = 10_000;
/** The time of a snapshot that was never harvested. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';
const KINDS = ['author', 'article', 'source', 'object', 'authors', 'children', 'files'] as const;

/** A record with what the index says of it. */
interface IndexedRecord {
  record: WarcRecord;
  /** Undefined for records that are not in the index: requests and warcinfo. */
  entry?: { url: string; date: string; mime: string; status: number; sha256: string };
}

/** Writes the files of a WACZ. */
export async function writeWacz(context: ExportContext, writer: PackageWriter): Promise<Omit<ExportReport, 'format' | 'to'>> {
  const { store, onProgress } = context;
  const workDirectory = mkdtempSync(join(tmpdir(), 'microfiche-wacz-'));
  const index = openIndex(join(workDirectory, 'index.sqlite'));
  const resources: Array<{ name: string; path: string; hash: string; bytes: number }> = [];
  const add = async (path: string, content: Parameters<PackageWriter['add']>[1]) => {
    const { size, checksums } = await writer.add(path, content);
    resources.push({ name: path.slice(path.lastIndexOf('/') + 1), path, hash: `sha256:${checksums.sha256}`, bytes: size });
  };
  try {
    const media = readPortableMedia(store).filter(({ state }) => state === 'stored');
    const included = new Set(media.map(({ url }) => url));
    const fingerprint = computeFingerprint(store, { includesMedia: (url) => included.has(url) });
    await writer.add(IDENTITY_FILE, Buffer.from(formatIdentity({ format: 'wacz', fingerprint })));
    await add(API_WARC, { read: () => warcFile(API_WARC, apiRecords(context), index) });
    await add(MEDIA_WARC, { read: () => warcFile(MEDIA_WARC, mediaRecords(context, media, onProgress), index) });
    await add('indexes/index.cdxj', { read: () => index.lines() });
    await add('pages/pages.jsonl', { read: () => pages(context) });
    const description = Buffer.from(describe(context, resources));
    const { checksums } = await writer.add('datapackage.json', description);
    await writer.add(
      'datapackage-digest.json',
      Buffer.from(`${JSON.stringify({ path: 'datapackage.json', hash: `sha256:${checksums.sha256}` }, undefined, 1)}\n`),
    );
    const bytes = resources.reduce((total, resource) => total + resource.bytes, 0);
    return { files: resources.length + 3, bytes, fingerprint, notes: [] };
  } finally {
    index.close();
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

function describe({ store, title }: ExportContext, resources: readonly object[]): string {
  const run = readLastRun(store);
  const description = {
    profile: 'data-package',
    wacz_version: WACZ_VERSION,
    title,
    description: `Every response of the API of ${title}, and its media files. It may contain records that the archive does not publish.`,
    software: `${SOFTWARE} ${VERSION}`,
    created: run?.finished_at ?? run?.started_at ?? UNKNOWN_TIME,
    resources,
  };
  return `${JSON.stringify(description, undefined, 1)}\n`;
}

/** Yields the bytes of a WARC file, and adds its records to the index. */
async function* warcFile(
  path: string,
  records: AsyncIterable<IndexedRecord> | Iterable<IndexedRecord>,
  index: CdxIndex,
): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const { record, entry } of records) {
    let length = 0;
    for await (const chunk of formatRecord(record)) {
      length += chunk.length;
      yield chunk;
    }
    if (entry) index.add({ ...entry, offset, length, filename: path.slice(path.lastIndexOf('/') + 1) });
    offset += length;
  }
}

interface CdxIndex {
  add(entry: NonNullable<IndexedRecord['entry']> & { offset: number; length: number; filename: string }): void;
  /** Yields the lines, sorted. */
  lines(): AsyncGenerator<Buffer>;
  close(): void;
}

/** Collects the index in a file, since that of a large archive may exceed the memory. */
function openIndex(file: string): CdxIndex {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE line (text TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO line VALUES (?)');
  return {
    add({ url, date, mime, status, sha256, offset, length, filename }) {
      const time = date.replace(/\.\d+/, '').replace(/\D/g, '').slice(0, 14);
      const fields = {
        url,
        mime,
        status: String(status),
        digest: `sha256:${sha256}`,
        length: String(length),
        offset: String(offset),
        filename,
      };
      insert.run(`${surtOf(url)} ${time} ${JSON.stringify(fields)}`);
    },
    async *lines() {
      for (const { text } of db.prepare('SELECT text FROM line ORDER BY text').iterate()) yield Buffer.from(`${String(text)}\n`);
    },
    close: () => db.close(),
  };
}

function warcInfo(name: string, { store, title }: ExportContext): IndexedRecord {
  const run = readLastRun(store);
  const fields = [
    ['software', `${SOFTWARE} ${VERSION}`],
    ['format', 'WARC File Format 1.1'],
    ['isPartOf', title],
    ['description', 'Bodies of API responses are content-decoded; their original headers begin with X-Archive-Orig-.'],
  ];
  const block = Buffer.from(fields.map(([field, value]) => `${field}: ${value}\r\n`).join(''));
  const date = run?.started_at ?? UNKNOWN_TIME;
  return { record: { type: 'warcinfo', seed: `warcinfo ${name}`, date, contentType: 'application/warc-fields', block } };
}

/** What an import needs to know of the snapshot as a whole. */
export interface SnapshotFacts {
  meta: Record<string, string>;
  runs: Array<{ startedAt: string; finishedAt: string | null; report: string | null }>;
  /** When records were marked as removed, by the key of the resource. */
  removed: Record<string, string>;
}

function snapshotFacts({ store, isRestricted }: ExportContext): IndexedRecord {
  const rows = (sql: string) => store.db.prepare(sql).all();
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const facts: SnapshotFacts = {
    meta: Object.fromEntries(
      rows('SELECT key, value FROM meta ORDER BY key').map(({ key, value }) => [String(key), String(value)]),
    ),
    // A report may name what is withheld.
    runs: rows('SELECT started_at, finished_at, report FROM run ORDER BY id').map((row) => ({
      startedAt: String(row['started_at']),
      finishedAt: text(row['finished_at']),
      report: isRestricted ? null : text(row['report']),
    })),
    removed: Object.fromEntries(
      rows('SELECT key, kind, name, gone_at FROM resource WHERE gone_at IS NOT NULL ORDER BY key').flatMap(
        ({ key, kind, name, gone_at: at }) =>
          store.filter.hides(kind as ResourceKind, String(name)) ? [] : [[String(key), String(at)]],
      ),
    ),
  };
  const date = facts.runs.at(-1)?.startedAt ?? UNKNOWN_TIME;
  const block = Buffer.from(JSON.stringify(facts));
  return { record: { type: 'metadata', seed: 'snapshot', date, contentType: 'application/json', block } };
}

/** Yields the records of the API: each version of each body with its exchanges; of a restricted snapshot, what it shows. */
function* apiRecords(context: ExportContext): Generator<IndexedRecord> {
  yield warcInfo(API_WARC, context);
  yield snapshotFacts(context);
  const { store } = context;
  const versions = store.db.prepare('SELECT id, sha256 FROM response WHERE key = ? ORDER BY id');
  const readVersion = store.db.prepare('SELECT url, fetched_at, status, headers, sha256, body FROM response WHERE id = ?');
  for (const kind of KINDS) {
    if (context.isRestricted && (kind === 'authors' || kind === 'children' || kind === 'files')) continue;
    for (const shown of readBodies(store, kind)) {
      const rows = versions.all(shown.key);
      const current = rows.findLast(({ sha256 }) => sha256 === shown.sha256);
      if (context.isRestricted) {
        yield* current ? versionRecords(store, Number(current['id']), shown) : [redactedRecord(shown)];
        continue;
      }
      for (const { id } of rows) {
        const row = readVersion.get(Number(id)) as {
          url: string;
          fetched_at: string;
          status: number;
          headers: string;
          sha256: string;
          body: Uint8Array;
        };
        const { url, fetched_at: fetchedAt, headers, sha256, body } = row;
        yield* versionRecords(store, Number(id), { ...shown, url, fetchedAt, headers, sha256, body }, row.status);
      }
    }
  }
}

/** Yields the requests and responses of one version of a body. */
function* versionRecords(store: ExportContext['store'], id: number, body: StoredBody, status = 200): Generator<IndexedRecord> {
  const exchanges = readExchanges(store, { response: id });
  const key = [[KEY_FIELD, body.key]] as const;
  if (exchanges.length === 0) {
    // An earlier version of Microfiche kept neither the request nor the headers as received.
    const headers = Object.entries(JSON.parse(body.headers) as Record<string, string>);
    yield responseRecord(`response ${id}`, body.url, body.fetchedAt, status, '', headers, body.body, key);
    return;
  }
  for (const [i, { url, method, sentAt, requestHeaders, status: own, reason, headers, body: hopBody }] of exchanges.entries()) {
    const isLast = i === exchanges.length - 1;
    const { pathname, search } = new URL(url);
    const block = formatHttpHead(`${method} ${pathname}${search} HTTP/1.1`, requestHeaders);
    const contentType = 'application/http; msgtype=request';
    yield { record: { type: 'request', seed: `request ${id} ${i}`, date: sentAt, uri: url, contentType, block } };
    const received = isLast ? body.body : (hopBody ?? new Uint8Array());
    yield responseRecord(
      `response ${id} ${i}`,
      url,
      isLast ? body.fetchedAt : sentAt,
      own,
      reason,
      headers,
      received,
      isLast ? key : [],
    );
  }
}

function responseRecord(
  seed: string,
  url: string,
  date: string,
  status: number,
  reason: string,
  headers: HeaderList,
  body: Uint8Array,
  fields: ReadonlyArray<readonly [string, string]>,
): IndexedRecord {
  const { size, checksums } = digestOf(body);
  const head = formatHttpHead(`HTTP/1.1 ${status} ${reason}`.trimEnd(), headersOfDecoded(headers, size));
  const sha256 = checksums.sha256 as string;
  const mime = (headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '').split(';')[0]?.trim() || 'unk';
  return {
    record: {
      type: 'response',
      seed,
      date,
      uri: url,
      contentType: 'application/http; msgtype=response',
      block: Buffer.concat([head, body]),
      payloadSha256: sha256,
      fields,
    },
    entry: { url, date, mime, status, sha256 },
  };
}

function digestOf(body: Uint8Array): ReturnType<ReturnType<typeof createDigest>['digest']> {
  const digest = createDigest(['sha256']);
  digest.update(body);
  return digest.digest();
}

/** A body from which something was withheld is not what upstream sent, so it is no response. */
function redactedRecord({ key, url, fetchedAt, body, sha256 }: StoredBody): IndexedRecord {
  const mime = 'application/json';
  return {
    record: {
      type: 'resource',
      seed: `redacted ${key}`,
      date: fetchedAt,
      uri: url,
      contentType: mime,
      block: body,
      fields: [[KEY_FIELD, key]],
    },
    entry: { url, date: fetchedAt, mime, status: 200, sha256 },
  };
}

function* mediaRecords(
  context: ExportContext,
  media: readonly StoredMedia[],
  onProgress: ExportContext['onProgress'],
): Generator<IndexedRecord> {
  yield warcInfo(MEDIA_WARC, context);
  const { store } = context;
  const safeDir = toSafeDirectory(store.dir);
  const times = store.db.prepare('SELECT fetched_at FROM media WHERE url = ?');
  for (const [i, { url, path, size, sha256, mimetype, owner, kind }] of media.entries()) {
    onProgress?.(i, media.length);
    if (path === null || size === null || sha256 === null) continue;
    const date = String(times.get(url)?.['fetched_at'] ?? UNKNOWN_TIME);
    const mime = mimetype ?? 'application/octet-stream';
    const fields = [
      [MEDIA_FIELDS.path, path],
      [MEDIA_FIELDS.owner, owner],
      [MEDIA_FIELDS.kind, kind],
    ] as const;
    const read = () => createReadStream(safeDir.resolve(path), { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    yield {
      record: {
        type: 'resource',
        seed: `media ${url}`,
        date,
        uri: url,
        contentType: mime,
        block: { size, sha256, read },
        fields,
      },
      entry: { url, date, mime, status: 200, sha256 },
    };
  }
}

/** Yields a page for each author, guide page and record, with its title and text, for the list and search of viewers. */
async function* pages({ store }: ExportContext): AsyncGenerator<Buffer> {
  yield line({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: true });
  for (const kind of ['object', 'article', 'author'] as const) {
    for (const stored of readBodies(store, kind)) {
      const { title, text } = describePage(kind, stored);
      yield line({
        id: `${kind}:${stored.name}`,
        url: stored.url,
        ts: stored.fetchedAt,
        title,
        text: text.slice(0, MAX_PAGE_TEXT),
      });
    }
  }
}

function describePage(kind: 'object' | 'article' | 'author', stored: StoredBody): { title: string; text: string } {
  const payload = parseBody(stored);
  if (kind === 'object') {
    const record = parseRecord(payload);
    return { title: record ? titleOf(record) : stored.name, text: toPlainText(record?.description) };
  }
  const article = kind === 'article' ? readArticle(payload) : undefined;
  const body = article ? article.body : readAuthor(payload)?.body;
  return { title: article?.title ?? stored.name, text: toPlainText(body) };
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
