/** Writes the files that every WACZ (1.1.1) has: WARC files, their index, a page list, the description with checksums. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VERSION } from '../../model/version.ts';
import { SOFTWARE } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE, type PackageIdentity } from '../identity.ts';
import type { Content, GzipMember, StreamedContent } from '../package/package-content.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { createTextFile } from '../text-file.ts';
import { signWacz } from './wacz-signature.ts';
import { formatRecord, surtOf, toTargetUri, type WarcRecord } from './warc.ts';

/** The time of what was never harvested. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00Z';
/** The file that describes the others. */
export const DESCRIPTION_FILE = 'datapackage.json';
/** The file with the checksum of the description, and with signatures. */
export const DIGEST_FILE = 'datapackage-digest.json';
/** The reference implementation (py-wacz) looks for what is listed in directories only, so these files are in one. */
const ABOUT_DIRECTORY = 'about';
/** Path of the identity. */
export const WACZ_IDENTITY = `${ABOUT_DIRECTORY}/${IDENTITY_FILE}`;
const INDEX_PATH = 'indexes/index.cdxj';
const PAGES_PATH = 'pages/pages.jsonl';
/** Characters of the index that are passed on together: line by line, they are slow to compress. */
const INDEX_PART_LENGTH = 64 * 1024;
/** Characters. Readers of WACZ files keep the text of all pages in memory. */
const MAX_PAGE_TEXT = 100_000;

/** A record with what the index says of it. */
export interface IndexedRecord {
  record: WarcRecord;
  /** Undefined for records that are not in the index: requests and warcinfo. */
  entry?: CdxEntry;
}

/** A page in the list of pages. */
export interface WaczPage {
  id: string;
  url: string;
  /** ISO 8601. */
  ts: string;
  title: string;
  text: string;
}

/** What the WACZ says of itself. */
export interface WaczDescription {
  title: string;
  description: string;
  /** ISO 8601. */
  created: string;
  mainPage: WaczPage | undefined;
}

interface WaczResource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

/** Begins a WACZ: writes its identity and README. */
export async function createWacz(writer: PackageWriter, identity: PackageIdentity, readme: string) {
  using beginning = new DisposableStack();
  const index = beginning.use(createCdxIndex(join(writer.workDirectory, 'index.sqlite')));
  const pagesFile = join(writer.workDirectory, 'pages.jsonl');
  const pages = beginning.use(createTextFile(pagesFile));
  const addLine = (value: object) => pages.add(`${JSON.stringify(value)}\n`);
  const resources: WaczResource[] = [];
  const add = async (path: string, content: Content) => {
    const { size, checksums } = await writer.add(path, content);
    resources.push({ name: path.slice(path.lastIndexOf('/') + 1), path, hash: `sha256:${checksums.sha256}`, bytes: size });
  };
  await add(WACZ_IDENTITY, Buffer.from(formatIdentity(identity)));
  await add(`${ABOUT_DIRECTORY}/README.txt`, Buffer.from(readme));
  const begun = beginning.move();
  addLine({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: true });
  return {
    /** Adds a WARC file. `onChanged` gets a file that is not as its record says, and throws what to say of it. */
    async addWarc(
      path: string,
      records: AsyncIterable<IndexedRecord> | Iterable<IndexedRecord>,
      onChanged?: StreamedContent['onChanged'],
    ) {
      const filename = path.slice(path.lastIndexOf('/') + 1);
      const read = () => warcFile(records, (record, entry) => index.add(record, { ...entry, filename }));
      await add(path, { read, ...(onChanged ? { onChanged } : {}) });
    },
    /** Adds a page. Pages may be added while a WARC file is. */
    addPage({ text, ...page }: WaczPage) {
      addLine({ ...page, text: text.slice(0, MAX_PAGE_TEXT).toWellFormed() });
    },
    /** Writes what remains. Returns the number of files and their bytes. */
    async finish(facts: WaczDescription, keyFile: string | undefined) {
      await add(INDEX_PATH, { read: () => index.lines() });
      pages.finish();
      await add(PAGES_PATH, { read: () => createReadStream(pagesFile) });
      const description = Buffer.from(describe(facts, resources));
      const { checksums } = await writer.add(DESCRIPTION_FILE, description);
      const hash = `sha256:${checksums.sha256}`;
      const signatures = keyFile === undefined ? {} : await signWacz(description, { hash, created: facts.created, keyFile });
      const digest = `${JSON.stringify({ path: DESCRIPTION_FILE, hash, ...signatures }, undefined, 1)}\n`;
      await writer.add(DIGEST_FILE, Buffer.from(digest));
      return { files: resources.length + 2, bytes: resources.reduce((total, { bytes }) => total + bytes, 0) };
    },
    [Symbol.dispose]: () => begun.dispose(),
  };
}

/** Returns the description. ReplayWeb.page takes the title from `metadata`; the specification has it at the top. */
function describe({ title, description, created, mainPage }: WaczDescription, resources: readonly WaczResource[]): string {
  const content = {
    profile: 'data-package',
    wacz_version: '1.1.1',
    title,
    description,
    software: `${SOFTWARE} ${VERSION}`,
    created,
    ...(mainPage ? { mainPageUrl: mainPage.url, mainPageDate: mainPage.ts } : {}),
    metadata: { title },
    resources,
  };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

/** Yields the members of a WARC file, and adds its records to the index. */
async function* warcFile(
  records: AsyncIterable<IndexedRecord> | Iterable<IndexedRecord>,
  onRecord: (record: WarcRecord, entry: CdxEntry & { offset: number; length: number }) => void,
): AsyncGenerator<Uint8Array | GzipMember> {
  let offset = 0;
  for await (const { record, entry } of records) {
    const { member, length } = formatRecord(record);
    yield member;
    if (entry) onRecord(record, { ...entry, offset, length });
    offset += length;
  }
}

/** Returns the record with which a WARC file begins. */
export function warcInfo(seed: string, date: string, title: string, description: string): IndexedRecord {
  const fields = [
    ['software', `${SOFTWARE} ${VERSION}`],
    ['format', 'WARC File Format 1.1'],
    ['isPartOf', title],
    ['description', description],
  ];
  const block = Buffer.from(fields.map(([field, value]) => `${field}: ${value}\r\n`).join(''));
  return { record: { type: 'warcinfo', seed: `warcinfo ${seed}`, date, contentType: 'application/warc-fields', block } };
}

/** Returns a record of JSON about what is in the package. */
export function metadataRecord(seed: string, date: string, value: unknown, fields: WarcRecord['fields'] = []): IndexedRecord {
  const block = Buffer.from(JSON.stringify(value));
  return { record: { type: 'metadata', seed, date, contentType: 'application/json', block, fields } };
}

/** What the index says of a record. */
interface CdxEntry {
  mime: string;
  status: number;
  /** Of the payload, hexadecimal. */
  sha256: string;
}

/** Begins an index. It is collected in `file`, since that of a large archive may exceed the memory. */
function createCdxIndex(file: string) {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE line (text TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO line VALUES (?)');
  return {
    /** Adds a record that is at `offset` in a WARC file of the directory `archive`. */
    add({ uri = '', date }: WarcRecord, entry: CdxEntry & { offset: number; length: number; filename: string }) {
      const url = toTargetUri(uri);
      const { mime, status, sha256, offset, length, filename } = entry;
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
    /** Yields the lines, sorted. */
    async *lines() {
      let part = '';
      for (const { text } of db.prepare('SELECT text FROM line ORDER BY text').iterate()) {
        part += `${String(text)}\n`;
        if (part.length < INDEX_PART_LENGTH) continue;
        yield Buffer.from(part);
        part = '';
      }
      yield Buffer.from(part);
    },
    [Symbol.dispose]: () => db.close(),
  };
}
