/** Exports the snapshot as a WACZ (version 1.1.1): every exchange with the API and every media file as WARC records, with an index and pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { titleOf } from '../catalogue/object-entries.ts';
import { readArticle, readAuthor } from '../model/guide.ts';
import { parseRecord } from '../model/records.ts';
import { toPlainText } from '../model/text.ts';
import { VERSION } from '../model/version.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { parseBody, readBodies, readLastRun } from '../snapshot/read.ts';
import type { StoredBody } from '../snapshot/row-types.ts';
import { type ExportContext, type ExportReport, SOFTWARE } from './export-context.ts';
import { formatIdentity, IDENTITY_FILE } from './identity.ts';
import type { PackageWriter } from './package-writer.ts';
import { readPortableMedia } from './portable-database.ts';
import { API_WARC, apiRecords, type IndexedRecord, MEDIA_WARC, mediaRecords, UNKNOWN_TIME } from './wacz-records.ts';
import { formatRecord, surtOf } from './warc.ts';

const WACZ_VERSION = '1.1.1';
const MAX_PAGE_TEXT = 10_000;

/** Writes the files of a WACZ. */
export async function writeWacz(context: ExportContext, writer: PackageWriter): Promise<Omit<ExportReport, 'format' | 'to'>> {
  const { store, onProgress } = context;
  const workDirectory = mkdtempSync(join(writer.workDirectory, 'wacz-'));
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
