/** A build says what it made again, and why. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

it('names the reason, and numbers of records, pages and parts of the index', async () => {
  const directory = createTestDirectory();
  const out = join(directory, 'dist');
  const env = { MICROFICHE_CACHE: join(directory, 'cache') };
  createCache(env.MICROFICHE_CACHE);
  const args = ['build', '--snapshot', inject('mirror').small, '--out', out];
  const build = async (...more: string[]) => runMicroficheJson<BuildReport>([...args, ...more], { env });
  const first = await build();
  expect(first.rebuilt).toMatchObject({ reason: 'first build', pages: first.pages, index: { parts: 1, made: 1 } });
  expect(first.rebuilt.records).toBeUndefined();

  const unchanged = await build();
  const { pages } = unchanged.rebuilt;
  expect(unchanged.rebuilt).toEqual({
    reason: 'changes',
    records: { added: 0, changed: 0, removed: 0 },
    pages,
    derivatives: 0,
    index: { parts: 1, made: 0 },
  });
  expect(pages).toBeLessThan(first.pages / 4);

  const page = readFileSync(join(out, 'manifest-sha256.txt'), 'utf8').match(/objects\/.*\.html/)?.[0] as string;
  writeFileSync(join(out, page), 'edited');
  expect((await build()).rebuilt).toMatchObject({ reason: 'changes', pages: pages + 1 });

  const { stdout } = await runMicrofiche([...args, '--languages', 'es'], { env });
  expect(stdout).toMatch(
    /^Rendered \d+ of \d+ pages, because the program, the options, or what is withheld changed\. Search index: 1 of 1 part made\.$/m,
  );
  expect((await build('--clean', '--no-search')).rebuilt).toMatchObject({ reason: 'clean', index: { parts: 0, made: 0 } });
  // The names of people can be filtered where no index finds them.
  expect(readFileSync(join(out, 'people/index.html'), 'utf8')).toContain('<input type="search" placeholder="Filter"');
  rmSync(env.MICROFICHE_CACHE, { recursive: true });
  createCache(env.MICROFICHE_CACHE);
  expect((await build()).rebuilt.reason).toBe('first build');
});
