import { expect, it } from 'vitest';
import { createSnapshotOf } from '../../tests/support/memory-snapshot.ts';
import { readFilesElsewhere } from './files-elsewhere.ts';

it('counts the files on each host from which nothing was downloaded, of the kinds that were to be downloaded, one video per record', () => {
  const store = createSnapshotOf([]);
  store.db.exec(`INSERT INTO meta VALUES ('authors_url', 'https://guide.example'), ('catalog_url', 'https://archive.example'), ('media_kinds', 'thumb image video audio');
    INSERT INTO media (url, owner, kind, state, fetched_at) VALUES ('https://cdn.example/1.jpg', 'demo-org-1-1', 'image', 'failed', '');
    INSERT INTO usage VALUES ('demo-org-1-1', 'https://archive.example/1.jpg', 'image'), ('demo-org-1-1', 'https://cdn.example/2.jpg', 'image'),
      ('demo-org-1-1', 'https://films.example/1.mp4', 'video'), ('demo-org-1-2', 'https://films.example/1.mp4', 'video'),
      ('demo-org-1-2', 'https://films.example/2.mp4', 'video'), ('demo-org-1-3', 'https://films.example/2.mp4', 'video'), ('demo-org-1-2', 'https://sounds.example:8080/1.mp3', 'audio'),
      ('demo-org-1-2', 'https://films.example/1.tif', 'original'), ('demo-org-1-2', 'http://media:8000/1.jpg', 'thumb'), ('demo-org-1-2', 'no URL', 'image')`);
  expect(readFilesElsewhere(store)).toEqual([
    { host: 'films.example', count: 2 },
    { host: 'media:8000', count: 1 },
    { host: 'sounds.example:8080', count: 1 },
  ]);
});
