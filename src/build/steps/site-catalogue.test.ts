import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentOf } from '../../../tests/support/catalogue-content.ts';
import { replaceEntries } from '../../../tests/support/catalogue-file.ts';
import { createTestDirectory, LONG } from '../../../tests/support/commands.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { openForWriting } from '../../catalogue/catalogue-file.ts';
import { compareCatalogues } from '../../catalogue/dependencies/compare-catalogues.ts';
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { parseFacets, withPeople } from '../../catalogue/lists/record-rows.ts';
import { parsePeople } from '../../catalogue/people/named-people.ts';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import { readWithholding } from '../../catalogue/read/withholding.ts';
import { createSnapshot, openSnapshot } from '../../snapshot/store.ts';
import type { SiteMedia } from '../pages/site-source.ts';
import { type CatalogueFile, readSiteCatalogue } from './site-catalogue.ts';

const COLLECTIONS = ['demo-org-1', 'demo-org-2'];
const IDS = [
  'demo',
  'demo-org',
  ...COLLECTIONS,
  'demo-org-1-1',
  'demo-org-1-2',
  'demo-org-1-10',
  'demo-org-2-1',
  'demo-org-1-1-1',
  'demo-org-1-1-2',
  'demo-org-1-1-mezzanine-0123456789',
  'demo-org-2-1-master-abcdef0123',
];
const CATALOG = 'https://catalog.example';
const id = fc.constantFrom(...IDS);
const name = fc.constantFrom('Vane, Leif', 'Leif Vane', 'Sven Jetsam', 'Rosa Ropewalk', 'Ropewalk, Rosa', '文, 雅');
const ids = fc.record({ oh_id: fc.constantFrom(1, 2, 3), nr_id: fc.constantFrom('88nr001', '88nr002') }, { requiredKeys: [] });
const person = fc.tuple(name, ids, fc.constantFrom('narrator', 'photographer')).map(([namepart, own, role]) => ({
  namepart,
  role,
  ...own,
}));
const text = fc.constantFrom('', 'Nets', 'A boat', `<a href="${CATALOG}/demo-org-1-2/">Boat</a> by Leif Vane`, '0');

/** Fields of a record; most are absent. */
const fields = fc.record(
  {
    title: text,
    description: text,
    public: fc.constantFrom('1', '1', '1', '1', '1', '1', '1', '1', '1', '0'),
    parent_id: id,
    sort: fc.nat(3),
    genre: fc.constantFrom('photograph', 'interview'),
    geography: fc.constantFrom(
      [{ term: 'Quay', geo_lat: 1, geo_lng: 2 }],
      [{ id: '"http://vocab.getty.edu/tgn/7001234"', term: 'Quay' }],
      [{ id: '7', term: 'Quay', geo_lat: 1, geo_lng: 2 }, 'Quay'],
    ),
    language: fc.constantFrom(['eng'], ['jpn', 'eng']),
    topics: fc.constantFrom([{ id: '1', term: 'Fishing' }], [{ id: '2', term: 'Boats' }, 'Nets']),
    creators: fc.array(person, { maxLength: 2 }),
    persons: fc.array(person, { maxLength: 2 }),
    breadcrumbs: fc.array(fc.record({ id, label: text }), { maxLength: 2 }),
    model: fc.constantFrom('entity', 'segment', 'collection', 'repository'),
    links: fc.constantFrom({ html: 'https://live.example/a' }, { html: 'https://live.example/b', img: `${CATALOG}/a.jpg` }),
    creation: fc.constantFrom('1951', 'a day in spring'),
  },
  { requiredKeys: [] },
);

/** Fields of a record that names people. */
const people = fc.record({
  creators: fc.array(person, { minLength: 1, maxLength: 2 }),
  persons: fc.array(person, { maxLength: 2 }),
});

/** The body of a record; rarely, it is something else. */
const record = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(id, fields).map(([own, more]) => [own, { id: own, ...more }] as const) },
  { weight: 6, arbitrary: fc.tuple(id, people).map(([own, more]) => [own, { id: own, ...more }] as const) },
  { weight: 1, arbitrary: fc.tuple(id, fc.constantFrom('no JSON', [], { id: 'demo-org-1-2' })) },
);

/** The settings of a site that decide what it shows. */
const SETTINGS: ReadonlyArray<{ withhold: unknown[]; collections?: string[] }> = [
  { withhold: [] },
  { withhold: [{ person: 'Leif Vane', reason: 'private', date: '2026-01-01' }] },
  { withhold: [{ id: 'demo-org-1-1', fields: ['title', 'creators'], reason: 'private', date: '2026-01-01' }] },
  { withhold: [{ id: 'demo-org-1-1', reason: 'private', date: '2026-01-01' }] },
  { withhold: [{ collection: 'demo-org-1', fields: ['description'], reason: 'private', date: '2026-01-01' }] },
  { withhold: [], collections: ['demo-org-2'] },
];

/** A change of a snapshot; `label` and `value` are for messages about tests that failed. */
interface Change {
  label: string;
  value: unknown;
  apply(db: DatabaseSync): void;
}

/** Returns a kind of change that is chosen `weight` times as often as others. */
function changeOf<Value>(
  weight: number,
  label: string,
  values: fc.Arbitrary<Value>,
  apply: (db: DatabaseSync, value: Value) => void,
): { weight: number; arbitrary: fc.Arbitrary<Change> } {
  return { weight, arbitrary: values.map((value) => ({ label, value, apply: (db) => apply(db, value) })) };
}

/** Stores a body, as a harvest does: in a new row, or rarely in place of the former one, as a purge does. */
function store(db: DatabaseSync, kind: string, own: string, body: unknown, inPlace = false, page?: [number, number]): void {
  const key = page ? `${kind}:${own}?limit=${page[0]}&offset=${page[1]}` : `${kind}:${own}`;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const values = [bytes, hash('sha256', bytes)];
  const known = db.prepare('SELECT response FROM resource WHERE key = ?').get(key)?.['response'];
  if (inPlace && typeof known === 'number') {
    db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE id = ?').run(...(values as [Buffer, string]), known);
    return;
  }
  const insert = db.prepare(
    `INSERT INTO response (key, url, fetched_at, status, headers, body, sha256) VALUES (?, 'http://x/', '2026-01-01T00:00:00Z', 200, '{}', ?, ?)`,
  );
  const { lastInsertRowid } = insert.run(key, ...(values as [Buffer, string]));
  db.prepare(
    `INSERT OR REPLACE INTO resource (key, kind, name, page_limit, page_offset, state, run, response) VALUES (?, ?, ?, ?, ?, 'stored', 1, ?)`,
  ).run(key, kind, own, page?.[0] ?? null, page?.[1] ?? null, lastInsertRowid);
}

const listEntry = fc.tuple(id, fc.oneof(fields, people)).map(([own, more]) => ({ id: own, ...more }));
const guideName = fc.constantFrom('Nets', 'Boats', 'Leif Vane');
/** Without the one that a setting chooses, which has to stay. */
const otherId = fc.constantFrom(...IDS.filter((own) => own !== 'demo-org-2'));
const changes: fc.Arbitrary<Change> = fc.oneof(
  changeOf(8, 'record', fc.tuple(record, fc.nat(5)), (db, [[own, body], n]) => store(db, 'object', own, body, n === 0)),
  ...[
    'DELETE FROM resource WHERE key = ?',
    "UPDATE resource SET response = NULL, state = 'queued' WHERE key = ?",
    "UPDATE resource SET removed_at = '2026-02-01T00:00:00Z' WHERE key = ?",
    "UPDATE resource SET removed_at = NULL WHERE ? <> ''",
    "UPDATE resource SET state = 'failed', cause = 'timeout' WHERE key = ?",
    "UPDATE response SET headers = '[]' WHERE key = ?",
    "UPDATE response SET headers = '{}' WHERE key = ?",
    "UPDATE OR REPLACE resource SET key = key || 'x' WHERE key = ?",
    "INSERT OR REPLACE INTO withdrawn VALUES (?, '2026-01-01T00:00:00Z', '')",
  ].map((sql) => changeOf(1, sql, otherId, (db, own) => void db.prepare(sql).run(`object:${own}`))),
  changeOf(2, 'not hashed', fc.tuple(fc.constantFrom('demo-org-1-2', 'demo-org-1-10'), fields), (db, [own, more]) => {
    store(db, 'object', own, { id: own, ...more }, true);
    db.prepare("UPDATE response SET sha256 = 'unknown' WHERE key = ?").run(`object:${own}`);
  }),
  changeOf(1, 'private', otherId, (db, own) => store(db, 'object', own, { ...usualBody(own), public: '0' })),
  // So that not all is private, or withdrawn, after some changes.
  changeOf(3, 'as usual', fc.constant(undefined), (db) => {
    db.exec('DELETE FROM withdrawn');
    for (const own of IDS) store(db, 'object', own, usualBody(own), true);
  }),
  changeOf(2, 'moved', fc.tuple(otherId, fc.constantFrom('demo-org-1-1', 'demo-org-2')), (db, [own, parent]) =>
    store(db, 'object', own, { id: own, title: 'Moved', parent_id: parent }),
  ),
  changeOf(
    3,
    'list',
    fc.tuple(
      fc.constantFrom('children', 'files'),
      fc.constantFrom('demo-org', ...COLLECTIONS, 'demo-org-1-1'),
      fc.array(listEntry, { maxLength: 4 }),
    ),
    (db, [kind, own, objects]) => store(db, kind, own, { total: objects.length, objects }, false, [25, 0]),
  ),
  changeOf(1, 'authors', fc.array(fc.record({ id: name, published: fc.boolean() }), { maxLength: 3 }), (db, objects) =>
    store(db, 'authors', '', { total: objects.length, objects }, false, [25, 0]),
  ),
  changeOf(1, 'author', fc.tuple(name, fc.boolean(), fc.array(guideName)), (db, [own, published, articles]) =>
    store(db, 'author', own, { id: own, published, articles }),
  ),
  changeOf(
    1,
    'article',
    fc.tuple(guideName, text, fc.array(name, { maxLength: 2 }), fc.array(guideName, { maxLength: 2 })),
    (db, [own, body, authors, sources]) =>
      store(db, 'article', own, { title: own, body, authors, sources, links: { html: 'https://live.example/a' } }),
  ),
  changeOf(1, 'source', fc.tuple(guideName, id), (db, [own, of]) =>
    store(db, 'source', own, { id: own, densho_id: of, external_url: `${CATALOG}/${of}/` }),
  ),
  changeOf(1, 'media', fc.tuple(id, fc.nat(3), fc.constantFrom('the response is empty', 'timeout')), (db, [owner, n, cause]) => {
    const sql =
      "INSERT OR REPLACE INTO media (url, owner, kind, state, fetched_at, cause) VALUES (?, ?, 'image', 'failed', '', ?)";
    db.prepare(sql).run(`${CATALOG}/${n}.jpg`, owner, cause);
  }),
  changeOf(1, 'no media', fc.constant(undefined), (db) => db.exec('DELETE FROM media')),
  changeOf(1, 'finished', fc.constant(undefined), (db) => db.exec("UPDATE run SET finished_at = '2026-03-01T00:00:00Z'")),
);

/** What happens before a build, whether its settings are the usual ones, what it knows of media, and whether it completes. */
const builds = fc.tuple(
  fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4, 5),
  fc.array(
    fc.record({
      changes: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 4, arbitrary: fc.array(changes, { minLength: 1, maxLength: 3 }) },
      ),
      otherSetting: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 0, 1, 2, 3, 4, 5),
      media: fc.constantFrom(0, 0, 0, 1),
      isShard: fc.boolean(),
      isComplete: fc.constantFrom(true, true, true, true, false),
    }),
    { minLength: 4, maxLength: 12 },
  ),
);

const MEDIA = [
  { images: {}, tiles: {}, copiedFiles: {} },
  { images: { [`${CATALOG}/a.jpg`]: { full: 'media/a.jpg' } }, tiles: {}, copiedFiles: {} },
] as unknown as SiteMedia[];

/** Builds catalogues of one changing snapshot. */
function createArchive() {
  const directory = createTestDirectory();
  const [snapshot, cache, fresh] = ['snapshot', 'cache', 'fresh'].map((part) => join(directory, part)) as [
    string,
    string,
    string,
  ];
  createSnapshot(snapshot).close();
  mkdirSync(cache);
  const change = (apply: Change['apply']) => {
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    apply(db);
    db.close();
  };
  change((db) => {
    db.exec("INSERT INTO run (id, started_at) VALUES (1, '2026-01-01T00:00:00Z')");
    db.exec(`INSERT INTO meta VALUES ('catalog_url', '${CATALOG}'), ('authors_url', 'https://guide.example')`);
    for (const collection of COLLECTIONS) store(db, 'object', collection, { id: collection, title: collection });
  });
  const build = (to: string, setting: number, media = 0, shared?: string) => {
    const opened = openSnapshot(snapshot);
    const { withhold, collections } = SETTINGS[setting] as (typeof SETTINGS)[number];
    const visible = createVisibleStore(opened, { withholding: readWithholding(withhold), collections });
    // As if the snapshot had been written long ago.
    const read = readSiteCatalogue(visible, to, `key ${setting}`, { now: Date.now() + 60_000, shared });
    const file = read.toFile(MEDIA[media] as SiteMedia);
    return {
      catalogue: read.catalogue,
      file,
      async end(isComplete: boolean) {
        if (isComplete) await file.keep();
        file.close();
        opened.close();
      },
    };
  };
  /** Builds without knowing anything of former builds. */
  const buildFresh = (setting: number, media = 0) => {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh);
    return build(fresh, setting, media);
  };
  /** Builds as a shard: the catalogue may come from that of another one with the same setting. */
  const buildShard = (setting: number, media = 0, to = cache) =>
    build(to, setting, media, join(directory, 'catalogues', `${setting}.sqlite`));
  return {
    directory,
    cache,
    change,
    build: (setting: number, media = 0) => build(cache, setting, media),
    buildShard,
    buildFresh,
  };
}

/** The body of a record with a link to another one, a person, and an ancestor that nothing else names. */
function usualBody(own: string): Record<string, unknown> {
  const creators = [{ namepart: 'Vane, Leif', role: 'narrator' }];
  const breadcrumbs = [{ id: 'demo-org-3', label: 'Third' }];
  return { id: own, title: own, description: `<a href="${CATALOG}/demo-org-1-2/">Boat</a>`, creators, breadcrumbs };
}

type Built = Pick<ReturnType<ReturnType<typeof createArchive>['build']>, 'catalogue' | 'file'>;

/** What a comparison of all entries finds between the catalogue in a file and a later one. */
function compare(earlier: string, { catalogue, file }: Built) {
  copyFileSync(earlier, `${earlier}-copy`);
  const db = openForWriting(`${earlier}-copy`);
  replaceEntries(db, { ...catalogue, objects: asStated(catalogue.objects, file.db) });
  const compared = compareCatalogues(db, earlier);
  db.close();
  return compared;
}

/** Yields the entries of a catalogue file as their own bodies have them. */
function* asStated(entries: Iterable<ObjectEntry>, db: DatabaseSync): Generator<ObjectEntry> {
  const select = db.prepare('SELECT named, facets, positions FROM record LEFT JOIN people USING (number) WHERE id = ?');
  for (const entry of entries) {
    const row = select.get(entry.id) as { named: string | null; facets: string; positions: string | null };
    const people = parsePeople(row.named ?? undefined);
    const positions = row.positions === null ? [] : JSON.parse(row.positions);
    yield { ...entry, positions, narrators: people.narrators, facets: withPeople(parseFacets(row.facets), people) };
  }
}

it('equals a catalogue that is made from nothing, after any changes', async () => {
  let updates = 0;
  await fc.assert(
    fc.asyncProperty(builds, async ([usual, sequence]) => {
      const archive = createArchive();
      for (const own of IDS) archive.change((db) => store(db, 'object', own, usualBody(own)));
      const last = join(archive.directory, 'last.sqlite');
      let lastSetting: number | undefined;
      for (const { changes: before, otherSetting, media, isShard, isComplete } of sequence) {
        const setting = otherSetting ?? usual;
        for (const one of before) archive.change(one.apply);
        const now = isShard ? archive.buildShard(setting, media) : archive.build(setting, media);
        const fresh = archive.buildFresh(setting, media);
        expect(inMemory(now.catalogue)).toEqual(inMemory(fresh.catalogue));
        expect(contentOf(now.file.db)).toEqual(contentOf(fresh.file.db));
        if (lastSetting === undefined) expect(now.file.changes).toBeUndefined();
        else {
          const { keys, records } = compare(last, fresh);
          expect(now.file.changes).toEqual(records);
          if (lastSetting === setting) expect(keys.difference(now.file.changedKeys as Set<string>)).toEqual(new Set());
          updates++;
        }
        await now.end(isComplete);
        if (isComplete) {
          copyFileSync(fresh.file.path, last);
          lastSetting = setting;
        }
        await fresh.end(false);
      }
      const final = archive.build(usual);
      await final.end(true);
      const again = archive.build(usual);
      expect(isUnchanged(again.file)).toBe(true);
      await again.end(false);
    }),
    { numRuns: LONG ? 400 : 16 },
  );
  expect(updates).toBeGreaterThan(50);
});

function isUnchanged({ path }: CatalogueFile): boolean {
  return path.endsWith('catalogue.sqlite');
}

/** Returns a catalogue with all its records, which can be compared. */
function inMemory(catalogue: Catalogue) {
  return { ...catalogue, objects: [...catalogue.objects] };
}

/** Builds a catalogue to the end, and returns it. */
async function complete(archive: ReturnType<typeof createArchive>, setting = 0) {
  const built = archive.build(setting);
  const { catalogue, file } = built;
  const content = contentOf(file.db);
  const read = inMemory(catalogue);
  const [wasUnchanged, { changes: records, changedKeys }] = [isUnchanged(file), file];
  await built.end(true);
  return { catalogue: read, content, wasUnchanged, records, changedKeys };
}

it('takes the file of the last build as it is, if the snapshot was not written', async () => {
  const archive = createArchive();
  const first = await complete(archive);
  expect(first).toMatchObject({ wasUnchanged: false, records: undefined, changedKeys: undefined });
  const second = await complete(archive);
  expect(second).toMatchObject({ wasUnchanged: true, records: { added: 0, changed: 0, removed: 0 }, changedKeys: new Set() });
  expect(second.content).toEqual(first.content);
  archive.change((db) => db.exec("UPDATE run SET finished_at = '2026-03-01T00:00:00Z'"));
  expect(await complete(archive)).toMatchObject({
    wasUnchanged: false,
    catalogue: { facts: { harvestedAt: '2026-03-01T00:00:00Z' } },
  });
});

it('takes the catalogue of another shard, if it was read from the same snapshot', async () => {
  const archive = createArchive();
  archive.change((db) => store(db, 'object', 'demo-org-1-1', { id: 'demo-org-1-1', title: 'Net' }));
  const titleOf = async (shard: string) => {
    const to = join(archive.directory, shard);
    mkdirSync(to, { recursive: true });
    const { catalogue, file, end } = archive.buildShard(0, 0, to);
    const title = catalogue.objects.listed('demo-org-1-1')?.title;
    const { changes, changedKeys } = file;
    await end(true);
    return { title, isNew: changes === undefined && changedKeys === undefined };
  };
  expect(await titleOf('first')).toEqual({ title: 'Net', isNew: true });
  const shared = join(archive.directory, 'catalogues/0.sqlite');
  const db = new DatabaseSync(shared);
  db.exec(`UPDATE record SET listed = replace(listed, 'Net', 'Shared')`);
  db.close();
  expect(await titleOf('second')).toEqual({ title: 'Shared', isNew: true });
  // It has a catalogue of its own, which is up to date.
  expect(await titleOf('first')).toEqual({ title: 'Net', isNew: false });
  archive.change((changed) => store(changed, 'object', 'demo-org-1-1', { id: 'demo-org-1-1', title: 'Boat' }));
  expect(await titleOf('third')).toEqual({ title: 'Boat', isNew: true });
  const damaged = new DatabaseSync(shared);
  damaged.exec("UPDATE state SET value = '{' WHERE name = 'catalogue'");
  damaged.close();
  expect(await titleOf('other')).toEqual({ title: 'Boat', isNew: true });
  writeFileSync(shared, 'damaged');
  expect(await titleOf('fourth')).toEqual({ title: 'Boat', isNew: true });
  expect(readdirSync(join(archive.directory, 'catalogues'))).toEqual(['0.sqlite']);
});

it('replaces a damaged file of the last build', async () => {
  const archive = createArchive();
  for (const own of IDS) archive.change((db) => store(db, 'object', own, { id: own, title: `${own} `.repeat(400) }));
  const expected = await complete(archive);
  const path = join(archive.cache, 'catalogue.sqlite');
  const bytes = readFileSync(path);
  const damages: Array<() => void> = [
    () => writeFileSync(path, ''),
    () => writeFileSync(path, 'not a database, but a text that is long enough to look like one '.repeat(200)),
    () => writeFileSync(path, Buffer.from(bytes).fill(0xff, 100)),
    () => writeFileSync(path, bytes.subarray(0, bytes.length / 2)),
    ...Array.from({ length: bytes.length / 4096 }, (_, n) => () => {
      writeFileSync(path, Buffer.from(readFileSync(path)).fill(n % 2 === 0 ? 0xff : 0, 4096 * n, 4096 * (n + 1)));
    }),
    () => rmSync(path),
  ];
  for (const [n, damage] of damages.entries()) {
    damage();
    if (n % 2 === 0) archive.change((db) => store(db, 'object', 'demo', { id: 'demo', title: `Change ${n}` }));
    const { catalogue, content } = await complete(archive);
    const fresh = archive.buildFresh(0);
    expect(catalogue).toEqual(inMemory(fresh.catalogue));
    expect(content).toEqual(contentOf(fresh.file.db));
    await fresh.end(false);
  }
  expect(expected.wasUnchanged).toBe(false);
});

it('deletes the files of builds that were killed, but not those of running processes', async () => {
  const archive = createArchive();
  const [killed, running] = [2 ** 30, process.ppid].map((pid) => join(archive.cache, `catalogue-${pid}.sqlite`)) as [
    string,
    string,
  ];
  for (const file of [killed, running]) writeFileSync(file, '');
  await complete(archive);
  expect([existsSync(killed), existsSync(running)]).toEqual([false, true]);
  const left = ['catalogue.sqlite', 'catalogue.sqlite.whole', `catalogue-${process.ppid}.sqlite`];
  expect(readdirSync(archive.cache).sort()).toEqual(left.sort());
});

it('keeps nothing of a record that is not public any more', async () => {
  const archive = createArchive();
  const body = (more: Record<string, unknown>) => ({ id: 'demo-org-1-1', title: 'Samphire', persons: ['Thriftflower'], ...more });
  archive.change((db) => store(db, 'object', 'demo-org-1-1', body({})));
  archive.change((db) => store(db, 'object', 'demo-org-1-2', { id: 'demo-org-1-2', title: 'Marramgrass' }));
  const has = () => {
    const bytes = readFileSync(join(archive.cache, 'catalogue.sqlite'));
    return ['Samphire', 'Thriftflower', 'Marramgrass'].map((word) => bytes.includes(word));
  };
  await complete(archive);
  expect(has()).toEqual([true, true, true]);
  archive.change((db) => store(db, 'object', 'demo-org-1-1', body({ public: '0' })));
  await complete(archive);
  expect(has()).toEqual([false, false, true]);
  archive.change((db) => store(db, 'object', 'demo-org-1', { id: 'demo-org-1', public: '0' }));
  await complete(archive);
  expect(has()).toEqual([false, false, false]);
  archive.change((db) => store(db, 'object', 'demo-org-1', { id: 'demo-org-1' }));
  expect((await complete(archive)).catalogue.objects.map(({ id: own }) => own)).toContain('demo-org-1-2');
  expect(has()).toEqual([false, false, true]);
});

it('writes nothing of what is below a private record, and finds no change there', async () => {
  const archive = createArchive();
  const words = (own: string) => `Samphire of ${own} `.repeat(20);
  archive.change((db) => {
    db.exec('BEGIN');
    store(db, 'object', 'demo-org-1', { id: 'demo-org-1', public: '0' });
    for (let n = 1; n <= 2_000; n++) {
      const own = `demo-org-1-${n}`;
      store(db, 'object', own, { id: own, title: words(own), breadcrumbs: [{ id: `${own}-9`, label: 'Samphire' }] });
    }
    for (let n = 1; n <= 20; n++) store(db, 'object', `demo-org-2-${n}`, { id: `demo-org-2-${n}`, title: `Marramgrass ${n}` });
    db.exec('COMMIT');
  });
  for (const setting of [0, 2]) {
    await complete(archive, setting);
    archive.change((db) => db.exec("UPDATE run SET finished_at = '2026-03-01T00:00:00Z'"));
    const { catalogue, records, changedKeys } = await complete(archive, setting);
    expect(catalogue.objects.filter(({ id: own }) => own.startsWith('demo-org-1-'))).toEqual([]);
    expect([records, changedKeys]).toEqual([{ added: 0, changed: 0, removed: 0 }, new Set()]);
    const bytes = readFileSync(join(archive.cache, 'catalogue.sqlite'));
    expect([bytes.includes('Marramgrass'), bytes.includes('Samphire of')]).toEqual([true, false]);
  }
});

it('does not use the file of the last build if an entry in it cannot be parsed', async () => {
  const archive = createArchive();
  archive.change((db) => store(db, 'object', 'demo-org-1-1', { id: 'demo-org-1-1', title: 'Marramgrass' }));
  const expected = await complete(archive);
  const path = join(archive.cache, 'catalogue.sqlite');
  const bytes = readFileSync(path);
  bytes.write('}', bytes.indexOf('"title":"Marramgrass"'));
  writeFileSync(path, bytes);
  const { content, wasUnchanged, records } = await complete(archive);
  expect(content).toEqual(expected.content);
  expect([wasUnchanged, records]).toEqual([false, undefined]);
});

it('shows of a person what other records say, after a change of one of them', async () => {
  const archive = createArchive();
  const body = (own: string, creators: unknown[], more = {}) => ({ id: own, title: own, creators, ...more });
  const interview = { model: 'entity', genre: 'interview' };
  const narrator = { namepart: 'Vane, Leif', role: 'narrator' };
  const change = (own: string, creators: unknown[]) =>
    archive.change((db) => store(db, 'object', own, body(own, creators, interview)));
  const expectFresh = async () => {
    const { catalogue, content } = await complete(archive);
    const fresh = archive.buildFresh(0);
    expect(catalogue).toEqual(inMemory(fresh.catalogue));
    expect(content).toEqual(contentOf(fresh.file.db));
    await fresh.end(false);
    return catalogue.objects.find(({ id: own }) => own === 'demo-org-1-1')?.facets.creator?.[0];
  };
  change('demo-org-1-1', [narrator]);
  const alone = await expectFresh();
  expect(alone).toMatchObject({ label: 'Vane, Leif' });
  change('demo-org-1-2', [{ ...narrator, namepart: 'Leif Vane', oh_id: 1 }]);
  expect(await expectFresh()).toMatchObject({ label: 'Leif Vane', ids: { oh: 1 } });
  change('demo-org-1-10', [{ ...narrator, oh_id: 2 }]);
  expect(await expectFresh()).toEqual(alone);
  archive.change((db) => db.exec("DELETE FROM resource WHERE key = 'object:demo-org-1-2'"));
  expect(await expectFresh()).toMatchObject({ ids: { oh: 2 } });
});

it('shows a record again whose resource has another key than its name', async () => {
  const archive = createArchive();
  archive.change((db) => store(db, 'object', 'demo-org-1-1', { id: 'demo-org-1-1' }));
  archive.change((db) => db.exec("UPDATE resource SET key = key || 'x' WHERE key = 'object:demo-org-1-1'"));
  const showCollection = (isPublic: string) =>
    archive.change((db) => store(db, 'object', 'demo-org-1', { id: 'demo-org-1', public: isPublic }));
  const shown = async () => (await complete(archive)).catalogue.objects.map(({ id: own }) => own);
  showCollection('0');
  expect(await shown()).not.toContain('demo-org-1-1');
  showCollection('1');
  expect(await shown()).toContain('demo-org-1-1');
});
