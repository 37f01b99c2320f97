/** The WARC records of a snapshot: every exchange with the API, and every media file. */
import { hash } from 'node:crypto';
import { COLLECTIONS_META_KEY } from '../../harvest/previous-harvest.ts';
import { RESOURCE_KINDS, urlOf } from '../../model/resources.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { readExchanges } from '../../snapshot/exchanges.ts';
import { readBaseUrls, readBodies, readLastRun } from '../../snapshot/read.ts';
import type { StoredBody, StoredExchange } from '../../snapshot/row-types.ts';
import { blob, bodyRow, integer, isSha256, type Row, text, texts } from '../../snapshot/rows.ts';
import { prepareStatement } from '../../snapshot/store.ts';
import type { ExportContext } from '../export-context.ts';
import type { PortableMedia } from '../portable-media.ts';
import { describeBodies, isWhole } from '../scope.ts';
import {
  createWithheldFinder,
  headersWithoutWithheld,
  settingWithoutWithheld,
  type WithheldFinder,
  withoutWithheld,
} from '../withheld-words.ts';
import { type IndexedRecord, metadataRecord, UNKNOWN_TIME, warcInfo } from './wacz-container.ts';
import { KINDS_OF_PART, rowRecords } from './wacz-rows.ts';
import { formatHttpHead, headersOfDecoded, recordId, toTargetUri } from './warc.ts';

/** The file with the records of the API. */
export const API_WARC = 'archive/api.warc.gz';
/** The file with the media files. */
export const MEDIA_WARC = 'archive/media.warc.gz';
/** Names the resource of a snapshot that a record is a version of. */
export const KEY_FIELD = 'Microfiche-Key';
/** SHA-256 of the body that was received, if it was changed since. */
export const RECEIVED_FIELD = 'Microfiche-Received-SHA-256';
/** What an import needs to know of a media file. */
export const MEDIA_FIELDS = {
  path: 'Microfiche-Path',
  owner: 'Microfiche-Owner',
  kind: 'Microfiche-Kind',
  /** The URL as records name it, if that is not the target URI. */
  url: 'Microfiche-URL',
} as const;
const OTHER_KINDS = RESOURCE_KINDS.filter((kind) => !KINDS_OF_PART.some((part) => part === kind));

const DESCRIPTION = 'Bodies of API responses are content-decoded; their original headers begin with X-Archive-Orig-.';

function describeFile(path: string, { store, title, scope }: ExportContext): IndexedRecord {
  const description = `${DESCRIPTION} ${describeBodies(scope)}`.trim();
  return warcInfo(path, readLastRun(store)?.started_at ?? UNKNOWN_TIME, title, description);
}

/** What an import needs to know of the snapshot as a whole. */
export interface SnapshotFacts {
  meta: Record<string, string>;
  runs: Array<{ startedAt: string; finishedAt: string | null; report: string | null }>;
}

function snapshotFacts({ store, scope }: ExportContext): IndexedRecord {
  const { collections } = scope;
  const isRestricted = !isWhole(scope);
  const isWithheld = createWithheldFinder(store);
  const settingOf = (value: string) => (isRestricted && isWithheld(value) ? settingWithoutWithheld(value, isWithheld) : value);
  const rows = (sql: string) => store.db.prepare(sql).all();
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
  const facts: SnapshotFacts = {
    meta: {
      ...Object.fromEntries(
        rows('SELECT key, value FROM meta ORDER BY key').map(({ key, value }) => [String(key), settingOf(String(value))]),
      ),
      ...(collections === undefined ? {} : { [COLLECTIONS_META_KEY]: JSON.stringify(collections) }),
    },
    // A report may name what is withheld.
    runs: rows('SELECT started_at, finished_at, report FROM run ORDER BY id').map((row) => ({
      startedAt: String(row['started_at']),
      finishedAt: textOrNull(row['finished_at']),
      report: isRestricted ? null : textOrNull(row['report']),
    })),
  };
  const date = facts.runs.at(-1)?.startedAt ?? UNKNOWN_TIME;
  return metadataRecord('snapshot', date, facts);
}

/**
 * Yields the records of the API: each version of each body with its exchanges; of a restricted snapshot, what it shows. Calls
 * `onDamaged` for an earlier version that cannot be read.
 */
export function* apiRecords(context: ExportContext, onDamaged: (key: string) => void): Generator<IndexedRecord> {
  yield describeFile(API_WARC, context);
  yield snapshotFacts(context);
  const { store } = context;
  const isRestricted = !isWhole(context.scope);
  const isWithheld = createWithheldFinder(store);
  const baseUrls = readBaseUrls(store);
  const versions = store.db.prepare(
    `SELECT ${integer('id')}, ${texts('sha256')} FROM response WHERE key = ? ORDER BY response.id`,
  );
  const readVersion = store.db.prepare(
    `SELECT ${texts('key', 'url', 'sha256', 'headers')}, ${text('fetched_at', 'fetchedAt')}, ${integer('status')}, ${blob('body')}
      FROM response WHERE id = ?`,
  );
  for (const kind of [...KINDS_OF_PART, ...(isRestricted ? [] : OTHER_KINDS)]) {
    for (const stored of readBodies(store, kind)) {
      const url = isRestricted && isWithheld(stored.url) ? urlOf({ kind, name: stored.name }, baseUrls) : stored.url;
      const shown = { ...stored, url };
      const rows = versions.all(shown.key);
      const current = rows.findLast(({ sha256 }) => sha256 === shown.sha256);
      if (isRestricted) {
        yield* current
          ? versionRecords(store, { id: Number(current['id']), number: rows.indexOf(current) }, shown, 200, isWithheld)
          : [redactedRecord(shown, receivedSha256(store, rows.at(-1)?.['id']) ?? String(rows.at(-1)?.['sha256']))];
        continue;
      }
      for (const [number, { id }] of rows.entries()) {
        const row: Row = { ...readVersion.get(Number(id)), name: shown.name };
        const version = bodyRow(row);
        // Only the bodies of successful responses are stored, so another status is damage.
        const { status: read } = row;
        const status = typeof read === 'number' && read >= 200 && read < 300 ? read : 200;
        if (version) yield* versionRecords(store, { id: Number(id), number }, version, status);
        else onDamaged(shown.key);
      }
    }
  }
}

/** Yields the requests and responses of one version of a body. */
function* versionRecords(
  store: ExportContext['store'],
  { id, number }: { id: number; number: number },
  body: StoredBody,
  status: number,
  isWithheld?: WithheldFinder,
): Generator<IndexedRecord> {
  const stored = readExchanges(store, { response: id });
  const exchanges = isWithheld ? withoutWithheld(stored, isWithheld) : stored;
  const received = receivedSha256(store, id);
  if (received !== undefined) {
    const redacted = redactedRecord(body, received, `redacted ${body.key} ${number}`);
    if (exchanges.length > 0) yield describeDownload(redacted.record.seed, body.fetchedAt, exchanges);
    yield redacted;
    return;
  }
  const key = [[KEY_FIELD, body.key]] as const;
  const name = `${body.key} ${number}`;
  if (exchanges.length === 0) {
    // A body of the sample has neither the request nor the headers as received.
    const json = isWithheld ? headersWithoutWithheld(body.headers, isWithheld) : body.headers;
    const headers = Object.entries(JSON.parse(json) as Record<string, string>);
    yield responseRecord(`response ${name}`, body.fetchedAt, { url: body.url, status, reason: '', headers }, body.body, key);
    return;
  }
  for (const [i, exchange] of exchanges.entries()) {
    const { url, method, sentAt, requestHeaders } = exchange;
    const seed = `response ${name} ${i}`;
    const { pathname, search } = new URL(url);
    const block = formatHttpHead(`${method} ${pathname}${search} HTTP/1.1`, requestHeaders);
    const contentType = 'application/http; msgtype=request';
    const fields = [['WARC-Concurrent-To', recordId(seed)]] as const;
    yield { record: { type: 'request', seed: `request ${name} ${i}`, date: sentAt, uri: url, contentType, block, fields } };
    if (i === exchanges.length - 1) yield responseRecord(seed, body.fetchedAt, exchange, body.body, key);
    else yield responseRecord(seed, sentAt, exchange, exchange.body ?? new Uint8Array(), []);
  }
}

function responseRecord(
  seed: string,
  date: string,
  { url, status, reason, headers }: Pick<StoredExchange, 'url' | 'status' | 'reason' | 'headers'>,
  body: Uint8Array,
  fields: ReadonlyArray<readonly [string, string]>,
): IndexedRecord {
  const head = formatHttpHead(`HTTP/1.1 ${status} ${reason}`.trimEnd(), headersOfDecoded(headers, body.length));
  const sha256 = hash('sha256', body);
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
    entry: { mime, status, sha256 },
  };
}

/** Returns the SHA-256 of a body as received, if a purge or a move has changed it since. */
function receivedSha256(store: ExportContext['store'], id: unknown): string | undefined {
  const row = prepareStatement(store, `SELECT ${text('received_sha256', 'sha256')} FROM redaction WHERE response = ?`).get(
    Number(id),
  );
  return isSha256(row?.['sha256']) ? row['sha256'] : undefined;
}

/** A body that was changed is not what upstream sent, so it is a resource, and not a response. */
function redactedRecord(
  { key, url, fetchedAt, headers, body, sha256 }: StoredBody,
  received: string,
  seed = `redacted ${key}`,
): IndexedRecord {
  const mime = 'application/json';
  const type = (JSON.parse(headers) as Record<string, string>)['content-type'] ?? '';
  return {
    record: {
      type: 'resource',
      seed,
      date: fetchedAt,
      uri: url,
      contentType: /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/i.test(type) ? type : mime,
      block: body,
      fields: [
        [KEY_FIELD, key],
        [RECEIVED_FIELD, received],
      ],
    },
    entry: { mime, status: 200, sha256 },
  };
}

/** Yields the records of the media files, and then the other rows of the snapshot. */
export function* mediaRecords(
  context: ExportContext,
  media: readonly PortableMedia[],
  onProgress: ExportContext['onProgress'],
): Generator<IndexedRecord> {
  yield describeFile(MEDIA_WARC, context);
  const { store } = context;
  const safeDir = toSafeDirectory(store.dir);
  const isWithheld = isWhole(context.scope) ? undefined : createWithheldFinder(store);
  const times = store.db.prepare('SELECT fetched_at FROM media WHERE url = ?');
  for (const [i, row] of media.entries()) {
    const { url, path, source, size, sha256, mimetype, owner, kind } = row;
    onProgress?.(i, media.length);
    if (path === null || source === null || size === null || sha256 === null) continue;
    const date = String(times.get(url)?.['fetched_at'] ?? UNKNOWN_TIME);
    const mime = mimetype ?? 'application/octet-stream';
    const fields = [
      [MEDIA_FIELDS.path, path],
      [MEDIA_FIELDS.owner, owner],
      [MEDIA_FIELDS.kind, kind],
      ...(toTargetUri(url) === url ? [] : [[MEDIA_FIELDS.url, url] as const]),
    ] as const;
    const seed = `media ${url}`;
    const stored = readExchanges(store, { media: url });
    const exchanges = isWithheld ? withoutWithheld(stored, isWithheld) : stored;
    if (exchanges.length > 0) yield describeDownload(seed, date, exchanges);
    yield {
      record: {
        type: 'resource',
        seed,
        date,
        uri: url,
        contentType: mime,
        block: { size, sha256, file: safeDir.resolve(source) },
        fields,
      },
      entry: { mime, status: 200, sha256 },
    };
  }
  const run = readLastRun(store);
  yield* rowRecords(context, run?.started_at ?? UNKNOWN_TIME, new Set(media.map(({ url }) => url)));
}

/** Requests and headers of what follows as a resource: of a download, whose body is only in the file, or of a changed body. */
function describeDownload(seed: string, date: string, exchanges: readonly StoredExchange[]): IndexedRecord {
  const described = exchanges.map(({ body: _, position: __, ...exchange }) => exchange);
  return metadataRecord(`download of ${seed}`, date, { exchanges: described }, [['WARC-Refers-To', recordId(seed)]]);
}
