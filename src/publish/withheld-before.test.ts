import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { readWithholding } from '../catalogue/read/withholding.ts';
import { createSnapshot, type Store } from '../snapshot/store.ts';
import { writeWithheldFile } from '../snapshot/withheld-file.ts';
import { assertBuiltWith, assertWithholdsNoLess, protectSnapshot } from './withheld-before.ts';

const why = { reason: 'By request.', date: '2026-10-01' };
const withhold = (...entries: object[]) => readWithholding(entries.map((entry) => ({ ...why, ...entry })));
const PERSON = { person: 'Sea Holly' };
const RECORD = { id: 'demo-org-1-1' };
const FIELDS = { id: 'demo-org-1-2', fields: ['title', 'description'] };
const LACKS = (missing: number, of: number) =>
  new RegExp(`Less would be withheld than before .*: "withhold" lacks ${missing} of ${of} entr`);

function addRecords({ db }: Store, ids: readonly string[]): void {
  const insert = db.prepare(
    "INSERT INTO resource (key, kind, name, state, run) VALUES ('object:' || ?1, 'object', ?1, 'stored', 1)",
  );
  db.exec("INSERT INTO run (id, started_at) VALUES (1, '2026-01-01T00:00:00.000Z')");
  for (const id of ids) insert.run(id);
}

let store: Store;
beforeEach(() => {
  store = createSnapshot(join(createTestDirectory(), 'snapshot'));
  return () => store.close();
});
const remember = (...entries: object[]) => protectSnapshot(store, withhold(...entries)).remember();

it('accepts what is withheld in addition, in any order, and refuses less with the number of what is missing', () => {
  for (const entries of [[], [PERSON], [FIELDS, PERSON], [PERSON, RECORD, FIELDS]]) expect(remember(...entries)).toEqual([]);
  expect(() => remember()).toThrow(LACKS(4, 4));
  expect(() => remember(PERSON, { ...FIELDS, fields: 'title' })).toThrow(LACKS(2, 4));
  expect(() => remember({ person: 'Holly Sea' }, RECORD, FIELDS)).toThrow(LACKS(1, 4));
});

it('accepts less when it is confirmed, and remembers that when it was published', () => {
  remember(PERSON, RECORD);
  const less = protectSnapshot(store, withhold(RECORD), true);
  expect(() => remember(RECORD)).toThrow(LACKS(1, 2));
  less.remember();
  expect(remember(RECORD)).toEqual([]);
  expect(() => remember()).toThrow(LACKS(1, 1));
});

it('accepts no page instead of a notice, and refuses a notice instead of no page', () => {
  remember(RECORD);
  expect(remember({ ...RECORD, page: 'none' })).toEqual([]);
  expect(() => remember(RECORD)).toThrow(LACKS(1, 1));
});

it('accepts a record instead of its fields, and a collection instead of the records below it', () => {
  remember(FIELDS, RECORD);
  expect(remember({ id: FIELDS.id }, RECORD)).toEqual([]);
  addRecords(store, [FIELDS.id, RECORD.id]);
  expect(() => remember({ id: 'demo-org-2' })).toThrow(LACKS(2, 2));
  expect(remember({ id: 'demo-org-1' })).toEqual([]);
  expect(() => remember(RECORD)).toThrow(LACKS(1, 1));
});

it('compares a site of another snapshot by the number of entries', () => {
  const site = createTestDirectory();
  writeWithheldFile(site, { key: '0'.repeat(64), entries: ['0'.repeat(16), '1'.repeat(16)] });
  const check = (...entries: object[]) =>
    assertWithholdsNoLess('site', site, protectSnapshot(store, withhold(...entries)).withheld);
  expect(() => check(PERSON)).toThrow(LACKS(1, 2));
  check(PERSON, RECORD);
});

it('knows, without the snapshot, whether a site was built with all that is withheld', () => {
  const site = createTestDirectory();
  writeFileSync(
    join(site, 'microfiche.json'),
    '{"format": 1, "snapshot": "", "authorsUrl": "http://unknown.invalid", "catalogUrl": "http://unknown.invalid"}',
  );
  writeWithheldFile(site, protectSnapshot(store, withhold(PERSON, RECORD)).withheld.published);
  const check = (...entries: object[]) => assertBuiltWith(site, withhold(...entries), 'nowhere');
  check();
  check(RECORD);
  expect(() => check(RECORD, FIELDS)).toThrow('was built with another setting of "withhold"');
});

it('writes no ID or name, and nothing by which they could be tried in a site', () => {
  remember(PERSON, RECORD);
  const { key, entries } = JSON.parse(readFileSync(join(store.dir, 'withholding.json'), 'utf8')) as Record<string, string>;
  const published = JSON.stringify(protectSnapshot(store, withhold(PERSON, RECORD)).withheld.published);
  for (const text of [JSON.stringify(entries), published]) expect(text).not.toMatch(/holly|demo-org/i);
  expect(published).not.toContain(key);
});

it('refuses a damaged file, and reports if it cannot write one', () => {
  mkdirSync(join(store.dir, `withholding.json.${process.pid}`));
  expect(remember(RECORD)).toEqual([expect.stringMatching(/^What is withheld could not be remembered in /)]);
  writeFileSync(join(store.dir, 'withholding.json'), '{}');
  expect(() => remember(RECORD)).toThrow(/withholding\.json is damaged/);
});
