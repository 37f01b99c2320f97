/** A page of any kind that cannot be rendered is replaced by a page with a notice. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainSite } from '../../../scripts/bench/plain-site.ts';
import { renderPages } from '../../../src/build/pages/render.ts';
import { createPageProblems } from '../../../src/catalogue/page-problems.ts';
import { planPages } from '../../../src/site/plan.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { createTestDirectory, SAMPLE } from '../../support/commands.ts';

const PAGES = [
  ['objects/lica-quay-1.html', 'This record could not be displayed.', '../collections/index.html'],
  ['objects/lica-quay-1/contents.html', 'This record could not be displayed.', '../../collections/index.html'],
  ['people/', 'This page could not be displayed.', '../people/index.html'],
  ['guide/', 'This page could not be displayed.', '../guide/index.html'],
  ['browse/topic/', 'This page could not be displayed.', '../../browse/topic/index.html'],
] as const;

it('replaces pages of records, contents, people, guide pages and facet values', async () => {
  const store = openSnapshot(SAMPLE);
  const site = plainSite(store);
  const first = {
    'people/': site.relations.people()[0]?.slug,
    'guide/': site.catalogue.articles[0]?.slug,
    'browse/topic/': site.relations.terms('topic')[0]?.slug,
  };
  const pathOf = (page: string) => (page.endsWith('/') ? `${page}${first[page as keyof typeof first]}.html` : page);
  const problems = createPageProblems();
  for (const [page] of PAGES) problems.addFailure(pathOf(page), new Error('a failure for the test'));
  const failing = new Set(PAGES.map(([page]) => pathOf(page)));
  const plan = [...planPages(site)];
  const stale = plan.filter(({ path }) => failing.has(path));
  const out = createTestDirectory();
  await renderPages(out, { ...site, stale, problems });
  store.close();
  for (const [page, notice, parent] of PAGES) {
    expect(existsSync(join(out, pathOf(page))), page).toBe(true);
    const html = readFileSync(join(out, pathOf(page)), 'utf8');
    expect(html, page).toContain(notice);
    expect(html, page).toContain(`href="${parent}"`);
  }
  expect(problems.list()).toHaveLength(PAGES.length);
});
