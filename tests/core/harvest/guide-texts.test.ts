/** The links in the texts of guide pages. */
import { expect, it } from 'vitest';
import { planFiles } from '../../../src/media/plan-files.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot, readStoredBody } from '../../support/harvest-in-process.ts';
import { createRecord, startTestUpstream } from '../../support/test-upstream.ts';

it('follows the links in every field of a guide page that has HTML, and finds the images of its sources', async () => {
  const upstream = await startTestUpstream();
  const { routes, url } = upstream;
  const fields = ['body', 'moreinfo', 'footnotes', 'reviews', 'related', 'findatia', 'timeline'];
  const article = { title: 'Quay', json: `${url}/api/3.0/articles/Quay/` };
  routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada Quill' }], next_offset: null });
  routes.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', articles: [article] });
  routes.set('/api/3.0/articles/Quay/', {
    ...{ id: 'Quay', title: 'Quay', sources: [{ id: 's-1-2-3' }] },
    ...Object.fromEntries(fields.map((field, n) => [field, `<p><a href="${url}/demo-org-2-${n + 1}/">a record</a></p>`])),
  });
  routes.set('/api/3.0/sources/s-1-2-3/', {
    id: 's-1-2-3',
    links: { img: `${url}/media/s/quay.jpg` },
    streaming_url: 'streams/quay.mp4',
  });
  const ids = fields.map((_, n) => `demo-org-2-${n + 1}`);
  for (const id of ids) routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, { model: 'entity' }));
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot, { seeds: [] });
  expect(ids.filter((id) => readStoredBody(snapshot, id) === undefined)).toEqual([]);
  const { wanted } = readSnapshot(snapshot, (store) =>
    planFiles(store, { kinds: new Set(['image', 'video']), video: 'mp4', collections: undefined }),
  );
  expect(wanted.map(({ owner, kind, url: file, basePath }) => [owner, kind, file, basePath])).toEqual([
    ['s-1-2-3', 'image', `${url}/media/s/quay.jpg`, 'media/s-1-2/s-1-2-3.image'],
  ]);
});
