/** Creates small snapshots for unit tests. */
import type { Resource } from '../../src/model/resources.ts';
import { createMemorySnapshot, type Store } from '../../src/snapshot/store.ts';
import { openWriter } from '../../src/snapshot/write.ts';

/** Returns a snapshot with the given bodies. A body may have a different ID than its resource. */
export function createSnapshotOf(bodies: Array<[resource: Resource, body: unknown]>): Store {
  const store = createMemorySnapshot('nowhere');
  addBodies(store, bodies);
  return store;
}

/** Adds bodies to a snapshot, as a harvest does. */
export function addBodies(store: Store, bodies: Array<[resource: Resource, body: unknown]>): void {
  const writer = openWriter(store, () => '2026-01-01T00:00:00.000Z');
  writer.enqueue(
    bodies.map(([resource]) => resource),
    undefined,
  );
  writer.commitOutcomes(
    bodies.map(([resource, body]) => ({
      resource,
      attempts: 1,
      received: {
        url: 'http://x',
        fetchedAt: '2026-01-01T00:00:00.000Z',
        status: 200,
        headers: {},
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        redirects: [],
        exchanges: [],
      },
      discovered: [],
    })),
  );
  writer.finish({ complete: true });
}
