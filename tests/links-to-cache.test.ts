/** A site has links to files in the cache, so that it takes its space once. They are made again only if they change, and edits do not stay. */
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, it } from 'vitest';
import type { BuildReport } from '../src/pipeline/build-report.ts';
import { changeSnapshot, rewriteBody } from './change-snapshot.ts';
import { createCache } from './shared-sites.ts';
import { createSharedDirectory, readFiles, runMicroficheJson } from './support.ts';

const folder = createSharedDirectory();
const [snapshot, dist, cache] = [join(folder.path, 'snapshot'), join(folder.path, 'dist'), join(folder.path, 'cache')];
const build = (out: string, options: string[], cacheRoot = cache) =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, '--compact', ...options], {
    env: { MICROFICHE_CACHE: cacheRoot },
  });
const manifest = () => readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8');
const inodes = (directory: string) =>
  new Map(readdirSync(join(dist, directory)).map((name) => [name, statSync(join(dist, directory, name)).ino]));

beforeAll(async () => {
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  createCache(cache);
  await build(dist, []);
  return folder.remove;
}, 180_000);

it('has links to packs, pages and the search index', () => {
  const files = readdirSync(join(dist, 'packs')).filter((name) => name.endsWith('.js') && name !== 'engine.js');
  expect(files.length).toBeGreaterThan(1);
  for (const path of [...files.map((name) => `packs/${name}`), 'index.html', 'page.html', 'pages/directory.js'])
    expect(statSync(join(dist, path)).nlink, path).toBeGreaterThan(1);
});

it('packs again only the pages that changed, and has the same bytes as a clean build', async () => {
  const [pages, thumbs] = [inodes('pages'), inodes('thumbs')];
  expect(pages.size).toBeGreaterThan(3); // several packs and their directory
  changeSnapshot(snapshot, (db) =>
    rewriteBody(db, 'object:lica-quay-1-1', (payload) => ({ ...payload, description: 'Another description' })),
  );
  const report = await build(dist, []);
  expect(report.rebuilt.records).toMatchObject({ changed: 1 });
  const kept = [...inodes('pages')].filter(([name, inode]) => pages.get(name) === inode);
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThan(pages.size);
  expect(inodes('thumbs')).toEqual(thumbs);
  const [clean, otherCache] = [join(folder.path, 'clean'), join(folder.path, 'other-cache')];
  createCache(otherCache);
  await build(clean, [], otherCache);
  expect([...readFiles(dist)].sort()).toEqual([...readFiles(clean)].sort());
}, 240_000);

it.each(['.', 'pages', 'packs'])(
  'repairs a link in the directory %s after it was edited',
  async (directory) => {
    rmSync(dist, { recursive: true });
    await build(dist, []);
    const before = manifest();
    const names = readdirSync(join(dist, directory)).filter((name) => /\.(?:html|js)$/.test(name));
    const path = names.map((name) => join(dist, directory, name)).find((file) => statSync(file).nlink > 1) as string;
    const content = readFileSync(path, 'utf8');
    appendFileSync(path, 'edited');
    await build(dist, []);
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(manifest()).toBe(before);
  },
  240_000,
);
