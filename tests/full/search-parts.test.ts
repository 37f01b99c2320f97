/** A site whose search index has several parts and a delta: it finds what a site with one index finds. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type JudgedQuery, runQueries } from '../../scripts/bench/search.ts';
import type { ShownResults } from '../../scripts/bench/search-in-browser.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { startBrowser } from '../support/browsers.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { createSharedDirectory, LONG, ROOT, readFiles, runMicroficheJson, startServe } from '../support/commands.ts';
import { INDEX, readResults, readStart, readTexts } from '../support/search-index.ts';
import { createCache } from '../support/shared-sites.ts';

const queries = JSON.parse(readFileSync(join(ROOT, 'scripts/bench/search-queries.json'), 'utf8')) as JudgedQuery[];
const folder = createSharedDirectory();
const snapshot = join(folder.path, 'snapshot');
const site = (name: string) => join(folder.path, name);
const cacheOf = (name: string) => join(folder.path, `cache-${name}`);
afterAll(folder.remove);

/** Builds a site with a cache of its own. `documents` is the maximum in each part of its index. */
function build(name: string, documents: number | undefined, ...options: string[]): Promise<BuildReport> {
  const env = { MICROFICHE_CACHE: cacheOf(name), MICROFICHE_PART_DOCUMENTS: String(documents ?? '') };
  return runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', site(name), ...options], { env });
}

const REMOVED_WORD = 'zyzzyva';
const REMOVED = 'object:lica-quay-2-6';
const CHANGED = ['object:lica-quay-1-1', 'object:lica-quay-2-3', 'object:lica-ferry-1-1'];

/** Expects the same documents and suggestions for each query. */
function expectSame(sampled: readonly JudgedQuery[], parts: readonly ShownResults[], whole: readonly ShownResults[]): void {
  for (const [i, { query }] of sampled.entries()) {
    const [one, several] = [whole[i] as ShownResults, parts[i] as ShownResults];
    expect([query, several.total, several.suggestion]).toEqual([query, one.total, one.suggestion]);
    if (one.total <= one.first.length) expect(several.first.toSorted(), query).toEqual(one.first.toSorted());
  }
}

beforeAll(async () => {
  for (const name of ['parts', 'whole']) createCache(cacheOf(name));
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  changeSnapshot(snapshot, (db) => rewriteBody(db, REMOVED, (payload) => ({ ...payload, description: `A ${REMOVED_WORD}.` })));
  await build('parts', 60);
});

describe('after changes', () => {
  let report: BuildReport;
  beforeAll(async () => {
    changeSnapshot(snapshot, (db) => {
      for (const key of CHANGED)
        rewriteBody(db, key, (payload) => ({ ...payload, title: `Otherwise: ${String(payload['title'])}` }));
    });
    report = await build('parts', 60);
    await build('whole', undefined);
  });

  it('makes only the delta', async () => {
    const base = report.rebuilt.index.parts - 1;
    expect(report.rebuilt.index).toEqual({ parts: base + 1, made: 1 });
    expect(base).toBeGreaterThan(3);
    const [ofBase, ofDelta, ...others] = readStart(readFiles(site('parts'))).indexes;
    expect(others).toEqual([]);
    expect(ofDelta?.documents).toBeGreaterThanOrEqual(CHANGED.length);
    expect(ofDelta?.documents).toBeLessThan(20);
    expect(ofBase?.documents).toBeGreaterThan(60 * (base - 1));
    expect((await build('parts', 60)).rebuilt.index).toEqual({ parts: base + 1, made: 0 });
  });

  it('has no former text in what results show', () => {
    const files = readFiles(site('parts'));
    const shown = readResults(files);
    expect(shown.filter(({ meta }) => meta.title.startsWith('Otherwise: ')).length).toBe(CHANGED.length);
    expect(new Set(shown.map(({ url }) => url)).size).toBe(readStart(files).total);
    expect(shown.length).toBe(readStart(files).total);
  });

  it('finds the same as one index, on file:// and over HTTP', async () => {
    const whole = await runQueries(pathToFileURL(site('whole')).href, queries);
    const parts = await runQueries(pathToFileURL(site('parts')).href, queries);
    expectSame(queries, parts, whole);
    const isSameFirst = (shown: ShownResults, i: number) => shown.first[0] === parts[i]?.first[0];
    expect(whole.filter(isSameFirst).length / queries.length).toBeGreaterThan(0.9);
    const isSampled = (_: unknown, i: number) => LONG || i % 6 === 0;
    const served = await startServe(['--snapshot', snapshot, '--dir', site('parts')]);
    try {
      const sampled = queries.filter(isSampled);
      expectSame(sampled, await runQueries(served.url, sampled), whole.filter(isSampled));
    } finally {
      await served.stop();
    }
  });

  it('gives the same numbers in the filters, and the same orders', async () => {
    const browser = await startBrowser('chrome');
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 1200, height: 900 });
      const shown = async (name: string, query: string) => {
        await page.goto(`${pathToFileURL(site(name)).href}/search.html?${query}`);
        await page.waitForSelector('#results[aria-busy="false"]');
        await page.waitForSelector('#filters[aria-busy="false"] details');
        await page.evaluate(() => {
          for (const group of document.querySelectorAll<HTMLDetailsElement>('#filters details')) group.open = true;
        });
        await page.waitForFunction(() =>
          [...document.querySelectorAll('#filters .facet-values')].every(({ children }) => children.length > 0),
        );
        return page.evaluate(() => [
          ...Array.from(document.querySelectorAll('#filters label'), (label) => label.textContent),
          ...Array.from(document.querySelectorAll('#results a'), (link) => link.getAttribute('href')),
        ]);
      };
      for (const query of [
        '',
        'model=entity&sort=date',
        'q=ferry&sort=title',
        'from=1930&to=1940',
        'q=otherwise&model=entity&sort=title',
      ])
        expect(await shown('parts', query), query).toEqual(await shown('whole', query));
    } finally {
      await browser.close();
    }
  });

  it.each([
    ['the start file', () => 'start.js'],
    ['words of the base', ([base]: string[]) => `${base}/w0.js`],
    ['words of the delta', ([, delta]: string[]) => `${delta}/w0.js`],
    ['the delta', ([, delta]: string[]) => String(delta)],
  ])('searches again after %s could not be loaded', async (_, pathOf) => {
    const { indexes } = readStart(readFiles(site('parts')));
    const missing = join(INDEX, pathOf(indexes.map(({ directory }) => directory)));
    const browser = await startBrowser('chrome');
    const served = await startServe(['--snapshot', snapshot, '--dir', site('parts')]);
    const away = join(folder.path, 'away');
    try {
      const page = await browser.newPage();
      renameSync(join(site('parts'), missing), away);
      await page.goto(`${served.url}/search.html?q=otherwise`);
      await page.waitForFunction(() => document.querySelector('#count')?.textContent?.includes('could not be loaded'));
      renameSync(away, join(site('parts'), missing));
      await page.click('.search-words button');
      await page.waitForSelector('#results[aria-busy="false"] li');
      expect(await page.$eval('#count', (element) => element.textContent)).toBe('3 results');
    } finally {
      await served.stop();
      await browser.close();
    }
  });
});

describe('after a record is removed', () => {
  const filesWith = (name: string, word: string) =>
    readTexts(readFiles(site(name))).flatMap(([path, text]) => (text.includes(word) ? [path] : []));

  it('is erased, so that nothing of it can be read', async () => {
    expect(filesWith('parts', REMOVED_WORD).length).toBeGreaterThan(2); // its result, words of the index, and the list of all
    changeSnapshot(snapshot, (db) => rewriteBody(db, REMOVED, (payload) => ({ ...payload, public: '0', status: 'inprocess' })));
    const { index } = (await build('parts', 60)).rebuilt;
    expect(index.made).toBeLessThan(index.parts);
    expect(filesWith('parts', REMOVED_WORD)).toEqual([]);
  });

  it('has nothing of a build that failed', async () => {
    const [secret, obstacle] = ['quagga', join(site('parts'), 'objects/lica-quay-2-3.html')];
    changeSnapshot(snapshot, (db) => rewriteBody(db, CHANGED[0] as string, (payload) => ({ ...payload, description: secret })));
    rmSync(obstacle);
    mkdirSync(obstacle); // the page cannot be published
    writeFileSync(join(obstacle, 'a.txt'), '');
    await expect(build('parts', 60)).rejects.toThrow();
    rmSync(obstacle, { recursive: true });
    changeSnapshot(snapshot, (db) => rewriteBody(db, CHANGED[0] as string, (payload) => ({ ...payload, description: '' })));
    await build('parts', 60);
    expect(filesWith('parts', secret)).toEqual([]);
  });

  it.runIf(LONG)('is the same as a clean build after --clean', async () => {
    createCache(cacheOf('fresh'));
    await build('fresh', 60);
    const manifest = (name: string) => readFileSync(join(site(name), 'manifest-sha256.txt'), 'utf8');
    expect(manifest('parts')).not.toBe(manifest('fresh'));
    await build('parts', 60, '--clean');
    expect(manifest('parts')).toBe(manifest('fresh'));
  });
});
