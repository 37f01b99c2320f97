/** Harvests a served snapshot: the result equals the snapshot, and a harvest of the result has the same bytes. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, it } from 'vitest';
import { loadSample } from '../../scripts/sample/load-sample.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { rewriteLinks } from '../../src/model/rewrite-links.ts';
import { readBytes } from '../../src/snapshot/rows.ts';
import { createTestDirectory, runMicroficheJson, SAMPLE, startServe, upstreamOptions } from '../support/commands.ts';

interface Bodies {
  authors: string;
  catalog: string;
  bodies: Map<string, string>;
}

/** Returns every body of a database by its key. List pages are optional: the server decides where they end. */
function readBodies(db: DatabaseSync, lists: boolean): Bodies {
  const kinds = lists ? '' : `WHERE r.kind NOT IN ('authors', 'children', 'files')`;
  const rows = db
    .prepare(`SELECT r.key, p.body FROM resource r JOIN response p ON p.id = r.response ${kinds} ORDER BY r.key`)
    .all();
  const base = (key: string) => String(db.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value']);
  return {
    authors: base('authors_url'),
    catalog: base('catalog_url'),
    bodies: new Map(rows.map((row) => [String(row['key']), Buffer.from(readBytes(row, 'body')).toString()])),
  };
}

function snapshotBodies(dir: string, lists: boolean): Bodies {
  const db = new DatabaseSync(join(dir, 'snapshot.sqlite'), { readOnly: true });
  try {
    return readBodies(db, lists);
  } finally {
    db.close();
  }
}

/** Asserts that both have the same keys and, once their links have the same base URL, the same bytes. */
function expectEqual(a: Bodies, b: Bodies): void {
  const neutral = ({ authors, catalog, bodies }: Bodies) =>
    Object.fromEntries(
      [...bodies].map(([key, body]) => [key, rewriteLinks(body, { authors, catalog }, 'http://neutral.invalid')]),
    );
  expect(neutral(a)).toEqual(neutral(b));
}

async function harvestServed(snapshot: string): Promise<{ dir: string; report: HarvestReport }> {
  const server = await startServe(['--snapshot', snapshot]);
  try {
    const dir = join(createTestDirectory(), 'snapshot');
    const report = await runMicroficheJson<HarvestReport>(['harvest', ...upstreamOptions(server.url), '--snapshot', dir]);
    return { dir, report };
  } finally {
    await server.stop();
  }
}

it('harvest(serve(S)) equals S, although upstream repeats entries and changes its totals', () => {
  const sample = loadSample(SAMPLE);
  try {
    expectEqual(snapshotBodies(inject('mirror').snapshot, false), readBodies(sample.db, false));
  } finally {
    sample.close();
  }
});

it('harvest(serve(harvest(serve(S)))) equals harvest(serve(S)), including the bytes of its lists', async () => {
  const first = await harvestServed(inject('mirror').snapshot);
  expectEqual(snapshotBodies(first.dir, false), snapshotBodies(inject('mirror').snapshot, false));
  const second = await harvestServed(first.dir);
  expectEqual(snapshotBodies(second.dir, true), snapshotBodies(first.dir, true));
  expect(second.report.counts).toEqual(inject('mirror').harvest.counts);
  expect(second.report.failures.map(({ key, status }) => [key, status])).toEqual([['object:lica-quay-3', 404]]);
});
