/** `harvest --collection`: the collections, everything below them, their ancestors, and nothing else. */
import { expect, it } from 'vitest';
import { failures, namesOf } from '../../src/snapshot/read.ts';
import { microfiche, upstreamAt } from '../support.ts';
import { record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, harvestHere, look } from './here.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listed = (...ids: string[]) => ({ total: ids.length, next_offset: null, objects: ids.map((id) => ({ id })) });

/** Three collections of three items each, below an organization; an author's text links to the second. */
async function startArchive(): Promise<Upstream> {
  const up = await startUpstream();
  up.answers.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  up.answers.set('/api/3.0/authors/Ada/', { id: 'Ada', body: `<a href="${up.url}${path('demo-org-2-1')}">x</a>` });
  const children = (id: string) => ({ children: `${up.url}${path(id)}children/` });
  up.answers.set(path('demo-org'), record(up, 'demo-org', { model: 'organization', links: children('demo-org') }));
  up.answers.set(`${path('demo-org')}children/`, listed('demo-org-1', 'demo-org-2', 'demo-org-10'));
  for (const id of ['demo-org-1', 'demo-org-2', 'demo-org-10']) {
    up.answers.set(path(id), record(up, id, { model: 'collection', parent_id: 'demo-org', links: children(id) }));
    const below = [1, 2, 3].map((n) => `${id}-${n}`);
    up.answers.set(`${path(id)}children/`, listed(...below));
    for (const child of below) up.answers.set(path(child), record(up, child, { model: 'entity', parent_id: id }));
  }
  return up;
}

it('harvests the collections, everything below them, and their ancestors', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  const report = await harvestHere(up, snapshot, { roots: [], collections: ['demo-org-1'] });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 3, organization: 1 }, []]);
  expect(look(snapshot, (store) => namesOf(store, 'object'))).toEqual([
    'demo-org',
    'demo-org-1',
    'demo-org-1-1',
    'demo-org-1-2',
    'demo-org-1-3',
  ]);
  expect(up.asked.filter((url) => /demo-org\/children|authors\/Ada|demo-org-(?:2|10)/.test(url))).toEqual([]);
});

it('requests, removes and deletes nothing outside the collections', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  up.answers.set(path('demo-org-2-3'), sends(500));
  await harvestHere(up, snapshot, { limits: { attempts: 1 } });
  const before = look(snapshot, failures);
  expect(before.map(({ key }) => key)).toEqual(['object:demo-org-2-3']);
  up.asked.length = 0;
  for (const id of ['demo-org-2', 'demo-org-2-1', 'demo-org-2-2', 'demo-org-1-2']) up.answers.set(path(id), sends(404));
  for (let run = 1; run <= 3; run++) {
    const limited = await harvestHere(up, snapshot, { roots: [], collections: ['demo-org-1'], goneLimit: 0.3 });
    expect(limited.gone).toEqual(run === 2 ? ['object:demo-org-1-2'] : []);
    expect(limited.counts).toEqual({ author: 1, collection: 3, entity: 8, organization: 1 });
  }
  expect(up.asked.filter((url) => url.includes('demo-org-2'))).toEqual([]);
  expect(look(snapshot, failures)).toEqual(before);
});

it('applies the removal safeguard to the share of known records inside the collections', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  await harvestHere(up, snapshot);
  for (const id of ['demo-org-1-1', 'demo-org-1-2']) up.answers.set(path(id), sends(404));
  const report = await harvestHere(up, snapshot, { roots: [], collections: ['demo-org-1'], goneLimit: 0.3 });
  expect(report.doubt).toEqual({ unseen: 2, known: 5 });
});

it('resumes an interrupted harvest, and limits --retry-failed to the same collections', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  await harvestHere(up, snapshot);
  const stop = new AbortController();
  const stopped = await harvestHere(up, snapshot, {
    roots: [],
    collections: ['demo-org-1'],
    full: true,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(stopped.complete).toBe(false);
  up.asked.length = 0;
  const good = up.answers.get(path('demo-org-1-3'));
  up.answers.set(path('demo-org-1-3'), sends(500));
  const last = await harvestHere(up, snapshot, { roots: [], collections: ['demo-org-1'], limits: { attempts: 1 } });
  expect([last.complete, last.failures.length]).toEqual([true, 1]);
  up.answers.set(path('demo-org-1-3'), good);
  const retried = await harvestHere(up, snapshot, { roots: [], retryFailed: true });
  expect([retried.failures, retried.fetched]).toEqual([[], 1]);
  expect(up.asked.filter((url) => /demo-org-(?:2|10)|Ada/.test(url))).toEqual([]);
});

it('refuses to limit an interrupted harvest of the entire archive', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  const stop = new AbortController();
  await harvestHere(up, snapshot, { signal: stop.signal, onProgress: () => stop.abort() });
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', snapshot];
  const { code, stderr } = await microfiche([...args, '--collection', 'demo-org-1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('run the same command without --collection')]);
  expect((await harvestHere(up, snapshot)).counts).toEqual({ author: 1, collection: 3, entity: 9, organization: 1 });
});

it('allows to follow an interrupted limited harvest with one of the entire archive', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  const stop = new AbortController();
  await harvestHere(up, snapshot, {
    roots: [],
    collections: ['demo-org-1'],
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect((await harvestHere(up, snapshot)).counts).toEqual({ author: 1, collection: 3, entity: 9, organization: 1 });
});

it('reports a collection that does not exist; a seed record outside the collections is a usage error', async () => {
  const up = await startArchive();
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot()];
  const absent = await microfiche([...args, '--collection', 'demo-org-77']);
  expect(absent.stdout).toContain('object:demo-org-77');
  const outside = await microfiche([...args, '--collection', 'demo-org-1', '--root', 'demo-org-2-1']);
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('demo-org-2-1 is not below')]);
});
