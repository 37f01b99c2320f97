import { expect, it } from 'vitest';
import { selectFitting } from './sync-site.ts';

const KILOBYTE = 1024;
const file = (path: string, size: number) => ({ path, size, sha256: '0'.repeat(64) });
const PAGES = Array.from({ length: 1000 }, (_, n) => file(`objects/${n}.html`, 8 * KILOBYTE));
const IMAGES = Array.from({ length: 100 }, (_, n) => file(`media/${n}.jpg`, 100 * KILOBYTE));

it.each([
  // 8,000 KB of pages, their lists and directories, and 100 or, in whole clusters, 112 or 128 KB for each image
  { cluster: 4 * KILOBYTE, images: 37 },
  // Each page takes twice its bytes.
  { cluster: 16 * KILOBYTE, bytes: 20_000 * KILOBYTE, images: 32 },
  { cluster: 128 * KILOBYTE, bytes: 130_000 * KILOBYTE, images: 10 },
])('counts in clusters of $cluster bytes', ({ cluster, bytes = 12_100 * KILOBYTE, images }) => {
  const selected = selectFitting(bytes)([...PAGES, ...IMAGES], cluster);
  expect(selected.length).toBe(PAGES.length + images);
});

it('does not take pages for fitting that only fit without clusters', () => {
  expect(() => selectFitting(9000 * KILOBYTE)(PAGES, 32 * KILOBYTE)).toThrow('The pages and the search index do not fit into');
  expect(selectFitting(9000 * KILOBYTE)(PAGES, 4 * KILOBYTE)).toHaveLength(PAGES.length);
});
