/** A build after which nothing changed looks at the files of the site, and repairs those that are not as it left them. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createSharedDirectory, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const folder = createSharedDirectory();
const [snapshot, dist, cache] = [join(folder.path, 'snapshot'), join(folder.path, 'dist'), join(folder.path, 'cache')];
const build = (...options: string[]) =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, '--no-search', ...options], {
    env: { MICROFICHE_CACHE: cache },
  });
let first: BuildReport;

beforeAll(async () => {
  cpSync(inject('mirror').small, snapshot, { recursive: true });
  createCache(cache);
  await setTimeout(3_100); // a snapshot that was written just now may be written again
  first = await build();
  return folder.remove;
});

/** The steps of a build that makes nothing. */
const ONLY_LOOKS = ['unchanged'];

it('reports the same as the build before', async () => {
  const { seconds, rebuilt, ...report } = await build();
  expect(first.lacking).toEqual([]);
  expect(Object.keys(seconds)).toEqual(ONLY_LOOKS);
  expect(rebuilt).toMatchObject({ reason: 'changes', pages: 0, records: { added: 0, changed: 0, removed: 0 } });
  const { seconds: _, rebuilt: __, ...expected } = first;
  expect(report).toEqual({ ...expected, written: 0, removed: 0, made: 0 });
});

it.each([
  ['a page was edited', () => writeFileSync(join(dist, 'index.html'), 'edited')],
  ['a page was deleted', () => rmSync(join(dist, 'about.html'))],
  ['an image was deleted', () => rmSync(join(dist, 'assets/icon-192.png'))],
  ['the manifest was edited', () => writeFileSync(join(dist, 'manifest-sha256.txt'), '')],
])('repairs the site if %s', async (_, damage) => {
  const manifest = readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8');
  damage();
  expect(Object.keys((await build()).seconds).length).toBeGreaterThan(1);
  expect(readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8')).toBe(manifest);
  expect(Object.keys((await build()).seconds)).toEqual(ONLY_LOOKS);
});

it('builds again after a media file was missing or corrupted, until it is there', async () => {
  const file = join(snapshot, 'media/lica-quay-1/lica-quay-1-1-mezzanine-c8476c1261.image.jpg');
  const manifest = readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8');
  const bytes = readFileSync(file);
  for (const damage of [() => rmSync(file), () => writeFileSync(file, 'corrupted')]) {
    damage();
    writeFileSync(join(dist, 'index.html'), 'edited'); // so that the build looks at the snapshot
    await build();
    expect(readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8')).not.toBe(manifest);
    writeFileSync(file, bytes);
    expect(Object.keys((await build()).seconds).length).toBeGreaterThan(1);
    expect(readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8')).toBe(manifest);
    expect(Object.keys((await build()).seconds)).toEqual(ONLY_LOOKS);
  }
});

it('builds if an option or the snapshot changed', async () => {
  expect(Object.keys((await build('--archive-language', 'es')).seconds).length).toBeGreaterThan(1);
  await build();
  changeSnapshot(snapshot, (db) =>
    rewriteBody(db, 'object:lica-quay-1-1', (payload) => ({ ...payload, title: 'Another title' })),
  );
  expect((await build()).rebuilt.records).toMatchObject({ changed: 1 });
});
