/** Changes titles of generated records in a snapshot, with the code with which a harvest stores changed responses. */
import { parseBody, readBody } from '../../src/snapshot/read.ts';
import { createSnapshot } from '../../src/snapshot/store.ts';
import { openWriter } from '../../src/snapshot/write.ts';
import { itemId } from './generate-snapshot.ts';
import type { Json } from './records.ts';

const CHANGED = 10;

/**
 * Gives ten records, which are distributed over the snapshot of `count` items, another title and date of change, in a run of
 * their own. `run` is in the title and the date, so that each call changes the same records again.
 */
export function changeTenTitles(snapshot: string, count: number, run: number): void {
  using store = createSnapshot(snapshot);
  const changedAt = new Date(Date.UTC(2026, 1, 1 + run, 9)).toISOString();
  const writer = openWriter(store, () => changedAt, { start: 'restart' });
  const outcomes = Array.from({ length: CHANGED }, (_, n) => {
    const name = itemId(Math.floor(((n + 0.5) * count) / CHANGED));
    const stored = readBody(store, 'object', name);
    if (!stored) throw new Error(`The snapshot has no record ${name}`);
    const record = parseBody(stored) as Json;
    const title = String(record['title']).replace(/^(?:Changed \d+: )?/, `Changed ${run}: `);
    const body = Buffer.from(JSON.stringify({ ...record, title, record_lastmod: changedAt.slice(0, 19) }));
    return {
      resource: { kind: 'object' as const, name },
      attempts: 1,
      model: String(record['model']),
      discovered: [],
      received: { url: stored.url, fetchedAt: changedAt, status: 200, headers: {}, body, redirects: [], exchanges: [] },
    };
  });
  writer.enqueue(
    outcomes.map(({ resource }) => resource),
    undefined,
  );
  writer.commitOutcomes(outcomes);
  writer.finish({ complete: true });
}
