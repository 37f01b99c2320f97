/** Tests that released migrations never change and that their numbers have no gaps. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrationsFrom, SCHEMA_VERSION } from './schema.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const CHECKSUM_FILE = 'SHA256SUMS'; // prose-ok: name of the file

/** The SHA-256 of each released migration by its name. The file has the format of `sha256sum *.sql`. */
const released = new Map(
  readFileSync(join(FOLDER, CHECKSUM_FILE), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [sha256 = '', name = ''] = line.split('  ');
      return [name, sha256] as const;
    }),
);

/** Returns how the files differ from the released ones; undefined if they do not. */
function problemOf(files: ReadonlyMap<string, string>): string | undefined {
  for (const [name, sha256] of released) {
    if (files.get(name) !== sha256)
      return `${name} was released and must not change, since snapshots were made with it. Undo the change, and put it into a new file with the next number.`;
  }
  const unlisted = [...files.keys()].find((name) => !released.has(name));
  return unlisted === undefined
    ? undefined
    : `${unlisted} is not in ${CHECKSUM_FILE}. Add its line (sha256sum ${unlisted} >> ${CHECKSUM_FILE}), increment SCHEMA_VERSION, and commit a snapshot of the previous version to tests/versions.`;
}

const files = new Map(
  readdirSync(FOLDER)
    .filter((name) => name !== CHECKSUM_FILE)
    .map((name) => [name, hash('sha256', readFileSync(join(FOLDER, name)))]),
);

it('has every released migration unchanged', () => {
  expect(problemOf(files)).toBeUndefined();
});

it('says what to do if a released migration is changed or missing, or a new one is not listed', () => {
  const [first = ''] = released.keys();
  expect(problemOf(new Map([...files, [first, 'changed']]))).toContain('put it into a new file with the next number');
  expect(problemOf(new Map([...files].filter(([name]) => name !== first)))).toContain(`${first} was released`);
  expect(problemOf(new Map([...files, ['9999-new.sql', 'new']]))).toContain(`9999-new.sql is not in ${CHECKSUM_FILE}`);
});

it('numbers the migrations from 1 to the format version, without gaps', () => {
  const numbers = [...released.keys()].map((name) => Number(/^(\d{4})-[a-z-]+\.sql$/.exec(name)?.[1]));
  expect(numbers).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, n) => n + 1));
  expect(migrationsFrom(0).map(({ to }) => to)).toEqual(numbers);
  expect(migrationsFrom(SCHEMA_VERSION)).toEqual([]);
});
