/** WACZ of the snapshot: read by the WARC parser of Webrecorder, with the offsets of its own index. */
import { createHash } from 'node:crypto';
import { cpSync, createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { beforeAll, expect, inject, it } from 'vitest';
import { WARCParser } from 'warcio';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import type { ImportReport } from '../../../src/export/import-staging.ts';
import { changeSnapshot } from '../../support/change-snapshot.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  startServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { exportInProcess } from '../../support/small-packages.ts';

const shared = createSharedDirectory();
const file = (path: string) => join(shared.path, 'wacz', path);
const snapshot = () => join(shared.path, 'snapshot');
let report: ExportReport;

beforeAll(async () => {
  // A harvest of this version keeps requests and headers; the sample was never requested.
  const server = await startServe(['--snapshot', inject('mirror').snapshot]);
  try {
    await runMicroficheJson(['harvest', ...upstreamOptions(server.url), '--snapshot', snapshot()]);
    await runMicroficheJson(['media', '--snapshot', snapshot(), '--allow-host', new URL(server.url).host]);
  } finally {
    await server.stop();
  }
  const target = join(shared.path, 'archive.wacz');
  report = await runMicroficheJson<ExportReport>(['export', 'wacz', '--snapshot', snapshot(), '--to', target]);
  await execa('unzip', ['-q', target, '-d', join(shared.path, 'wacz')]);
});

interface ReadRecord {
  type: string | null;
  uri: string | null;
  headers: Map<string, string>;
  payload: Uint8Array;
  offset: number;
}

async function readWarc(name: string): Promise<ReadRecord[]> {
  const parser = new WARCParser(createReadStream(file(`archive/${name}`)), { keepHeadersCase: true });
  const records: ReadRecord[] = [];
  for await (const record of parser) {
    const payload = await record.readFully(false);
    const headers = new Map([...record.warcHeaders.headers.entries()].map(([key, value]) => [String(key), String(value)]));
    records.push({ type: record.warcType ?? null, uri: record.warcTargetURI ?? null, headers, payload, offset: parser.offset });
  }
  return records;
}

const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const lines = (path: string) => readFileSync(file(path), 'utf8').trim().split('\n');

it('has every exchange as request and response, with the body that was received', async () => {
  const records = await readWarc('api.warc.gz');
  const responses = records.filter(({ type }) => type === 'response');
  const requests = records.filter(({ type }) => type === 'request');
  expect(responses.length).toBeGreaterThan(300);
  expect(requests.length).toBe(responses.length);
  for (const { uri, headers, payload } of responses)
    expect(headers.get('WARC-Payload-Digest'), String(uri)).toBe(sha256(payload));
  const record = responses.find(({ headers }) => headers.get('Microfiche-Key') === 'object:lica-quay-1-1');
  expect(JSON.parse(Buffer.from(record?.payload ?? []).toString())).toMatchObject({ id: 'lica-quay-1-1' });
  expect(new Set(records.map(({ headers }) => headers.get('WARC-Record-ID'))).size).toBe(records.length);
});

it('has each media file as a resource, with the bytes of the snapshot', async () => {
  const records = (await readWarc('media.warc.gz')).filter(({ type }) => type === 'resource');
  expect(records.length).toBeGreaterThan(100);
  for (const { uri, headers, payload } of records) expect(headers.get('WARC-Block-Digest'), String(uri)).toBe(sha256(payload));
});

it.each(['api.warc.gz', 'media.warc.gz'])('has the index that Webrecorder’s program makes of %s', async (name) => {
  const { stdout } = await execa('npx', ['--no-install', 'warcio', 'cdx-index', file(`archive/${name}`)], {
    maxBuffer: 100_000_000,
  });
  const entriesOf = (text: readonly string[]) =>
    text
      .filter((line) => line.includes(`"filename":"${name}"`))
      .map((line) => {
        const [key, time, ...json] = line.split(' ');
        const { url, offset, length, status } = JSON.parse(json.join(' ')) as Record<string, string>;
        return { key, time, url, offset: Number(offset), length: Number(length), status: Number(status ?? 200) };
      })
      .sort((a, b) => a.offset - b.offset);
  // It also lists the description of the snapshot, which has no URL.
  const theirs = entriesOf(stdout.split('\n')).filter(({ url }) => url !== undefined);
  expect(theirs.length).toBeGreaterThan(100);
  expect(entriesOf(lines('indexes/index.cdxj'))).toEqual(theirs);
});

it('is sorted, described and has a page for each record', () => {
  const index = lines('indexes/index.cdxj');
  expect(index).toEqual([...index].sort());
  const { resources, wacz_version: version } = JSON.parse(readFileSync(file('datapackage.json'), 'utf8')) as {
    wacz_version: string;
    resources: Array<{ path: string; hash: string; bytes: number }>;
  };
  expect(version).toBe('1.1.1');
  for (const { path, hash, bytes } of resources) {
    const content = readFileSync(file(path));
    expect([path, hash, bytes]).toEqual([path, sha256(content), content.length]);
  }
  const digest = JSON.parse(readFileSync(file('datapackage-digest.json'), 'utf8')) as { hash: string };
  expect(digest.hash).toBe(sha256(readFileSync(file('datapackage.json'))));
  const [header, ...pages] = lines('pages/pages.jsonl').map((line) => JSON.parse(line) as Record<string, string>);
  expect(header).toMatchObject({ format: 'json-pages-1.0' });
  expect(pages.find(({ id }) => id === 'object:lica-quay-1-1')).toMatchObject({
    title: 'Nets drying on the quay',
    text: expect.stringContaining('loft stairs') as string,
  });
  const urls = new Set(index.map((line) => (JSON.parse(line.slice(line.indexOf('{'))) as { url: string }).url));
  expect(pages.filter(({ url }) => !urls.has(url as string))).toEqual([]);
  expect(report.fingerprint).toMatch(/^[0-9a-f]{64}$/);
});

/** Everything in a snapshot but the IDs of its rows. */
const ROWS = [
  ...['meta ORDER BY key', 'media ORDER BY url', 'blob ORDER BY path', 'usage ORDER BY record, url', 'withdrawn', 'run'].map(
    (table) => `SELECT * FROM ${table}`,
  ),
  `SELECT key, kind, name, model, page_limit, page_offset, referrer, state, attempts, status, cause, transient, speculative, validators, checked_at,
    missing_since, failed_since, failed_runs, removed_at, response IS NULL AS without FROM resource ORDER BY key`,
  'SELECT key, url, fetched_at, status, headers, sha256, redirects FROM response ORDER BY key, id',
  `SELECT coalesce(p.key, e.media) AS key, e.position, e.url, e.sent_at, e.method, e.request_headers, e.status, e.reason, e.headers
    FROM exchange e LEFT JOIN response p ON p.id = e.response ORDER BY e.media, p.key, p.id, e.position`,
];

it('is imported as the same snapshot', async () => {
  const imported = join(createTestDirectory(), 'imported');
  const { fingerprint } = await runMicroficheJson<ImportReport>([
    'import',
    join(shared.path, 'archive.wacz'),
    '--snapshot',
    imported,
  ]);
  const statusOf = (dir: string) => runMicroficheJson<Record<string, unknown>>(['status', '--snapshot', dir, '--dir', 'nowhere']);
  const [before, after] = [await statusOf(snapshot()), await statusOf(imported)];
  expect([fingerprint, after['fingerprint']]).toEqual([report.fingerprint, before['fingerprint']]);
  expect(after['counts']).toEqual(before['counts']);
  const again = join(createTestDirectory(), 'again.wacz');
  await runMicroficheJson(['export', 'wacz', '--snapshot', imported, '--to', again]);
  await execa('cmp', [join(shared.path, 'archive.wacz'), again]);
  const [original, copy] = [snapshot(), imported].map(
    (dir) => new DatabaseSync(join(dir, 'snapshot.sqlite'), { readOnly: true }),
  );
  for (const rows of ROWS) expect(copy?.prepare(rows).all(), rows).toEqual(original?.prepare(rows).all());
  for (const db of [original, copy]) db?.close();
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', imported]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 findings')]);
});

it('has the addresses of files as they are requested: encoded, without fragments; import has them as records name them', async () => {
  const directory = createTestDirectory();
  const [named, requested] = [
    'http://127.0.0.1/media/two words, 写真.jpg#now',
    'http://127.0.0.1/media/two%20words,%20%E5%86%99%E7%9C%9F.jpg',
  ];
  cpSync(snapshot(), join(directory, 'snapshot'), { recursive: true });
  const readUrls = (dir: string) =>
    changeSnapshot(join(directory, dir), (db) =>
      db
        .prepare('SELECT url FROM media ORDER BY url')
        .all()
        .map(({ url }) => String(url)),
    );
  changeSnapshot(join(directory, 'snapshot'), (db) =>
    db
      .prepare("UPDATE media SET url = ? WHERE url = (SELECT min(url) FROM media WHERE kind = 'image' AND state = 'stored')")
      .run(named),
  );
  await exportInProcess('wacz', join(directory, 'snapshot'), join(directory, 'a.wacz'));
  await execa('unzip', ['-q', 'a.wacz', '-d', 'unpacked'], { cwd: directory });
  const index = readFileSync(join(directory, 'unpacked/indexes/index.cdxj'), 'utf8');
  expect(index).toContain(`"url":"${requested}"`);
  expect(index).not.toContain('写');
  await importPackage(join(directory, 'a.wacz'), join(directory, 'imported'));
  expect(readUrls('imported')).toEqual(readUrls('snapshot'));
  expect(readUrls('imported')).toContain(named);
});

it('has the same bytes each time', async () => {
  const directory = createTestDirectory();
  const second = join(directory, 'second.wacz');
  await execa(
    'sh',
    [
      '-c',
      'umask 077; exec "$@"',
      'sh',
      process.execPath,
      'scripts/microfiche.ts',
      'export',
      'wacz',
      '--snapshot',
      snapshot(),
      '--to',
      second,
    ],
    {
      env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' },
    },
  );
  await execa('cmp', [join(shared.path, 'archive.wacz'), second]);
});

it('has the lists of the catalog index, if a harvest discovered them', async () => {
  const directory = createTestDirectory();
  const [discovered, wacz, imported] = ['discovered', 'archive.wacz', 'imported'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const sample = await startServe(['--snapshot', SAMPLE]);
  try {
    await runMicroficheJson(['harvest', ...upstreamOptions(sample.url), '--snapshot', discovered, '--discover']);
  } finally {
    await sample.stop();
  }
  await runMicroficheJson(['export', 'wacz', '--snapshot', discovered, '--to', wacz]);
  await runMicroficheJson(['import', wacz, '--snapshot', imported]);
  const [original, copy] = [discovered, imported].map((dir) => {
    const db = new DatabaseSync(join(dir, 'snapshot.sqlite'), { readOnly: true });
    const rows = db.prepare('SELECT kind, count(*) AS resources, count(response) AS stored FROM resource GROUP BY kind').all();
    db.close();
    return rows;
  });
  expect(original).toContainEqual({ kind: 'index', resources: 1, stored: 1 });
  expect(copy).toEqual(original);
});
