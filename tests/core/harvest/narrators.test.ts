import { expect, it } from 'vitest';
import { readBody } from '../../../src/snapshot/read.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { addRecords, startTestUpstream } from '../../support/test-upstream.ts';

it('fetches the narrators whom records name, and does not report one that upstream does not have', async () => {
  const upstream = await startTestUpstream();
  const creators = [
    { namepart: 'Ada Quill', role: 'narrator', oh_id: 12 },
    { namepart: 'Bram Vane', role: 'narrator', id: 13 },
  ];
  addRecords(upstream, 2, () => ({ creators }));
  const ada = { id: '12', display_name: 'Ada Quill', bio: 'Born at the quay.' };
  upstream.routes.set('/api/0.2/narrator/12/', ada);
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot);
  const body = readSnapshot(snapshot, (store) => readBody(store, 'narrator', 'narrator/12')?.body);
  expect(JSON.parse(Buffer.from(body ?? []).toString())).toEqual(ada);
  expect(upstream.requests.filter((path) => path.includes('narrator')).sort()).toEqual([
    '/api/0.2/narrator/12/',
    '/api/0.2/narrator/13/',
  ]);
  expect(report.failures).toEqual([]);
  upstream.requests.length = 0;
  await harvestInProcess(upstream, snapshot);
  expect(upstream.requests).not.toContain('/api/0.2/narrator/12/');
});
