/** The migrations are what every snapshot was made with: they stay as they are, and lead to one schema. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrationsFrom, SCHEMA_VERSION } from './schema.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** What `sha256sum *.sql` says, as it is committed beside the files. */
const released = new Map(
  readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [sha256 = '', name = ''] = line.split('  ');
      return [name, sha256] as const;
    }),
);

/** Why the files are not the released ones; undefined if they are. */
function problemOf(files: ReadonlyMap<string, string>): string | undefined {
  for (const [name, sha256] of released) {
    if (files.get(name) !== sha256)
      return `${name} was released and never changes again, since snapshots were made with it. Undo the change, and put it into a new file with the next number.`;
  }
  const unlisted = [...files.keys()].find((name) => !released.has(name));
  return unlisted === undefined
    ? undefined
    : `${unlisted} is not in SHA256SUMS: add its line (sha256sum ${unlisted} >> SHA256SUMS), raise SCHEMA_VERSION, and commit a snapshot of the version before to tests/versions.`;
}

const files = new Map(
  readdirSync(FOLDER)
    .filter((name) => name !== 'SHA256SUMS')
    .map((name) => [name, hash('sha256', readFileSync(join(FOLDER, name)))]),
);

it('keeps every released migration as it is', () => {
  expect(problemOf(files)).toBeUndefined();
});

it('says what to do where a released migration is changed or lost, or a new one is not listed', () => {
  const [first = ''] = released.keys();
  expect(problemOf(new Map([...files, [first, 'changed']]))).toContain('put it into a new file with the next number');
  expect(problemOf(new Map([...files].filter(([name]) => name !== first)))).toContain(`${first} was released`);
  expect(problemOf(new Map([...files, ['9999-new.sql', 'new']]))).toContain('9999-new.sql is not in SHA256SUMS');
});

it('numbers the migrations from 1 to the schema’s version, without gaps', () => {
  const numbers = [...released.keys()].map((name) => Number(/^(\d{4})-[a-z-]+\.sql$/.exec(name)?.[1]));
  expect(numbers).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, n) => n + 1));
  expect(migrationsFrom(0).map(({ to }) => to)).toEqual(numbers);
  expect(migrationsFrom(SCHEMA_VERSION)).toEqual([]);
});
