/** Whatever kind of page cannot be made, one that says so stands in its place. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCatalogue } from '../../src/catalogue/catalogue.ts';
import { createPageProblems } from '../../src/catalogue/page-problems.ts';
import { createRelations } from '../../src/catalogue/relations.ts';
import { renderPages } from '../../src/pipeline/render.ts';
import { openArchive } from '../../src/sample/archive.ts';
import { createLedger } from '../../src/site/ledger.ts';
import { ROOT, SAMPLE, temporary } from '../support.ts';

const PAGES = [
  ['objects/lica-quay-1.html', 'This record could not be shown.', '../collections/index.html'],
  ['objects/lica-quay-1/contents.html', 'This record could not be shown.', '../../collections/index.html'],
  ['authors/', 'This page could not be shown.', '../authors/index.html'],
  ['guide/', 'This page could not be shown.', '../guide/index.html'],
  ['browse/topic/', 'This page could not be shown.', '../../browse/topic/index.html'],
] as const;

it('D11: objects, trees, authors, guide pages and values of facets', async () => {
  const store = openArchive(SAMPLE);
  const catalogue = readCatalogue(store);
  const relations = createRelations(catalogue);
  const first = {
    'authors/': catalogue.authors[0]?.slug,
    'guide/': catalogue.articles[0]?.slug,
    'browse/topic/': relations.terms('topic')[0]?.slug,
  };
  const pathOf = (page: string) => (page.endsWith('/') ? `${page}${first[page as keyof typeof first]}.html` : page);
  const problems = createPageProblems();
  for (const [page] of PAGES) problems.fail(pathOf(page), new Error('made to fail'));
  // Everything else counts as made before.
  const wanted = new Set(PAGES.map(([page]) => pathOf(page)));
  const ledger = createLedger({ previous: new Map(), exists: () => false });
  const out = temporary();
  const context = {
    ...{
      store,
      catalogue,
      relations,
      problems,
      pictures: {},
      tiles: {},
      mirrored: {},
      kiosk: undefined,
      compact: false,
      address: undefined,
    },
    ...{ searchForms: { index: false, packs: false }, languages: ['en'] as const },
    ledger: { ...ledger, enter: (path: string, shown: () => unknown) => ledger.enter(path, shown) && wanted.has(path) },
  };
  // Astro's bundle finds its packages from below node_modules only.
  const cache = join(ROOT, 'node_modules/.cache/microfiche-test-unshown');
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  await renderPages({ site: undefined, out, cache }, context);
  store.close();
  for (const [page, words, above] of PAGES) {
    expect(existsSync(join(out, pathOf(page))), page).toBe(true);
    const html = readFileSync(join(out, pathOf(page)), 'utf8');
    expect(html, page).toContain(words);
    expect(html, page).toContain(`href="${above}"`);
  }
  expect(problems.all()).toHaveLength(PAGES.length);
});
