/** Addresses of media files in the forms that browsers read, and those of files that cannot be downloaded. */
import { expect, it } from 'vitest';
import { mediaLines } from '../../../scripts/commands/media.ts';
import { createReport } from '../../../src/media/media-report.ts';
import { createHarvestedSnapshot, createImage, runMedia } from '../../support/file-server.ts';
import { respondWith, startTestUpstream } from '../../support/test-upstream.ts';

it('downloads files from addresses in all forms that browsers read, and requests no directory', async () => {
  const upstream = await startTestUpstream();
  const { host } = new URL(upstream.url);
  const addresses = {
    '/media/': `${upstream.url}/media/`,
    '/media/demo-org-1/': '/media/demo-org-1/',
    '/media/a.jpg': '/media/a.jpg',
    '/media/b.jpg': `//${host}/media/b.jpg`,
    '/media/c.jpg': `HTTP://${host}/media/c.jpg`,
    '/media/two%20words.jpg': `${upstream.url}/media/two words.jpg`,
    '/media/%E5%86%99%E7%9C%9F.jpg': `${upstream.url}/media/写真.jpg`,
  };
  let width = 20;
  for (const path of Object.keys(addresses))
    upstream.routes.set(path, respondWith(200, { 'content-type': 'image/jpeg' }, await createImage(width++)));
  const records = Object.values(addresses).map((img, n) => ({
    id: `demo-org-1-${n + 1}`,
    model: 'entity',
    title: `No. ${n + 1}`,
    links: { img },
  }));
  const snapshot = await createHarvestedSnapshot(upstream, records);
  upstream.requests.length = 0;
  expect(await runMedia(snapshot)).toMatchObject({ wanted: 5, fetched: 5, distinctFiles: 5, failures: [] });
  expect(upstream.requests.sort()).toEqual(Object.keys(addresses).slice(2).sort());
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 0, alreadyStored: 5 });
});

it('skips the files of a host that demands a delay of a day, in one line', async () => {
  const upstream = await startTestUpstream();
  const records = Array.from({ length: 9 }, (_, n) => {
    upstream.routes.set(`/${n}.jpg`, respondWith(429, { 'retry-after': 86_400 }));
    return { id: `demo-org-1-${n + 1}`, model: 'entity', title: 'Quay', links: { img: `${upstream.url}/${n}.jpg` } };
  });
  const snapshot = await createHarvestedSnapshot(upstream, records);
  upstream.requests.length = 0;
  const report = await runMedia(snapshot);
  expect(report).toMatchObject({ fetched: 0, failures: [], unreachable: [{ count: 9, resumeAt: expect.any(String) }] });
  expect(upstream.requests.length).toBeLessThanOrEqual(4);
  expect(mediaLines(report)[1]).toMatch(/^Skipped: 9 files, because \S+ asks us to wait until .* UTC \(HTTP 429\)\.$/);
});

it('advises to allow a host only if it can be reached from outside', () => {
  const known = { wanted: 3, alreadyStored: 0, overBudget: 0, streamOnly: 0 };
  const linesOf = (host: string) => mediaLines(createReport({ ...known, elsewhere: [{ host, count: 3 }] })).slice(1);
  expect(linesOf('files.example.org')).toEqual([
    'Skipped: 3 files on files.example.org, which is not an allowed host (microfiche media --allow-host files.example.org downloads them).',
  ]);
  for (const host of ['media.local', 'media:8080', 'files.archive.internal', 'nas.localdomain', '10.0.4.2'])
    expect(linesOf(host)).toEqual([`Skipped: 3 files on ${host}, which only the archive’s own network reaches.`]);
});
