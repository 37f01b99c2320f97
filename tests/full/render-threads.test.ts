/** Steps of a build that run in several threads give the same bytes as in one. */
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createTestDirectory, LONG, runMicroficheJson, SAMPLE } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const manifestOf = (site: string) => readFileSync(join(site, 'manifest-sha256.txt'), 'utf8');

it.runIf(LONG)('gives the same site with 1, 2 and 4 threads', async () => {
  const directory = createTestDirectory();
  const manifests: string[] = [];
  createCache(join(directory, 'cache'));
  for (const threads of ['1', '2', '4']) {
    const out = join(directory, threads);
    const env = { ...process.env, MICROFICHE_CACHE: join(directory, 'cache'), MICROFICHE_THREADS: threads };
    const args = ['build', '--snapshot', SAMPLE, '--out', out, '--no-search', '--json'];
    const report = await runMicroficheJson<{ pageProblems: unknown[] }>(args, { env });
    manifests.push(`${manifestOf(out)}${JSON.stringify(report.pageProblems)}`);
  }
  expect(manifests[1]).toBe(manifests[0]);
  expect(manifests[2]).toBe(manifests[0]);
});

it('gives the same site after a change with 1 and 2 threads', async () => {
  const directory = createTestDirectory();
  const snapshot = join(directory, 'snapshot');
  cpSync(inject('mirror').small, snapshot, { recursive: true });
  const build = (threads: string) =>
    runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', join(directory, threads)], {
      env: { MICROFICHE_CACHE: join(directory, `cache-${threads}`), MICROFICHE_THREADS: threads },
    });
  const reports: BuildReport[] = [];
  for (const threads of ['1', '2']) createCache(join(directory, `cache-${threads}`));
  for (const threads of ['1', '2']) await build(threads);
  changeSnapshot(snapshot, (db) =>
    rewriteBody(db, 'object:lica-quay-1-1', (payload) => ({ ...payload, title: 'A title about halyards' })),
  );
  for (const threads of ['1', '2']) {
    appendFileSync(join(directory, threads, 'about.html'), 'edited');
    rmSync(join(directory, threads, 'objects/lica-quay-1-2.html'));
    rmSync(join(directory, threads, 'assets/site.css'));
    reports.push(await build(threads));
  }
  const [one, two] = reports.map(({ seconds: _, ...report }) => ({ ...report, out: undefined })) as [object, object];
  expect(two).toEqual(one);
  expect(one).toMatchObject({ rebuilt: { records: { changed: 1 }, index: { made: 1 } } });
  expect(manifestOf(join(directory, '2'))).toBe(manifestOf(join(directory, '1')));
  const page = readFileSync(join(directory, '2/objects/lica-quay-1-1.html'), 'utf8');
  expect(page).toContain('A title about halyards');
  expect(readFileSync(join(directory, '2/about.html'), 'utf8')).not.toContain('edited');
});
