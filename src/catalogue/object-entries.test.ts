import { expect, it } from 'vitest';
import type { Resource } from '../model/resources.ts';
import { memorySnapshot, type Store } from '../snapshot/store.ts';
import { openWriter } from '../snapshot/write.ts';
import { readObjects } from './object-entries.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const BASES = { authors: 'http://x', catalog: 'http://x' };

/** A snapshot of bodies, each under a name that need not be its own. */
function snapshotOf(bodies: Record<string, unknown>): Store {
  const store = memorySnapshot('nowhere');
  const writer = openWriter(store, () => NOW);
  const resources = Object.keys(bodies).map((name): Resource => ({ kind: 'object', name }));
  writer.enqueue(resources, undefined);
  writer.record(
    resources.map((resource) => ({
      resource,
      attempts: 1,
      received: {
        url: 'http://x',
        fetchedAt: NOW,
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify(bodies[resource.name])),
        redirects: [],
      },
      found: [],
    })),
  );
  writer.finish({ complete: true });
  return store;
}

const shown = (bodies: Record<string, unknown>) =>
  readObjects(snapshotOf(bodies), BASES)
    .shown.map(({ id }) => id)
    .sort();

it('shows what is below a record whose body cannot be read', () => {
  const ids = shown({ 'a-b': ['no record'], 'a-b-1': { id: 'a-b-1' }, 'a-b-1-1': { id: 'a-b-1-1' } });
  expect(ids).toEqual(['a-b-1', 'a-b-1-1']);
});

it('takes nobody’s word for another record', () => {
  const bodies = {
    'a-b-1': { id: 'a-b-1', public: '0' },
    'a-b-1-1': { id: 'a-b-1-1' },
    'a-b-9': { id: 'a-b-1', public: '1' },
  };
  expect(shown(bodies)).toEqual([]);
});
