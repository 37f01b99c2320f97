/** Tables: the tools of others read, count and join them; nothing withheld is in them; and they have the same bytes each time. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { Package } from 'datapackage';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readCatalogue } from '../../../src/catalogue/catalogue.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
} from '../../support/commands.ts';
import { createRecord, respond, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const NAMES = [
  'records',
  'creators',
  'persons',
  'topics',
  'facilities',
  'places',
  'periods',
  'notes',
  'files',
  'transcripts',
  'index_points',
];
const GUIDE_NAMES = ['authors', 'articles', 'article_authors', 'article_records'];
const TABLES = [...NAMES, ...GUIDE_NAMES];
const shared = createSharedDirectory();
const directory = join(shared.path, 'tables');
const snapshot = () => inject('mirror').snapshot;
let report: ExportReport;

const exportTables = (to: string, from: string, cwd?: string) =>
  runMicroficheJson<ExportReport>(['export', 'tables', '--snapshot', from, '--to', to], cwd === undefined ? {} : { cwd });

beforeAll(async () => {
  report = await exportTables(directory, snapshot());
});
afterAll(shared.remove);

type Cells = Array<string | number | null>;

/** Runs a query in DuckDB, and returns the rows as JSON has them. */
async function queryDuckDb(sql: string): Promise<Cells[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson() as Cells[];
  } finally {
    connection.closeSync();
  }
}

/** A CSV file as text, without type detection: as strict readers of RFC 4180 see it. */
const csv = (name: string, from = directory) =>
  `read_csv('${join(from, name)}.csv', header = true, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', all_varchar = true, auto_detect = false, columns = ${columnsOf(name, from)})`;
const columnsOf = (name: string, from: string) => {
  const [header = ''] = readFileSync(join(from, `${name}.csv`), 'utf8').split('\r\n');
  return `{${header.split(',').map((column) => `'${column}': 'VARCHAR'`)}}`;
};
const parquet = (name: string, from = directory) => `read_parquet('${join(from, name)}.parquet')`;

/** Runs a query in SQLite, which knows nothing of us. */
function querySqlite(sql: string, from = directory): Cells[] {
  const db = new DatabaseSync(join(from, 'archive.sqlite'), { readOnly: true });
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row) as Cells);
  } finally {
    db.close();
  }
}

interface DataPackage {
  resources: Array<{
    name: string;
    path: string;
    bytes: number;
    hash: string;
    schema?: {
      fields: Array<{ name: string; type: string; description: string }>;
      primaryKey: string[];
      foreignKeys: Array<{ fields: string; reference: { resource: string; fields: string } }>;
    };
  }>;
}
const readDataPackage = () => JSON.parse(readFileSync(join(directory, 'datapackage.json'), 'utf8')) as DataPackage;

it('has a row for everything that the site shows', () => {
  const store = openSnapshot(snapshot());
  try {
    const { objects, authors, articles } = readCatalogue(store);
    const count = (table: string) => querySqlite(`SELECT count(*) FROM ${table}`)[0]?.[0];
    expect([count('records'), count('authors'), count('articles')]).toEqual([objects.count(), authors.length, articles.length]);
    const pages = querySqlite('SELECT page FROM records UNION ALL SELECT page FROM authors UNION ALL SELECT page FROM articles');
    expect(pages.filter(([page]) => !existsSync(join(inject('mirror').dist, String(page))))).toEqual([]);
    const terms = querySqlite(`SELECT page FROM creators UNION SELECT page FROM persons UNION SELECT page FROM topics
      UNION SELECT page FROM facilities UNION SELECT page FROM places`);
    expect(terms.length).toBeGreaterThan(40);
    expect(terms.filter(([page]) => !existsSync(join(inject('mirror').dist, String(page))))).toEqual([]);
    expect(report.files).toBe(readdirSync(directory).length);
  } finally {
    store.close();
  }
});

describe('DuckDB', () => {
  it.each(TABLES)('reads the same rows of %s from Parquet, CSV and SQLite', async (name) => {
    const inSqlite = querySqlite(`SELECT * FROM ${name} ORDER BY rowid`);
    expect(inSqlite.length).toBeGreaterThan(5);
    const asText = (rows: Cells[]) => rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
    expect(asText(await queryDuckDb(`SELECT * FROM ${parquet(name)}`))).toEqual(asText(inSqlite));
    const undone = (cell: string | number | null) => (cell === null ? null : undoApostrophes(String(cell)));
    expect((await queryDuckDb(`SELECT * FROM ${csv(name)}`)).map((row) => row.map(undone))).toEqual(asText(inSqlite));
    // And a CSV file of which it knows nothing.
    expect(await queryDuckDb(`SELECT count(*)::INTEGER FROM '${join(directory, name)}.csv'`)).toEqual([[inSqlite.length]]);
  });

  it('joins all tables by ID, and finds each row that a foreign key names', async () => {
    const { resources } = readDataPackage();
    const keys = resources.flatMap(({ path, schema }) =>
      (schema?.foreignKeys ?? []).map(({ fields, reference }) => ({ path, fields, reference })),
    );
    expect(keys.length).toBeGreaterThan(15);
    for (const { path, fields, reference } of keys) {
      const own = path.replace('.csv', '');
      const other = reference.resource === '' ? own : reference.resource.replaceAll('-', '_');
      for (const read of [parquet, csv]) {
        const [[named, found] = []] = await queryDuckDb(
          `SELECT count(a.${fields})::INTEGER, count(b.${reference.fields})::INTEGER FROM ${read(own)} a LEFT JOIN ${read(other)} b ON b.${reference.fields} = a.${fields}`,
        );
        expect([`${path} ${fields}`, found]).toEqual([`${path} ${fields}`, named]);
      }
    }
    const perModel = await queryDuckDb(`SELECT model, count(*)::INTEGER FROM ${parquet('records')} GROUP BY 1 ORDER BY 1`);
    expect(perModel).toEqual(querySqlite('SELECT model, count(*) FROM records GROUP BY 1 ORDER BY 1'));
    expect(
      await queryDuckDb(`SELECT count(*)::INTEGER FROM ${parquet('records')} r JOIN ${parquet('creators')} c ON c.record_id = r.id
        WHERE c.role_name = 'narrator' AND r.date_start BETWEEN DATE '2010-01-01' AND DATE '2010-12-31'`),
    ).toEqual(
      querySqlite(`SELECT count(*) FROM records r JOIN creators c ON c.record_id = r.id
        WHERE c.role_name = 'narrator' AND r.date_start BETWEEN '2010-01-01' AND '2010-12-31'`),
    );
  });

  it('knows the types of columns', async () => {
    const types = await queryDuckDb(`DESCRIBE SELECT id, sort, date_start, duration_seconds FROM ${parquet('records')}`);
    expect(types.map(([name, type]) => [name, type])).toEqual([
      ['id', 'VARCHAR'],
      ['sort', 'BIGINT'],
      ['date_start', 'DATE'],
      ['duration_seconds', 'DOUBLE'],
    ]);
  });
});

describe('the Data Package', () => {
  it('is valid, and so is each row by its schema', async () => {
    const dataPackage = await Package.load(join(directory, 'datapackage.json'), { strict: true });
    expect([dataPackage.valid, dataPackage.errors]).toEqual([true, []]);
    const tabular = dataPackage.resources.filter((resource) => resource.tabular);
    expect(tabular.map(({ name }) => name)).toEqual(TABLES.map((name) => name.replaceAll('_', '-')));
    const counts = await Promise.all(
      tabular.map(async (resource) => [resource.name, (await resource.read({ relations: true })).length] as const),
    );
    expect(counts.filter(([, rows]) => rows <= 5)).toEqual([]);
  });

  it('describes every column, and names every file with its size and SHA-256', () => {
    const { resources } = readDataPackage();
    for (const { path, bytes, hash, schema } of resources) {
      const content = readFileSync(join(directory, path));
      expect([path, bytes, hash]).toEqual([path, content.length, `sha256:${createHash('sha256').update(content).digest('hex')}`]);
      if (!schema) continue;
      expect(content.toString().split('\r\n')[0]).toBe(schema.fields.map(({ name }) => name).join(','));
      for (const { description } of schema.fields) expect(description).toMatch(/^\S.*\.$/);
    }
    const described = new Set(['datapackage.json', 'datasette-metadata.json', 'README.txt', 'microfiche-export.json']);
    const listed = resources.map(({ path }) => path);
    expect(
      readdirSync(directory)
        .filter((name) => !described.has(name))
        .sort(),
    ).toEqual(listed.sort());
  });
});

describe('SQLite', () => {
  it('is sound, and finds records, transcripts and guide pages by their words', () => {
    expect(querySqlite('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(querySqlite('PRAGMA foreign_key_check')).toEqual([]);
    const found = querySqlite(
      `SELECT r.id FROM records_fts f JOIN records r ON r.rowid = f.rowid WHERE records_fts MATCH 'title:"first day" vane' ORDER BY rank`,
    );
    const expected = querySqlite(`SELECT id FROM records WHERE title LIKE '%first day%' AND creators LIKE '%Vane%'`);
    expect(expected.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(expected.sort());
    const [spoken] = querySqlite(`SELECT about_id, speaker, start_seconds FROM transcripts WHERE rowid =
      (SELECT rowid FROM transcripts_fts WHERE transcripts_fts MATCH 'whistle' ORDER BY rank LIMIT 1)`);
    expect(spoken).toEqual(['lica-ferry-1-1-1', 'Leif Vane', 0]);
    for (const table of ['notes', 'authors', 'articles'])
      expect(
        querySqlite(`SELECT count(*) FROM ${table}_fts WHERE ${table}_fts MATCH 'invented OR weather'`)[0]?.[0],
      ).toBeGreaterThan(0);
  });

  it('has full-text tables that Datasette detects, and metadata for it', () => {
    // Its query, from datasette/utils/__init__.py.
    const detect = (table: string) =>
      querySqlite(
        `select name from sqlite_master where rootpage = 0 and sql like '%VIRTUAL TABLE%USING FTS%content="${table}"%'`,
      );
    expect(detect('records')).toEqual([['records_fts']]);
    const { databases } = JSON.parse(readFileSync(join(directory, 'datasette-metadata.json'), 'utf8')) as {
      databases: { archive: { tables: Record<string, { columns: Record<string, string>; facets?: string[] }> } };
    };
    for (const [table, { columns, facets = [] }] of Object.entries(databases.archive.tables)) {
      const names = querySqlite(`SELECT name FROM pragma_table_info('${table}')`).flat();
      expect(Object.keys(columns)).toEqual(names);
      expect(names).toEqual(expect.arrayContaining(facets));
    }
  });

  it('explains itself in its schema', () => {
    const [[sql] = []] = querySqlite(`SELECT sql FROM sqlite_schema WHERE name = 'records'`);
    expect(sql).toContain('"date" TEXT, -- Date in the archive’s own words.');
  });
});

it('has the columns that an archivist needs', () => {
  const [record] = querySqlite(`SELECT model, parent_id, collection_id, date, date_start, date_end, date_edtf, date_certainty,
    languages, genre, format, duration_seconds, page FROM records WHERE id = 'lica-ferry-1-1-1'`);
  expect(record?.slice(0, 3)).toEqual(['segment', 'lica-ferry-1-1', 'lica-ferry-1']);
  expect(record?.slice(3, 8)).toEqual(['June 2, 2010', '2010-06-02', '2010-06-02', '2010-06-02', 'certain']);
  expect(record?.slice(8)).toEqual([expect.stringContaining('eng'), 'interview', 'vh', 137, 'objects/lica-ferry-1-1-1.html']);
  const certainties = querySqlite('SELECT DISTINCT date_certainty FROM records WHERE date_certainty IS NOT NULL').flat();
  expect(certainties).toEqual(expect.arrayContaining(['certain', 'approximate']));
  const files = querySqlite(`SELECT path, sha256, size FROM files WHERE state = 'stored'`);
  expect(files.length).toBeGreaterThan(100);
  for (const [path, sha256, size] of files) {
    const bytes = readFileSync(join(snapshot(), String(path)));
    expect([sha256, size]).toEqual([createHash('sha256').update(bytes).digest('hex'), bytes.length]);
  }
});

it('replaces its own export, and nothing else', async () => {
  const target = join(createTestDirectory(), 'tables.zip');
  for (let i = 0; i < 2; i++) await exportTables(target, snapshot());
  writeFileSync(target, 'mine');
  const { code, stderr } = await runMicrofiche(['export', 'tables', '--snapshot', snapshot(), '--to', target]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/exists, and Microfiche did not export it/)]);
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

/** Undoes what the README says of apostrophes in CSV files. */
function undoApostrophes(text: string): string {
  return text.replace(/(^|;)'(?=['"]*[=+\-@＋－＝＠])/g, '$1');
}

describe('an archive with private, withheld and odd records', () => {
  const folder = createSharedDirectory();
  const exported = join(folder.path, 'tables');
  let upstream: TestUpstream;
  /** Words that occur only in what must not be in the tables. */
  const SECRETS = ['quillwort', 'samphire', 'marramgrass', 'Sea Holly', 'thriftflower', 'demo-org-1-1', 'demo-org-1-2'];
  const FORMULA = `=HYPERLINK("http://evil.example","click")`;
  const LONG = `${'long words '.repeat(30_000)}end`;

  beforeAll(async () => {
    upstream = await startTestUpstream({ shared: true });
    fillUpstream(upstream);
    const at = { cwd: folder.path };
    const source = join(folder.path, 'snapshot');
    await runMicroficheJson(
      ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--snapshot', source, '--root', 'demo-org-1'],
      at,
    );
    const kinds = 'thumb,image,audio,video,transcript,original';
    await runMicroficheJson(['media', '--snapshot', source, '--kinds', kinds], at);
    const before = await exportTables(join(folder.path, 'before'), source, folder.path);
    expect(await leaks(join(folder.path, 'before'))).toEqual(['samphire', 'marramgrass', 'Sea Holly', 'demo-org-1-2']);
    const withhold = [
      { id: 'demo-org-1-2', reason: 'By request.', date: '2026-10-01' },
      { id: 'demo-org-1-3', fields: 'description', reason: 'By request.', date: '2026-10-01' },
      { person: 'Sea Holly', reason: 'By request.', date: '2026-10-01' },
    ];
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify({ withhold }));
    report = await exportTables(exported, source, folder.path);
    expect(report.fingerprint).not.toBe(before.fingerprint);
  });
  afterAll(async () => {
    await upstream.close();
    folder.remove();
  });

  function fillUpstream({ url, routes }: TestUpstream): void {
    const bytes = Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;');
    const add = (id: string, more: Record<string, unknown>) =>
      routes.set(`/api/0.2/${id}/`, createRecord({ url }, id, { model: 'entity', ...more }));
    routes.set('/a.gif', respondWith(200, { 'content-type': 'image/gif' }, bytes));
    routes.set('/b.gif', respondWith(200, { 'content-type': 'image/gif' }, bytes));
    add('demo-org-1', {
      model: 'collection',
      title: 'Papers',
      signature_id: 'demo-org-1-1',
      links: { 'children-objects': `${url}/api/0.2/demo-org-1/children/` },
    });
    add('demo-org-1-1', { title: 'A quillwort', public: '0', links: { img: `${url}/a.gif` } });
    add('demo-org-1-2', { title: 'A samphire', links: { img: `${url}/a.gif` } });
    add('demo-org-1-3', {
      title: FORMULA,
      description: 'Of marramgrass',
      contributor: 'Sea Holly',
      creators: [{ namepart: '+1 555 0100', role: '@role' }, 'Sea Holly', null, 7, { namepart: 'Lopez; -2+3', role: 'narrador' }],
      links: { img: `${url}/b.gif`, html: 'javascript:alert(1)' },
      topics: [{ id: '1', term: 'Nets "and" lines, old; =1+1' }],
    });
    add('demo-org-1-4', {
      title: 'Odd\u0000\ud800 title\r\nin "two" lines',
      description: LONG,
      sort: 1e300,
      creation: 'before 1942',
      search_hidden: 'thriftflower',
      unheard_of: { a: ['b', 3] },
      userrestrict: '<p>Write <b>first</b>.</p>',
      geography: [
        { id: '"http://vocab.example/1"', term: 'Tern Hill', geo_lat: '-44.5', geo_lng: 'east' },
        { term: 'Quay', geo_lat: -44.5, geo_lng: 170.25 },
      ],
    });
    routes.set('/api/0.2/demo-org-1-5/', '[1, "not a record"]');
    const ids = [1, 2, 3, 4, 5].map((n) => `demo-org-1-${n}`);
    routes.set('/api/0.2/demo-org-1/children/', (request: never, response: never) =>
      respond({ total: 5, next_offset: null, objects: ids.map((id) => ({ id, model: 'entity' })) }, request, response),
    );
  }

  /** Returns which secret words are in the bytes of any file, or in the rows of a Parquet file, whose bytes are compressed. */
  async function leaks(from: string): Promise<string[]> {
    const texts = [...readFiles(from)].flatMap(([path, bytes]) => [path, bytes.toString('utf8')]);
    for (const name of TABLES) texts.push(JSON.stringify(await queryDuckDb(`SELECT * FROM ${parquet(name, from)}`)));
    return SECRETS.filter((word) => texts.some((text) => text.toLowerCase().includes(word.toLowerCase())));
  }

  it('contains nothing private or withheld, not even as the name of a file', async () => {
    expect(await leaks(exported)).toEqual([]);
    const [file] = querySqlite(`SELECT state, path, size FROM files WHERE record_id = 'demo-org-1-3'`, exported);
    expect(file).toEqual(['stored', null, 14]);
  });

  it('keeps every other record, and says what is cut', async () => {
    const ids = querySqlite('SELECT id FROM records ORDER BY id', exported).flat();
    expect(ids).toEqual(['demo-org-1', 'demo-org-1-3', 'demo-org-1-4', 'demo-org-1-5']);
    const [row] = querySqlite(
      `SELECT title, length(description), sort, date_start, date_end, date_edtf FROM records WHERE id = 'demo-org-1-4'`,
      exported,
    );
    expect(row).toEqual([
      'Odd\ufffd title in "two" lines',
      expect.any(Number),
      null,
      null,
      '1941-12-31',
      expect.stringMatching(/^\.\./),
    ]);
    expect(report.notes).toEqual(['1 text of more than 100,000 characters was cut.']);
    expect(querySqlite(`SELECT field, text FROM notes WHERE record_id = 'demo-org-1-4'`, exported)).toEqual([
      ['unheard_of', '{"a":["b",3]}'],
      ['userrestrict', 'Write first.'],
    ]);
    expect(querySqlite('SELECT term, latitude, longitude FROM places', exported)).toEqual([
      ['Tern Hill', null, null],
      ['Quay', -44.5, 170.25],
    ]);
    expect(await queryDuckDb(`SELECT count(*)::INTEGER FROM '${exported}/records.csv'`)).toEqual([[4]]);
    expect((await Package.load(join(exported, 'datapackage.json'), { strict: true })).valid).toBe(true);
  });

  it('has no cell in a CSV file that a spreadsheet would take for a formula', async () => {
    const cells = (await Promise.all(TABLES.map((name) => queryDuckDb(`SELECT * FROM ${csv(name, exported)}`)))).flat(2);
    const texts = cells.filter((cell) => typeof cell === 'string' && !/^-?\d+(?:\.\d+)?$/.test(cell)) as string[];
    expect(texts.filter((text) => /(?:^|;)["']*(?<!')[=+\-@]/.test(text))).toEqual([]);
    expect(texts).toContain(`'${FORMULA}`);
    expect(texts).toContain(`'+1 555 0100`);
    expect(texts.map(undoApostrophes)).toContain(FORMULA);
    const raw = readFileSync(join(exported, 'records.csv'), 'utf8');
    expect(raw.split('\r\n')).toHaveLength(6);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(querySqlite(`SELECT title, live_url FROM records WHERE id = 'demo-org-1-3'`, exported)).toEqual([[FORMULA, null]]);
  });
});
