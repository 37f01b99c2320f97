/** The numbers of Browse and of the search page: each value has as many records in a list as results in a search. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { useSiteInBrowser } from './chromium.ts';
import { LONG } from './support.ts';

const mirror = useSiteInBrowser();

/** A value in Browse: its facet, the number of its records, and the query of the search for them. */
interface ListedValue {
  page: string;
  facet: string;
  count: number;
  query: URLSearchParams;
}

const unescapeHtml = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&#39;', "'");

/** Reads the first page of each value, except of those without records of their own. */
function readListedValues(dist: string): ListedValue[] {
  const facets = readdirSync(join(dist, 'browse')).filter((name) => statSync(join(dist, 'browse', name)).isDirectory());
  return facets.flatMap((facet) =>
    readdirSync(join(dist, 'browse', facet))
      .filter((name) => name.endsWith('.html') && name !== 'index.html')
      .flatMap((name) => {
        const html = readFileSync(join(dist, 'browse', facet, name), 'utf8');
        const count = Number(/<span class="count">([\d,]+) records?</.exec(html)?.[1]?.replaceAll(',', ''));
        const query = /search\.html\?([^"]*)">Sort and filter these records/.exec(html)?.[1];
        if (count > 0) expect([name, query]).toEqual([name, expect.stringMatching(`^${facet}=`)]);
        return query === undefined
          ? []
          : [{ page: `${facet}/${name}`, facet, count, query: new URLSearchParams(unescapeHtml(query)) }];
      }),
  );
}

it('shows the same number for each value in Browse, beside its box on the search page, and above the results', async () => {
  const listed = readListedValues(inject('mirror').dist);
  expect(listed.length).toBeGreaterThan(200);
  const page = await mirror.browser().newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${mirror.url()}/search.html`);
  const groups = page.locator('#filters details');
  await groups.first().locator('.facet-values input').first().waitFor();
  for (const group of await groups.all()) {
    if ((await group.getAttribute('open')) === null) await group.locator('summary').click();
    await group.locator('.facet-values input').first().waitFor();
    const all = group.getByRole('button', { name: 'Show all' });
    if (await all.isVisible()) await all.click();
  }
  const boxes = await groups.locator('label:has(input)').evaluateAll((labels) =>
    labels.map((label) => {
      const { name, value } = label.querySelector('input') as HTMLInputElement;
      return [`${name}=${value}`, Number(label.querySelector('.count')?.textContent?.replaceAll(',', ''))] as const;
    }),
  );
  const counts = new Map(boxes);
  // Time has no boxes, and files have values that their records do not have in the facet of rights.
  for (const [i, { page: name, facet, count, query }] of listed.entries()) {
    const value = query.get(facet);
    if (facet !== 'time') expect([name, counts.get(`${facet}=${value}`)]).toEqual([name, count]);
    const isOpened = LONG || facet === 'rights' || (facet === 'time' ? /0s|undated/.test(name) || i % 4 === 0 : i % 20 === 0);
    if (!isOpened) continue;
    await page.goto(`${mirror.url()}/search.html?${query}`);
    await page.waitForSelector('#results[aria-busy="false"] li');
    expect([name, Number.parseInt(await page.locator('#count').innerText(), 10)]).toEqual([name, count]);
  }
  await page.close();
}, 180_000);

it('names the time that a list links to beside its results', async () => {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/browse/time/1940s.html`);
  await page.getByRole('link', { name: 'Sort and filter these records' }).click();
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect(await page.locator('#chips').innerText()).toBe('1940s');
  await page.goto(`${mirror.url()}/search.html?time=undated`);
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect([await page.locator('#chips').innerText(), await page.locator('#count').innerText()]).toEqual(['Undated', '1 result']);
  await page.close();
});
