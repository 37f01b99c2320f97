/** What packages must not contain: withheld records, fields and names in none of them, private records only in bags and WACZs. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import { readWithholding } from '../../../src/catalogue/read/withholding.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import type { FormatName } from '../../../src/export/formats.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import type { ExportOptions } from '../../../src/export/run-export.ts';
import { VERSION } from '../../../src/model/version.ts';
import { auditSnapshot } from '../../../src/snapshot/audit.ts';
import { readExchanges } from '../../../src/snapshot/exchanges.ts';
import { readMeta } from '../../../src/snapshot/read.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  readFiles,
  runMicroficheJson,
  spawnServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { createImage } from '../../support/file-server.ts';
import { exportInProcess } from '../../support/small-packages.ts';
import { respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';
import { AROUND, CONFIG, fillUpstream, findLeaks, INTERVIEW, PHOTO, SECRET_WORDS } from '../../support/withheld-archive.ts';

const SITE = 'https://mirror.example/archive';
/** Occurs only in a private record. */
const PRIVATE_WORD = 'glasswort';
/** Occurs only in another collection. */
const OTHER_WORD = 'demo-org-3-2';
/** Occur only beside what is withheld: in the body of a redirect, and in an earlier version of a withheld field. */
const BESIDE = ['eelgrass', 'sandwort'];
const WITHHELD_WORDS = [...Object.values(SECRET_WORDS), ...AROUND, ...BESIDE, 'Holly, Sea', 'sea_holly'];

const shared = createSharedDirectory();
const at = { cwd: shared.path };
const snapshot = join(shared.path, 'snapshot');
process.env['MICROFICHE_CACHE'] = join(shared.path, 'cache'); // of builds in other processes, and of exports in this one
const inShared = (name: string) => join(shared.path, name);
let privatePhoto: Buffer;

beforeAll(async () => {
  const upstream = await startTestUpstream({ shared: true });
  try {
    await fillUpstream(upstream);
    await addMore(upstream);
    const harvest = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot];
    await runMicroficheJson([...harvest, '--root', 'demo-org-1,demo-org-2,demo-org-3'], at);
    const slipway = upstream.routes.get('/api/0.2/demo-org-1-2/') as Record<string, unknown>;
    upstream.routes.set('/api/0.2/demo-org-1-2/', { ...slipway, description: `About ${SECRET_WORDS.field} again` });
    await runMicroficheJson([...harvest, '--full'], at);
    await runMicroficheJson(['media', '--snapshot', snapshot, '--kinds', 'thumb,image,audio,video,transcript,original'], at);
  } finally {
    await upstream.close();
  }
});
afterAll(shared.remove);

/** Adds a private record, a redirect that says too much, headers and file names that do, and an earlier version. */
async function addMore(upstream: TestUpstream): Promise<void> {
  const { routes, url } = upstream;
  privatePhoto = await createImage(91, 50, '#777');
  routes.set('/private.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, privatePhoto));
  const letter = respondWith(
    200,
    { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="sea_holly.jpg"' },
    await createImage(92, 50, '#778'),
  );
  routes.set('/letter.jpg', letter);
  routes.set('/files/Sea%20Holly.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, await createImage(93, 50, '#779')));
  const add = (n: number, more: Record<string, unknown>) => {
    const id = `demo-org-1-${n}`;
    const record = { id, model: 'entity', title: `Record ${n}`, breadcrumbs: [{ id: 'demo-org-1' }, { id }], ...more };
    routes.set(`/api/0.2/${id}/`, record);
    return record;
  };
  const records = [
    add(4, { public: '0', title: `A ${PRIVATE_WORD}`, links: { img: `${url}/private.jpg` } }),
    add(5, { links: { img: `${url}/letter.jpg` } }),
    add(6, { links: { img: `${url}/files/Sea%20Holly.jpg` } }),
    add(7, { title: 'Behind a redirect' }),
  ];
  routes.set('/moved/', records[3]);
  const hop = { location: '/moved/', 'x-see-also': `/api/0.2/${PHOTO}/`, 'x-author': 'Sea%20Holly' };
  routes.set('/api/0.2/demo-org-1-7/', respondWith(302, hop, `Moved, with the ${BESIDE[0]}.`));
  const slipway = routes.get('/api/0.2/demo-org-1-2/') as Record<string, unknown>;
  routes.set('/api/0.2/demo-org-1-2/', { ...slipway, description: `About ${SECRET_WORDS.field} and ${BESIDE[1]}` });
  const list = { total: 7, next_offset: null };
  const ids = Array.from({ length: 7 }, (_, i) => `demo-org-1-${i + 1}`);
  routes.set('/api/0.2/demo-org-1/children/', { ...list, objects: ids.map((id) => ({ id, title: `Listed ${id}` })) });
}

type Named = [path: string, bytes: Buffer];

/** Returns each file of a package and what is in it: archive entries, database and table cells, WARC and ZIM records. */
async function contentsOf(path: string): Promise<Named[]> {
  const files = await filesOf(path);
  const inside = await Promise.all(files.map(([name, bytes]) => insideOf(name, bytes)));
  return [...files, ...inside.flat()];
}

async function filesOf(path: string): Promise<Named[]> {
  const unpacked = mkdtempSync(join(shared.path, 'unpacked-'));
  if (/\.(?:zip|wacz)$/.test(path)) await execa('unzip', ['-q', path, '-d', unpacked]);
  else if (path.endsWith('.tar')) await execa('tar', ['-xf', path, '-C', unpacked]);
  else if (path.endsWith('.zim')) await execa(programFile('zimdump'), ['dump', `--dir=${unpacked}`, path]);
  else return [...readFiles(path)];
  return [...readFiles(unpacked), [path, readFileSync(path)]];
}

async function insideOf(name: string, bytes: Buffer): Promise<Named[]> {
  if (name.endsWith('.gz')) return [[`${name}, unpacked`, gunzipSync(bytes)]];
  if (!/\.(?:sqlite|parquet)$/.test(name)) return [];
  const file = join(mkdtempSync(join(shared.path, 'opened-')), name.slice(name.lastIndexOf('/') + 1));
  writeFileSync(file, bytes);
  return [[`${name}, opened`, Buffer.from(name.endsWith('.sqlite') ? textOfDatabase(file) : await textOfParquet(file))]];
}

/** Returns all cells of a database as text. In its bytes, long texts are in parts. */
function textOfDatabase(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const names = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  const rows = names.flatMap(({ name }) => db.prepare(`SELECT * FROM "${name}"`).all());
  db.close();
  return rows
    .flatMap((row) => Object.values(row))
    .map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell)))
    .join('\n');
}

async function textOfParquet(file: string): Promise<string> {
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
  connection.closeSync();
  return JSON.stringify(reader.getRowsJson());
}

const FORMATS: ReadonlyArray<readonly [format: FormatName, file: string]> = [
  ['bagit', 'bag'],
  ['wacz', 'archive.wacz'],
  ['tables', 'tables.tar'],
  ['ead', 'ead.zip'],
  ['api', 'api'],
  ['iiif', 'iiif'],
  ['zim', 'archive.zim'],
];
const HAS_PRIVATE_RECORDS = new Set(['bagit', 'wacz']);

const exportTo = (format: FormatName, file: string, options: Partial<ExportOptions> = {}) =>
  exportInProcess(format, snapshot, inShared(file), { dir: inShared('dist'), siteUrl: SITE, ...options });
const withholding = readWithholding(CONFIG.withhold);

it('without the setting, all words are in a bag and in a WACZ', async () => {
  for (const [format, file] of [
    ['bagit', 'all'],
    ['wacz', 'all.wacz'],
  ] as const) {
    await exportTo(format, file);
    const words = [...WITHHELD_WORDS, PRIVATE_WORD].filter((word) => word !== 'Holly, Sea');
    const leaks = findLeaks(await contentsOf(inShared(file)), words);
    const hidden = words.filter((word) => !leaks.some((leak) => leak.startsWith(`${word} in`)));
    expect(hidden, format).toEqual([]);
  }
});

describe('with the setting, and after a purge', () => {
  const reports = new Map<string, ExportReport>();

  beforeAll(async () => {
    writeFileSync(inShared('microfiche.config.json'), JSON.stringify(CONFIG));
    await runMicroficheJson(['purge', INTERVIEW, '--snapshot', snapshot, '--yes', '--reason', 'By request'], at);
    await runMicroficheJson(['build', '--snapshot', snapshot, '--out', inShared('dist'), '--site', SITE], at);
    for (const [format, file] of FORMATS) reports.set(file, await exportTo(format, file, { withholding }));
    for (const [format, file] of [
      ['bagit', 'part'],
      ['wacz', 'part.wacz'],
      ['tables', 'part-tables'],
    ] as const)
      reports.set(file, await exportTo(format, file, { withholding, collections: ['demo-org-1'] }));
  });

  it.each(FORMATS)('%s: nothing that is withheld is in %s, and private records are where they may be', async (format, file) => {
    const contents = await contentsOf(inShared(file));
    expect(findLeaks(contents, WITHHELD_WORDS)).toEqual([]);
    const paths = findLeaks(contents, [PRIVATE_WORD]).map((leak) => leak.replace(/^.* in |, (?:opened|unpacked)$/g, ''));
    const owners = new Set(paths.map((path) => path.replace(/^.*\/(?=data\/|archive\/|pages\/)|^microfiche-bagit\//g, '')));
    const allowed = format === 'bagit' ? ['data/snapshot.sqlite'] : ['archive/api.warc.gz', 'pages/pages.jsonl'];
    expect([...owners].filter((path) => !allowed.includes(path) && path !== inShared(file))).toEqual([]);
    expect(owners.size > 0).toBe(HAS_PRIVATE_RECORDS.has(format));
    const isPhoto = (bytes: Buffer) => bytes.equals(privatePhoto) || bytes.includes(privatePhoto);
    expect(contents.some(([, bytes]) => isPhoto(bytes))).toBe(HAS_PRIVATE_RECORDS.has(format));
  });

  it('a site that was built with another setting is not exported, nor one of which that is not known', async () => {
    const later = readWithholding([...CONFIG.withhold, { id: 'demo-org-1-5', reason: 'By request', date: '2026-10-02' }]);
    const moved = inShared('moved-site');
    cpSync(inShared('dist'), moved, { recursive: true });
    // As if it were built on another machine.
    const remembered = join(moved, 'withholding.json');
    const ours = readFileSync(remembered, 'utf8');
    const others = ours.replace(/"key": "(.)/, (_, digit) => `"key": "${digit === '0' ? 1 : 0}`);
    for (const [format, fromSite] of [
      ['zim', false],
      ['wacz', true],
    ] as const) {
      const attempt = (options: Partial<ExportOptions>) => exportTo(format, `later.${format}`, { fromSite, ...options });
      await expect(attempt({ withholding: later })).rejects.toThrow(
        /^The site in .*dist was built with another setting of "withhold"\. Build it again, then export\.$/,
      );
      writeFileSync(remembered, ours);
      await attempt({ withholding, dir: moved, snapshot: inShared('no-snapshot') });
      writeFileSync(remembered, others);
      await expect(attempt({ withholding, dir: moved })).rejects.toThrow(
        /^It is not known whether the site in .*moved-site was built with the present setting of "withhold"\. Build it again/,
      );
    }
    writeFileSync(remembered, ours);
    const { files, notes } = await exportTo('wacz', 'moved.web', { fromSite: true, dir: moved });
    expect(files).toBeGreaterThan(5);
    expect(notes).toEqual(['Programs for web archives know a WACZ by the end of its name, .wacz.']);
  });

  it('packages state what they do not have, and how Microfiche imports them', async () => {
    const [only, withheld] = ['Only the collection demo-org-1 is included.', 'What the archive withholds is left out.'];
    for (const [file, names, sentences] of [
      ['all', ['README.txt', 'bag-info.txt', 'data/ro-crate-metadata.json', 'data/tables/README.txt'], []],
      ['all.wacz', ['about/README.txt', 'datapackage.json', 'archive/api.warc.gz, unpacked'], []],
      ['bag', ['README.txt', 'bag-info.txt', 'data/ro-crate-metadata.json', 'data/tables/datapackage.json'], [withheld]],
      ['archive.wacz', ['about/README.txt', 'datapackage.json', 'archive/api.warc.gz, unpacked'], [withheld]],
      ['api', ['README.txt'], [withheld]],
      ['iiif', ['README.txt'], [withheld]],
      ['part', ['README.txt', 'bag-info.txt', 'data/ro-crate-metadata.json', 'data/tables/README.txt'], [only, withheld]],
      ['part.wacz', ['about/README.txt', 'datapackage.json', 'archive/media.warc.gz, unpacked'], [only, withheld]],
      ['part-tables', ['README.txt', 'datapackage.json'], [only, withheld]],
    ] as const) {
      const contents = new Map(await contentsOf(inShared(file)));
      for (const name of names) {
        const text = String(contents.get(name)).replace(/\s+/g, ' ');
        const stated = [only, withheld].filter((sentence) => text.includes(sentence));
        expect([file, name, stated]).toEqual([file, name, sentences]);
        if (sentences.length > 0)
          expect(text, `${file}/${name}`).not.toMatch(/\b(?:every(?:thing)?|all) (?:that|stored|response)/i);
        expect(text).not.toContain('npx');
        if (name.endsWith('README.txt') && /bag|all|wacz|part$/.test(file) && !name.includes('tables'))
          expect(text).toContain(`in the directory of Microfiche ${VERSION}: node scripts/bin.mjs import`);
      }
    }
  });

  it('packages with private records state it', () => {
    const statement = /may contain records that the\s+archive does not publish/;
    for (const name of ['README.txt', 'bag-info.txt'])
      expect(readFileSync(inShared(`bag/${name}`), 'utf8').replace(/\n {2}/g, ' ')).toMatch(statement);
  });

  it.each([
    ['bagit', 'bag', false],
    ['wacz', 'archive.wacz', false],
    ['bagit', 'part', true],
    ['wacz', 'part.wacz', true],
  ] as const)(
    '%s: %s is imported, passes verify, and has the fingerprint that the export printed',
    async (_format, file, isLimited) => {
      const target = join(createTestDirectory(), 'imported');
      const { fingerprint } = await importPackage(inShared(file), target);
      expect(fingerprint).toBe(reports.get(file)?.fingerprint);
      const store = openSnapshot(target);
      expect(readMeta(store, 'collections')).toBe(isLimited ? '["demo-org-1"]' : '[]');
      expect((await auditSnapshot(store)).findings).toEqual([]);
      store.close();
      expect(findLeaks(readFiles(target), WITHHELD_WORDS)).toEqual([]);
      const inOtherCollection = findLeaks(await contentsOf(inShared(file)), [OTHER_WORD]);
      expect(inOtherCollection.length > 0).toBe(!isLimited);
    },
  );

  it('a bag keeps the requests and headers of bodies that nothing was removed from, and marks the others', () => {
    const store = openSnapshot(inShared('bag/data'));
    const exchangesOf = (key: string) =>
      store.db
        .prepare('SELECT id FROM response WHERE key = ?')
        .all(key)
        .map(({ id }) => readExchanges(store, { response: Number(id) }).length);
    expect(exchangesOf('object:demo-org-1-5')).toEqual([1]);
    expect(exchangesOf('object:demo-org-1-7')).toEqual([0]); // its redirect names what is withheld
    expect(exchangesOf('object:demo-org-1-2')).toEqual([0, 0]);
    const count = (sql: string) => Number(store.db.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.['n']);
    const marked = (key: string) => count(`redaction WHERE response IN (SELECT id FROM response WHERE key = '${key}')`);
    expect([marked('object:demo-org-1-2'), marked('object:demo-org-1-5')]).toEqual([2, 0]);
    expect(count(`usage WHERE record = '${PHOTO}'`)).toBe(0);
    expect(count('blob WHERE path NOT IN (SELECT path FROM media WHERE path IS NOT NULL)')).toBe(0);
    expect(count('run WHERE report IS NOT NULL')).toBe(0);
    expect(count(`redaction WHERE response NOT IN (SELECT id FROM response)`)).toBe(0);
    expect(store.db.prepare('PRAGMA freelist_count').get()?.['freelist_count']).toBe(0);
    store.close();
  });

  it('purge deletes the requests and headers of what it deletes', () => {
    const store = openSnapshot(snapshot);
    const orphans = store.db
      .prepare(
        `SELECT count(*) AS n FROM exchange WHERE (response IS NOT NULL AND response NOT IN (SELECT id FROM response))
          OR (media IS NOT NULL AND media NOT IN (SELECT url FROM media)) OR url LIKE '%${INTERVIEW}%'`,
      )
      .get();
    expect(orphans?.['n']).toBe(0);
    expect(Number(store.db.prepare('SELECT count(*) AS n FROM exchange').get()?.['n'])).toBeGreaterThan(10);
    store.close();
  });

  it('OAI-PMH of serve has neither', async () => {
    const server = await spawnServe(['--snapshot', snapshot], shared.path);
    try {
      const send = async (query: string) => Buffer.from(await (await fetch(`${server.url}/oai?${query}`)).arrayBuffer());
      const responses: Named[] = [];
      for (const query of [
        'verb=Identify',
        'verb=ListSets',
        'verb=ListRecords&metadataPrefix=oai_dc',
        'verb=ListIdentifiers&metadataPrefix=oai_dc',
        ...[PHOTO, 'demo-org-1-2', 'demo-org-1-4', 'demo-org-2', INTERVIEW].map(
          (id) => `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:127.0.0.1:${id}`,
        ),
      ])
        responses.push([query, await send(query)]);
      expect(String(responses[2]?.[1])).toContain('The slipway');
      expect(findLeaks(responses, [...WITHHELD_WORDS, PRIVATE_WORD])).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe('a purge alone', () => {
  const directory = createSharedDirectory();
  const purged = join(directory.path, 'snapshot');
  const importedFrom = (file: string) => join(directory.path, `imported-${file}`);
  const reportOf = new Map<string, ExportReport>();

  beforeAll(async () => {
    cpSync(inject('mirror').snapshot, purged, { recursive: true });
    // Another record mentions the first. A third has the same file as one below the second.
    await runMicroficheJson(['purge', 'lica-quay-1-9', 'lica-ferry-1-2', '--snapshot', purged, '--yes'], {
      cwd: directory.path,
    });
    for (const [format, file] of [
      ['bagit', 'bag'],
      ['wacz', 'archive.wacz'],
    ] as const) {
      const to = join(directory.path, file);
      reportOf.set(file, await runMicroficheJson<ExportReport>(['export', format, '--snapshot', purged, '--to', to]));
      await runMicroficheJson(['import', to, '--snapshot', importedFrom(file)]);
    }
  });
  afterAll(directory.remove);

  it.each(['bag', 'archive.wacz'])(
    'the content of %s has its fingerprint, and no later harvest fetches what was purged',
    (file) => {
      const db = new DatabaseSync(join(importedFrom(file), 'snapshot.sqlite'), { readOnly: true });
      const keys = db.prepare(`SELECT key FROM withdrawn WHERE key LIKE 'object:%' ORDER BY key`).all();
      const mentions = db.prepare(`SELECT count(*) AS n FROM response WHERE instr(CAST(body AS TEXT), 'lica-quay-1-9/')`).get();
      db.close();
      expect(keys.map(({ key }) => key)).toEqual(expect.arrayContaining(['object:lica-ferry-1-2', 'object:lica-quay-1-9']));
      expect(mentions).toEqual({ n: 0 });
      expect(reportOf.get(file)?.fingerprint).toBe(reportOf.get('bag')?.fingerprint);
    },
  );

  it('no file is named after what was purged', () => {
    const bag = readFiles(join(directory.path, 'bag'));
    expect([...bag.keys()].filter((path) => path.startsWith('data/media/by-checksum/'))).toHaveLength(1);
    const texts = [...bag].filter(([path]) => /\.(?:txt|json|xml)$/.test(path));
    expect(texts.length).toBeGreaterThan(10);
    for (const [path, bytes] of texts) expect([path, /lica-ferry-1-2(?!\d)/.test(bytes.toString())]).toEqual([path, false]);
    expect([...bag.keys()].filter((path) => /lica-ferry-1-2(?!\d)/.test(path))).toEqual([]);
  });
});
