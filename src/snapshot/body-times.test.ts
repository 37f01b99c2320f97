import { expect, it } from 'vitest';
import { createSnapshotOf } from '../../tests/support/memory-snapshot.ts';
import { readBodyTimes } from './body-times.ts';

it('replaces a time in the future, which comes from a wrong clock, by that of the last confirmation', () => {
  const store = createSnapshotOf([
    [
      { kind: 'object', name: 'demo-org-1' },
      { id: 'demo-org-1', model: 'collection' },
    ],
  ]);
  store.db.exec("UPDATE response SET fetched_at = '2090-01-01T00:00:00.000Z'");
  expect([...readBodyTimes(store)].map(({ fetchedAt }) => fetchedAt)).toEqual(['2026-01-01T00:00:00.000Z']);
});
