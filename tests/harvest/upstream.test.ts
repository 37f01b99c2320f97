/** A snapshot belongs to one upstream, and an empty upstream is an error. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { basesOf } from '../../src/snapshot/read.ts';
import { microfiche, temporary } from '../support.ts';
import { fill, record, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, harvestHere, look } from './here.ts';

const run = (bases: { authors: string; catalog: string }, snapshot: string, ...more: string[]) =>
  microfiche(['harvest', '--authors-url', bases.authors, '--catalog-url', bases.catalog, '--snapshot', snapshot, ...more]);
const both = (url: string) => ({ authors: url, catalog: url });

async function startTwoArchives(): Promise<[Upstream, Upstream]> {
  const [one, other] = [await startUpstream(), await startUpstream()];
  fill(one, 2);
  other.answers.set('/api/0.2/demo-org-9/', record(other, 'demo-org-9', { model: 'collection' }));
  return [one, other];
}

it('D31: refuses to harvest another archive into a snapshot, in one line, and changes nothing', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = aSnapshot();
  await harvestHere(one, snapshot);
  for (const bases of [both(other.url), { authors: one.url, catalog: other.url }, { authors: other.url, catalog: one.url }]) {
    for (const more of [[], ['--retry-failed']]) {
      const { code, stdout, stderr } = await run(bases, snapshot, '--root', 'demo-org-9', ...more);
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
      expect(stderr).toMatch(/contains the archive at http:\/\/127\.0\.0\.1:\d+.*--snapshot.*--new-upstream/);
    }
  }
  expect(other.asked).toEqual([]);
  expect(look(snapshot, basesOf)).toEqual(both(one.url));
});

it('D31: --new-upstream confirms that the archive has moved, and is needed once', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = aSnapshot();
  await harvestHere(one, snapshot);
  fill(other, 2);
  const moved = await run(both(other.url), snapshot, '--root', 'demo-org-1', '--new-upstream');
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  expect(look(snapshot, basesOf)).toEqual(both(other.url));
  expect((await run(both(other.url), snapshot, '--root', 'demo-org-1')).code).toBe(0);
  expect((await run(both(one.url), snapshot)).code).toBe(1);
});

it('D31: treats another scheme or a trailing slash as the same upstream', async () => {
  const [one] = await startTwoArchives();
  const snapshot = aSnapshot();
  await harvestHere(one, snapshot);
  expect((await run(both(`${one.url}/`), snapshot)).code).toBe(0);
  // Nothing serves HTTPS there, so the harvest fails; but it was not refused.
  expect((await run(both(one.url.replace('http:', 'https:')), snapshot)).stderr).not.toContain('contains the archive at');
});

it('D31: accepts the sample archive from any port into its snapshot, and never a real archive', async () => {
  const [one, other] = await startTwoArchives();
  const snapshot = aSnapshot();
  const meta = { sample: 'The sample' };
  await harvestHere(one, snapshot, { meta });
  fill(other, 2);
  expect((await harvestHere(other, snapshot, { meta })).counts).toEqual({ collection: 1, entity: 2 });
  for (const more of [[], ['--new-upstream']]) {
    const { code, stderr } = await run(both(one.url), snapshot, ...more);
    expect([code, stderr]).toEqual([1, expect.stringContaining('contains the sample archive')]);
  }
});

it('D31: mirror has a snapshot directory of its own for the sample archive', async () => {
  const { stdout } = await microfiche(['mirror', '--help']);
  expect(stdout).toMatch(/--snapshot <dir>.*content\/sample-snapshot/s);
});

it('D41: fails if the authors list is empty, and creates no snapshot', async () => {
  const up = await startUpstream();
  const snapshot = join(temporary(), 's');
  const { code, stdout, stderr } = await run(both(up.url), snapshot);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  expect(stderr).toMatch(/authors list .* is empty.*Check --authors-url.*--root/);
  expect(existsSync(snapshot)).toBe(false);
});

it('D41: fails if a list with a total returns no entries', async () => {
  const up = await startUpstream();
  up.answers.set('/api/3.0/authors/', { total: 3, objects: [], next_offset: null });
  const { code, stderr } = await run(both(up.url), join(temporary(), 's'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/Nothing was harvested.*Check --authors-url and --catalog-url/)]);
});

it('D41: updates a snapshot that contains records, even if the authors list is empty now', async () => {
  const up = await startUpstream();
  fill(up, 2);
  const snapshot = aSnapshot();
  await harvestHere(up, snapshot);
  expect((await run(both(up.url), snapshot)).code).toBe(0);
});
