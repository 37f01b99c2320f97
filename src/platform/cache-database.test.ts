import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCacheDatabase } from './cache-database.ts';

it('replaces a database of a cache that is damaged, or that another version has written', () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'known.sqlite');
  const open = (version = 1) => openCacheDatabase(file, version, 'CREATE TABLE known (name TEXT NOT NULL) STRICT');
  const countIn = (db: ReturnType<typeof open>) => {
    const count = db.prepare('SELECT count(*) AS count FROM known').get()?.['count'];
    db.close();
    return count;
  };
  const fill = () => {
    const db = open();
    db.exec(
      'DELETE FROM known; INSERT INTO known SELECT hex(zeroblob(1000)) FROM (VALUES (1), (2), (3)), (VALUES (1), (2), (3))',
    );
    db.close();
  };
  fill();
  expect(countIn(open())).toBe(9);
  expect(countIn(open(2))).toBe(0);
  const damages = [
    (bytes: Buffer) => bytes.subarray(0, 5_000),
    (bytes: Buffer) => bytes.subarray(0, 10),
    (bytes: Buffer) => bytes.fill(7, 0, 100),
    (bytes: Buffer) => bytes.fill(7, 8_192, 8_300),
  ];
  for (const damage of damages) {
    fill();
    writeFileSync(file, damage(readFileSync(file)));
    expect(countIn(open())).toBe(0);
  }
});
