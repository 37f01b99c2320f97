/** Packages of a small archive, and what tests need to damage them: files, matching checksums, ZIP files with any entry. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { NOTHING_WITHHELD } from '../../src/catalogue/read/withholding.ts';
import type { ExportReport } from '../../src/export/export-context.ts';
import type { FormatName } from '../../src/export/formats.ts';
import { type ExportOptions, runExport } from '../../src/export/run-export.ts';
import { runMicroficheJson, upstreamOptions } from './commands.ts';
import { createImage, createRecordWithImage, fileHandler, runMedia } from './file-server.ts';
import { respondWith, startTestUpstream } from './test-upstream.ts';

/** Files by path. */
export type Files = Map<string, Buffer>;

/** Harvests a small archive into `snapshot`: a collection with two photographs, one of them behind a redirect. */
export async function createSmallSnapshot(snapshot: string): Promise<void> {
  const upstream = await startTestUpstream({ shared: true });
  try {
    for (const n of [1, 2]) {
      const id = `demo-org-1-${n}`;
      const bytes = await createImage(60, 40 + n, '#a52');
      upstream.routes.set(`/${n}.jpg`, fileHandler({ bytes, etag: `"${n}"`, supportsRanges: true }));
      upstream.routes.set(`/moved/${id}/`, createRecordWithImage(id, `${upstream.url}/${n}.jpg`));
    }
    const photographs = [1, 2].map((n) => upstream.routes.get(`/moved/demo-org-1-${n}/`));
    upstream.routes.set('/api/0.2/demo-org-1-1/', photographs[0]);
    upstream.routes.set('/api/0.2/demo-org-1-2/', respondWith(302, { location: '/moved/demo-org-1-2/' }, 'It moved.'));
    upstream.routes.set('/api/0.2/demo-org-1/', {
      id: 'demo-org-1',
      model: 'collection',
      title: 'Nets',
      links: { children: `${upstream.url}/api/0.2/demo-org-1/children/` },
    });
    upstream.routes.set('/api/0.2/demo-org-1/children/', { total: 2, next_offset: null, objects: photographs });
    await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1']);
    await runMedia(snapshot, '--kinds', 'image,thumb');
  } finally {
    await upstream.close();
  }
}

/** Exports a snapshot within the test's own process. */
export function exportInProcess(
  format: FormatName,
  snapshot: string,
  to: string,
  more: Partial<ExportOptions> = {},
): Promise<ExportReport> {
  return runExport(format, {
    to,
    snapshot,
    ...{ dir: join(dirname(to), 'no-site'), siteUrl: undefined, archiveLanguage: 'en', collections: undefined },
    ...{ keyFile: undefined, fromSite: false, fullText: false, withSource: false, withholding: NOTHING_WITHHELD },
    ...more,
  });
}

/** Writes files below a directory. */
export function writeFiles(directory: string, files: Files): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
}

const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');

/** Makes all manifests of a bag match its files. */
export function sealBag(files: Files): void {
  const write = (name: string, isListed: (path: string) => boolean) => {
    for (const algorithm of ['sha256', 'sha512']) {
      const lines = [...files]
        .filter(([path]) => isListed(path))
        .map(([path, bytes]) => `${digest(algorithm, bytes)}  ${path}\n`);
      files.set(`${name}-${algorithm}.txt`, Buffer.from(lines.sort().join('')));
    }
  };
  write('manifest', (path) => path.startsWith('data/'));
  write('tagmanifest', (path) => !path.startsWith('data/') && !path.startsWith('tagmanifest-'));
}

/** Makes the description of a WACZ match its files, and then its digest the description. */
export function sealWacz(files: Files): void {
  const description = JSON.parse(String(files.get('datapackage.json'))) as { resources: Array<Record<string, unknown>> };
  description.resources = description.resources.flatMap((resource) => {
    const bytes = files.get(String(resource['path']));
    return bytes ? [{ ...resource, hash: `sha256:${digest('sha256', bytes)}`, bytes: bytes.length }] : [];
  });
  const json = Buffer.from(JSON.stringify(description));
  files.set('datapackage.json', json);
  const seal = { path: 'datapackage.json', hash: `sha256:${digest('sha256', json)}` };
  files.set('datapackage-digest.json', Buffer.from(JSON.stringify(seal)));
}

/** Runs SQL on the database of a bag, with a writable schema. */
export function changeDatabase(files: Files, directory: string, sql: string): void {
  const file = join(directory, 'changed.sqlite');
  writeFileSync(file, files.get('data/snapshot.sqlite') as Buffer);
  const db = new DatabaseSync(file, { defensive: false, enableForeignKeyConstraints: false });
  db.exec(`PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; ${sql}`);
  db.close();
  files.set('data/snapshot.sqlite', readFileSync(file));
}

/** Changes the text of a WARC file, one character per byte. */
export function changeWarc(files: Files, path: string, change: (text: string) => string): void {
  const text = gunzipSync(files.get(path) as Buffer).toString('latin1');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} did not change`);
  files.set(path, gzipSync(Buffer.from(changed, 'latin1')));
}

/** An entry of a ZIP file. What is not given is right. */
export interface ZipEntry {
  name: string | Buffer;
  content?: Uint8Array;
  compressed?: boolean;
  /** Name in the header before the content. */
  localName?: string;
  /** Bytes that both headers state. */
  size?: number;
  /** Type and permissions of Unix. */
  mode?: number;
  flags?: number;
  method?: number;
  /** Index of an entry whose content this one has too. */
  sameAs?: number;
}

/** Returns a ZIP file with any entries, right or wrong. */
export function createZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: Array<{ at: number; data: Buffer }> = [];
  let length = 0;
  for (const { name, content = Buffer.from('x'), compressed = false, localName, size, mode = 0o100644, ...more } of entries) {
    const data = Buffer.from(compressed ? deflateRawSync(content, { level: 9 }) : content);
    const place = (more.sameAs === undefined ? undefined : places[more.sameAs]) ?? { at: length, data };
    places.push(place);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(more.flags ?? 0x800, 2);
    common.writeUInt16LE(more.method ?? (compressed ? 8 : 0), 4);
    common.writeUInt32LE(0x00210a21, 6);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(place.data.length, 14);
    common.writeUInt32LE(size ?? content.length, 18);
    const [own, local] = [Buffer.from(name), Buffer.from(localName ?? name)];
    if (more.sameAs === undefined) {
      common.writeUInt16LE(local.length, 22);
      const part = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, local, data]);
      parts.push(part);
      length += part.length;
    }
    common.writeUInt16LE(own.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(place.at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), common, rest, own]));
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(length, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\u0005\u0006'), end]);
}
