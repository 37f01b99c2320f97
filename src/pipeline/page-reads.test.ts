import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openPageReads, toReads } from './page-reads.ts';

it('finds the pages that have read something that changed', () => {
  const db = new DatabaseSync(':memory:');
  const reads = openPageReads(db);
  reads.set('a.html', toReads(new Set(['entry a', 'listed b'])));
  reads.set('b.html', toReads(new Set(['entry b'])));
  reads.set('none.html', toReads(new Set()));
  expect(reads.findConcerned(new Set(['listed b', 'listed c']))).toEqual(new Set(['a.html']));
  expect(reads.findConcerned(new Set(['entry b', 'entry a']))).toEqual(new Set(['a.html', 'b.html']));
  expect(reads.findConcerned(new Set())).toEqual(new Set());
  reads.set('a.html', toReads(new Set(['entry c'])));
  reads.delete('b.html');
  expect(openPageReads(db).findConcerned(new Set(['entry b', 'entry a', 'entry c']))).toEqual(new Set(['a.html']));
  db.close();
});

it('takes 100,000 pages in a moment', () => {
  const db = new DatabaseSync(':memory:');
  const reads = openPageReads(db);
  db.exec('BEGIN');
  for (let page = 0; page < 100_000; page++)
    reads.set(
      `${page}.html`,
      Uint32Array.from({ length: 60 }, (_, i) => (page * 7919 + i * 104_729) >>> 0),
    );
  db.exec('COMMIT');
  const before = process.threadCpuUsage();
  const concerned = reads.findConcerned(new Set(Array.from({ length: 100 }, (_, n) => `entry ${n}`)));
  const { user, system } = process.threadCpuUsage(before);
  expect(concerned.size).toBeLessThan(10);
  expect(user + system).toBeLessThan(2_000_000); // microseconds
  db.close();
});
