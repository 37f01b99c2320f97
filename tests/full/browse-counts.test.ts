/**
 * The numbers of records follow one rule (docs/glossary.md) everywhere: each value has as many records in a list as results in a
 * search, and everyone and each year the same number on every page.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { useSiteInBrowser } from '../support/chromium.ts';
import { LONG } from '../support/commands.ts';

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
        const count = Number(/<p class="lead">([\d,]+) records? /.exec(html)?.[1]?.replaceAll(',', ''));
        const query = /search\.html\?([^"]*)">Search within these records/.exec(html)?.[1];
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
    const isOpened = LONG || facet === 'rights' || (facet === 'time' ? /0s|undated/.test(name) || i % 8 === 0 : i % 40 === 0);
    if (!isOpened) continue;
    await page.goto(`${mirror.url()}/search.html?${query}`);
    await page.waitForSelector('#results[aria-busy="false"] li');
    expect([name, Number.parseInt(await page.locator('#count').innerText(), 10)]).toEqual([name, count]);
  }
  await page.close();
});

/** Returns the links to records in all pages of a value; none if the value has no page. */
function readRecordLinks(dist: string, facet: string, slug: string): string[] {
  const links: string[] = [];
  for (let page = 1; ; page++) {
    const file = join(dist, 'browse', facet, `${slug}${page === 1 ? '' : `/${page}`}.html`);
    if (!existsSync(file)) return links;
    const main = readFileSync(file, 'utf8')
      .replace(/^.*<main|<footer.*$/gs, '')
      // Interviews that are not in the list themselves, but have segments that are.
      .replace(/<div class="card" data-counted="no"[^>]*>.*?<\/div>/gs, '');
    links.push(...[...main.matchAll(/href="(?:\.\.\/)+(objects\/[^"#]+)"/g)].map(([, path]) => path as string));
  }
}

it('shows the same number for each person in lists, on the page of the person, and in search', async () => {
  const { dist } = inject('mirror');
  const read = (path: string) => readFileSync(join(dist, path), 'utf8');
  const listed = [
    ...read('people/index.html').matchAll(/href="\.\.\/people\/([^"]+)\.html">([^<]+)<\/a>\s*<span class="count">(\d+)</g),
  ];
  expect(listed.length).toBeGreaterThan(80);
  const kinds = { joined: 0, segments: 0 };
  for (const [, slug = '', , count] of listed) {
    const tally = /<h1>.*?<\/h1>\s*<p class="fine">([^<]+)/s.exec(read(`people/${slug}.html`))?.[1] ?? '';
    const [created, mentioned] = [readRecordLinks(dist, 'creator', slug), readRecordLinks(dist, 'person', slug)];
    const records = new Set([...created, ...mentioned]).size;
    expect([slug, Number(/\d+/.exec(tally)?.[0]), records]).toEqual([slug, Number(count), Number(count)]);
    const ofKind = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(tally)?.[1] ?? 0);
    expect([slug, ofKind('interview') + ofKind('segment') + ofKind('work')]).toEqual([slug, new Set(created).size]);
    if (tally.includes('ecords:') && mentioned.length > 0) kinds.joined++;
    if (tally.includes('segment')) kinds.segments++;
  }
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(5);
  const page = await mirror.browser().newPage();
  for (const [, slug = '', , count] of listed.filter((_, i) => i % 20 === 0)) {
    const name = /<h1>([^<]+)/.exec(read(`people/${slug}.html`))?.[1] ?? '';
    await page.goto(`${mirror.url()}/search.html?${new URLSearchParams({ q: name })}`);
    await page.waitForSelector('#results[aria-busy="false"]');
    const card = page.locator(`#names li:has(a[href="people/${slug}.html"])`);
    expect(await card.innerText()).toMatch(new RegExp(`· ${count} records?$`));
  }
  await page.close();
});

it('shows the same number for each decade and year on the timeline, on the home page, in Browse and on its own page', () => {
  const { dist } = inject('mirror');
  const read = (path: string) => readFileSync(join(dist, path), 'utf8');
  const ofTime = (slug: string) => Number(/<p class="lead">(\d+) records? /.exec(read(`browse/time/${slug}.html`))?.[1] ?? 0);
  const bars = (html: string) =>
    [...html.matchAll(/(\d{4}s?): (\d+) records?</g)].map(([, slug = '', count]) => [slug, Number(count)]);
  const [timeline, home, browse] = [read('browse/time/index.html'), read('index.html'), read('browse/index.html')];
  const shown = [...bars(timeline), ...bars(home)].filter(([, count]) => count !== 0);
  expect(shown.length).toBeGreaterThan(30);
  for (const [slug, count] of shown) expect([slug, count]).toEqual([slug, ofTime(String(slug))]);
  const ofBrowse = [...browse.matchAll(/href="(?:\.\.\/browse\/)?time\/(\d+s)\.html">[^<]+<\/a>\s*<span class="count">(\d+)</g)];
  expect(ofBrowse.length).toBeGreaterThan(3);
  for (const [, slug = '', count] of ofBrowse) expect([slug, Number(count)]).toEqual([slug, ofTime(slug)]);
  // A decade has the records of its years, each once, and those that are dated to it alone.
  for (const [slug] of bars(timeline).filter(([slug]) => String(slug).endsWith('s'))) {
    const years = Array.from({ length: 10 }, (_, n) => String(Number.parseInt(String(slug), 10) + n));
    const ofYears = new Set(years.flatMap((year) => readRecordLinks(dist, 'time', year)));
    const ofDecade = new Set(readRecordLinks(dist, 'time', String(slug)));
    expect([slug, [...ofYears].filter((record) => !ofDecade.has(record))]).toEqual([slug, []]);
  }
});

it('says what numbers count beside them', () => {
  const read = (path: string) => readFileSync(join(inject('mirror').dist, path), 'utf8');
  expect(read('browse/index.html')).toContain('each of its segments');
  expect(read('browse/time/index.html')).toContain('once in each decade');
  expect(read('people/index.html')).toMatch(/<span class="count">\d+ guide pages?</);
});

it('names the time that a list links to beside its results', async () => {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/browse/time/1940s.html`);
  await page.getByRole('link', { name: 'Search within these records' }).click();
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect(await page.locator('#chips').innerText()).toBe('1940s');
  await page.goto(`${mirror.url()}/search.html?time=undated`);
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect([await page.locator('#chips').innerText(), await page.locator('#count').innerText()]).toEqual(['Undated', '1 result']);
  await page.close();
});
