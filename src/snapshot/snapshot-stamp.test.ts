import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { snapshotStamp } from './snapshot-stamp.ts';
import { createMemorySnapshot, createSnapshot, openSnapshot } from './store.ts';

it('differs after the snapshot was written, and is not certain while it may be written', () => {
  const dir = createTestDirectory();
  createSnapshot(dir).close();
  const later = Date.now() + 60_000;
  const stampOf = (now: number) => {
    const store = openSnapshot(dir);
    const stamp = snapshotStamp(store, now);
    store.close();
    return stamp;
  };
  const first = stampOf(later);
  expect(first).toBeDefined();
  expect(stampOf(later)).toBe(first);
  expect(stampOf(statSync(join(dir, 'snapshot.sqlite')).mtimeMs)).toBeUndefined();
  const writer = createSnapshot(dir);
  writer.db.exec("INSERT INTO meta (key, value) VALUES ('a', 'b')");
  expect(stampOf(later)).toBeUndefined();
  writer.close();
  expect(stampOf(later)).not.toBe(first);
  const store = openSnapshot(dir);
  writeFileSync(join(dir, 'snapshot.sqlite-journal'), 'a transaction that was not completed');
  expect(snapshotStamp(store, later)).toBeUndefined();
  store.close();
  expect(snapshotStamp(createMemorySnapshot('nowhere'), later)).toBeUndefined();
});
