/** Checks docs/snapshot-format.md: its tables are those of a snapshot, and its queries return what it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { APPLICATION_ID, readSchema, SCHEMA_VERSION } from '../../src/snapshot/schema.ts';
import { createMemorySnapshot, openSnapshot } from '../../src/snapshot/store.ts';
import { COLLECTION, fill } from '../support/changing-archive.ts';
import { createTestDirectory, ROOT, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { computeChecksums, runMedia } from '../support/file-server.ts';
import { startTestUpstream } from '../support/test-upstream.ts';

const text = readFileSync(join(ROOT, 'docs/snapshot-format.md'), 'utf8');
const queries = [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);

it('names every table and column, and no other', () => {
  const { db, close } = createMemorySnapshot('nowhere');
  const columns = db
    .prepare(
      `SELECT t.name AS "table", x.name AS "column" FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS x WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all();
  close();
  const sections = new Map(
    text.split(/^(?=\*\*`\w+`\*\*|## )/m).map((section) => [/^\*\*`(\w+)`\*\*/.exec(section)?.[1], section] as const),
  );
  const tables = new Set(columns.map(({ table }) => String(table)));
  expect([...sections.keys()].filter((name) => name !== undefined).sort()).toEqual([...tables].sort());
  const missing = columns.filter(({ table, column }) => !sections.get(String(table))?.includes(`\`${column}\``));
  expect(missing).toEqual([]);
  for (const [table, section] of sections) {
    if (table === undefined) continue;
    const own = new Set(columns.filter((one) => one['table'] === table).map(({ column }) => column));
    const named = [...section.matchAll(/^- (`[^:]*):/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect([table, named.filter((name) => !own.has(String(name)))]).toEqual([table, []]);
  }
});

it('changes with the tables, so that an earlier snapshot is not taken for a damaged one', () => {
  const directory = createTestDirectory();
  const db = new DatabaseSync(join(directory, 'snapshot.sqlite'));
  db.exec(`${readSchema().replace(/ {2}failed_(?:since|runs) .*\n/g, '')} PRAGMA user_version = 7`);
  db.close();
  expect(() => openSnapshot(directory)).toThrow(/format version 7, from before the first release/);
});

it('gives the application ID and the format version', () => {
  expect(text).toContain(
    `\`PRAGMA application_id\` is ${APPLICATION_ID} (the letters \`MFch\`), \`PRAGMA user_version\` is the format version: ${SCHEMA_VERSION}.`,
  );
});

it('has queries that return what it says, with SQLite alone', async () => {
  const snapshot = join(createTestDirectory(), 'snapshot');
  const upstream = await startTestUpstream();
  for (const year of [1, 2, 3] as const) {
    await fill(upstream, year);
    await runMicroficheJson([
      'harvest',
      ...upstreamOptions(upstream.url),
      '--full',
      '--snapshot',
      snapshot,
      '--root',
      COLLECTION,
    ]);
  }
  await runMedia(snapshot, '--allow-host', new URL(upstream.url).host);
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  const [records, versions, files, shared, manifest] = queries.map((sql) => db.prepare(sql).all());
  db.close();
  expect(records?.map(({ id, title }) => [id, title])).toContainEqual([`${COLLECTION}-3`, 'The ferry Heron']);
  expect(records?.find(({ id }) => id === `${COLLECTION}-1`)).toMatchObject({
    url: `${upstream.url}/api/0.2/${COLLECTION}-1/`,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(versions?.map(({ title, latest, removed_at }) => [title, latest, removed_at])).toEqual([
    ['A ferry', 0, null],
    ['The ferry Heron', 1, null],
  ]);
  expect(files?.map(({ kind, url, state, cause }) => [kind, url, state, cause])).toEqual([
    ['thumb', `${upstream.url}/bell-small.jpg`, 'stored', null],
    ['image', `${upstream.url}/bell.jpg`, 'stored', null],
  ]);
  const bell = 'media/demo-org-1/demo-org-1-1.image.jpg';
  expect(shared).toEqual(
    [
      [1, 'bell'],
      [2, 'same-bell'],
      [4, 'bell'],
    ].map(([n, name]) => ({ path: bell, record: `${COLLECTION}-${n}`, url: `${upstream.url}/${name}.jpg` })),
  );
  expect(manifest).toHaveLength(4);
  for (const { line } of manifest ?? []) {
    const [sha256, path = ''] = String(line).split('  ');
    expect([path, computeChecksums(readFileSync(join(snapshot, path))).sha256]).toEqual([path, sha256]);
  }
});
