/** Threads that render pages start soon, in small and in large archives: what is sent to them does not grow with the records. */
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { generateSnapshot } from '../../scripts/bench/generate-snapshot.ts';
import { openBundle } from '../../src/build/astro/bundle.ts';
import { openSiteCache } from '../../src/build/cache/build-caches.ts';
import { renderInThreads } from '../../src/build/pages/render-thread.ts';
import { type PreparedSite, prepareSite } from '../../src/build/steps/prepare.ts';
import { createPageProblems } from '../../src/catalogue/page-problems.ts';
import { createVisibleStore } from '../../src/catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../src/catalogue/read/withholding.ts';
import { planPages } from '../../src/site/plan.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { createTestDirectory, readFiles } from '../support/commands.ts';

/** Prepares the site of generated records as a build does, and calls `use` with it. */
async function withSite<Result>(records: number, use: (prepared: PreparedSite) => Result | Promise<Result>): Promise<Result> {
  const directory = createTestDirectory();
  const snapshot = join(directory, 'snapshot');
  generateSnapshot(snapshot, records);
  const opened = openSnapshot(snapshot);
  const visible = { withholding: NOTHING_WITHHELD, collections: undefined };
  const prepared = await prepareSite(
    { store: createVisibleStore(opened, visible), snapshot, visible },
    openSiteCache(join(directory, 'cache'), join(directory, 'site'), { clean: false }),
    {
      ...{ site: undefined, languages: ['en'], archiveLanguage: 'en', featured: [], kiosk: undefined },
      ...{ compact: false, imageFormat: 'webp', stripMetadata: 'location', search: true },
    },
    async (_, work) => work(),
  );
  try {
    return await use(prepared);
  } finally {
    prepared[Symbol.dispose]();
    opened.close();
  }
}

it('sends as much to a thread for 2,000 records as for 100', async () => {
  const bytesOf = (records: number) => withSite(records, ({ source }) => serialize(source).length);
  const [small, large] = [await bytesOf(100), await bytesOf(2_000)];
  expect(small).toBeGreaterThan(100);
  expect(large / small).toBeLessThan(1.2);
});

it('starts threads in time, which render pages', async () => {
  const starts: number[] = [];
  const out = createTestDirectory();
  const rendered = await withSite(200, async ({ source, sites, entries }) => {
    const pages = [...planPages({ sites, entries })].filter(({ kind }) => kind === 'object');
    const bundle = await openBundle();
    return renderInThreads(2, { source, bundle, out }, pages, createPageProblems(), { onStart: (ms) => void starts.push(ms) });
  });
  expect(rendered.size).toBeGreaterThan(200);
  expect([...readFiles(out).keys()].sort()).toEqual([...rendered.keys()].sort());
  expect(starts).toHaveLength(2);
  // On an idle machine, it takes less than half a second; beside other work, many times as long.
  for (const ms of starts) expect(ms).toBeLessThan(100_000);
});
