/** A site links to cached files, so that they take space once. They are remade only if they change, and edits do not stay. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createSharedDirectory, LONG, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';
import { INDEX, readStart } from '../support/search-index.ts';
import { createCache } from '../support/shared-sites.ts';

const folder = createSharedDirectory();
const [snapshot, dist, cache] = [join(folder.path, 'snapshot'), join(folder.path, 'dist'), join(folder.path, 'cache')];
const build = () =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, '--compact'], {
    env: { MICROFICHE_CACHE: cache },
  });
const manifest = () => readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8');
const inodes = (directory: string) =>
  new Map(readdirSync(join(dist, directory)).map((name) => [name, statSync(join(dist, directory, name)).ino]));

beforeAll(async () => {
  cpSync(inject('mirror').small, snapshot, { recursive: true });
  createCache(cache);
  await build();
  return folder.remove;
});

/** The directory with the words of the search index has another name if these change. */
const WORDS = `${INDEX}/*`;
const inSite = (directory: string) => directory.replace('*', () => readStart(readFiles(dist)).indexes[0]?.directory as string);

it('has links to packs, pages and the search index', () => {
  const files = readdirSync(join(dist, inSite(WORDS)));
  expect(files.length).toBeGreaterThan(3);
  for (const path of [
    ...files.map((name) => join(inSite(WORDS), name)),
    ...[`${INDEX}/start.js`, 'index.html', 'page.html', 'pages/directory.js'],
  ])
    expect(statSync(join(dist, path)).nlink, path).toBeGreaterThan(1);
});

it('packs again only the pages that changed', async () => {
  const [pages, thumbs] = [inodes('pages'), inodes('thumbs')];
  expect(pages.size).toBeGreaterThan(2); // several packs and their directory
  changeSnapshot(snapshot, (db) =>
    rewriteBody(db, 'object:lica-quay-1-1', (payload) => ({ ...payload, description: 'Another description' })),
  );
  const report = await build();
  expect(report.rebuilt.records).toMatchObject({ changed: 1 });
  const kept = [...inodes('pages')].filter(([name, inode]) => pages.get(name) === inode);
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThan(pages.size);
  expect(inodes('thumbs')).toEqual(thumbs);
});

/** Edits a file before the next command starts. File times are precise to milliseconds, and no process has to start here. */
async function edit(path: string): Promise<void> {
  appendFileSync(path, 'edited');
  await setTimeout(50);
}

/** Returns the path of a link in a directory of the site, which is built again. */
async function createLink(name: string): Promise<string> {
  rmSync(dist, { recursive: true, force: true });
  await build();
  const directory = join(dist, inSite(name));
  const files = readdirSync(directory).filter((file) => /\.(?:html|js)$/.test(file));
  return files.map((file) => join(directory, file)).find((file) => statSync(file).nlink > 1) as string;
}

it.each(['.', 'pages', INDEX, WORDS])(
  'repairs a link in the directory %s after it was edited, and after it was deleted, too',
  async (directory) => {
    for (const destroy of [() => undefined, () => rmSync(dist, { recursive: true })]) {
      const path = await createLink(directory);
      const [before, content] = [manifest(), readFileSync(path, 'utf8')];
      await edit(path);
      destroy();
      await build();
      expect(readFileSync(path, 'utf8')).toBe(content);
      expect(manifest()).toBe(before);
    }
  },
);

it('repairs a link if it is not known what the last build has left', async () => {
  const path = await createLink(WORDS);
  const content = readFileSync(path, 'utf8');
  await edit(path);
  rmSync(dist, { recursive: true });
  rmSync(join(siteCacheDirectory(cache, `${realpathSync(folder.path)}/dist`), 'site.sqlite'));
  await build();
  expect(readFileSync(path, 'utf8')).toBe(content);
});

it('merges shards again after a file of the merged site was edited', async () => {
  const shard = join(folder.path, 'shard');
  const merged = join(folder.path, 'merged');
  const env = { MICROFICHE_CACHE: cache };
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', shard, '--compact', '--shard', '0/1'], { env });
  const merge = () => runMicroficheJson(['merge', '--out', merged, shard], { env });
  await merge();
  const home = join(merged, 'index.html');
  const content = readFileSync(home, 'utf8');
  expect(statSync(home).nlink).toBeGreaterThan(1);
  await edit(home);
  await merge();
  expect(readFileSync(home, 'utf8')).toBe(content);
});

it.each(LONG ? ['--compact', '--no-search'] : ['--compact'])(
  'shows nothing of a state of the snapshot in which a build with %s was not completed',
  async (option) => {
    const [out, ownCache, own] = [
      join(folder.path, `out${option}`),
      join(folder.path, `cache${option}`),
      join(folder.path, `own${option}`),
    ];
    cpSync(snapshot, own, { recursive: true });
    createCache(ownCache);
    const env = { MICROFICHE_CACHE: ownCache };
    const args = (to: string) => ['build', '--snapshot', own, '--out', to, option];
    const setTitle = (title: string) =>
      changeSnapshot(own, (db) => rewriteBody(db, 'object:lica-quay-1-2', (payload) => ({ ...payload, title })));
    setTitle('Public words');
    await runMicroficheJson(args(out), { env });
    setTitle('Private words');
    const catalogue = join(siteCacheDirectory(ownCache, realpathSync(out)), 'catalogue.sqlite');
    rmSync(catalogue);
    mkdirSync(catalogue); // the first step after the site is published fails
    expect((await runMicrofiche(args(out), { env })).code).toBe(1);
    rmSync(catalogue, { recursive: true });
    setTitle('Public words');
    await runMicroficheJson(args(out), { env });
    const clean = join(folder.path, `clean${option}`);
    createCache(`${ownCache}-clean`);
    await runMicroficheJson(args(clean), { env: { MICROFICHE_CACHE: `${ownCache}-clean` } });
    expect([...readFiles(out)].sort()).toEqual([...readFiles(clean)].sort());
  },
);
