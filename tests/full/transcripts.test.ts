/** Navigation and search in a browser, over HTTP. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectPageErrors, useSiteInBrowser, useTab, waitForSearch } from '../support/chromium.ts';

const mirror = useSiteInBrowser();

const open = useTab(mirror);

it('navigates from home to a person, a record and its collection, and by search to a record with a word in search_hidden', async () => {
  const { page, problems } = await open('');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
  await page.waitForURL('**/people/index.html');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^People/);
  await page.getByRole('link', { name: 'Ashlock, Sven' }).click();
  await page.waitForURL('**/people/sven-ashlock.html');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Sven Ashlock');
  await page.locator('.card a').first().click();
  await page.waitForURL('**/objects/*.html');
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  const steps = await trail.getByRole('link').allInnerTexts();
  expect(steps[0]).toBe('Collections');
  const collection = await trail.getByRole('link').nth(1).getAttribute('href');
  await trail.getByRole('link').nth(1).click();
  await page.waitForURL(`**/objects/${collection?.split('/').at(-1)}`);
  expect(await page.locator('.kind').first().innerText()).toMatch(/collection/i);

  await page.getByRole('combobox', { name: 'Search the archive' }).fill('quillmarrow');
  await page.keyboard.press('Enter');
  await page.locator('.results li').first().waitFor();
  expect(await page.locator('#count').innerText()).toBe('1 result');
  expect(await page.locator('body').innerText()).not.toMatch(/quillmarrow/i);
  expect(await page.title()).not.toMatch(/quillmarrow/i);
  await page.locator('.results a').first().click();
  await page.waitForURL(`${mirror.url()}/objects/lica-quay-1-1.html`);
  expect(await page.locator('body').innerText()).not.toMatch(/quillmarrow/i);
  expect(problems).toEqual([]);
});

describe('search', () => {
  async function search(words: string, more = ''): Promise<{ page: Page; titles: string[]; problems: string[] }> {
    const { page, problems } = await open(`search.html?q=${encodeURIComponent(words)}${more}`);
    await waitForSearch(page);
    return { page, titles: await page.locator('.results h2').allInnerTexts(), problems };
  }

  it.each([
    ['lica-quay-1-7', 'After the flood'],
    ['山の灯', '“Smoked eel” — Île aux Phoques / 山の灯'],
    ['dálaigh', 'Máire O’Dálaigh'],
    ["Maire O'Dalaigh", 'Máire O’Dálaigh'],
    ['alvarez', 'Zoë Àlvarez-Núñez'],
    ['Constance crew', 'The Constance & her crew'],
    ['Winter Ice', 'Winter Ice'],
  ])('finds %s', async (words, title) => {
    const { titles, problems } = await search(words);
    expect(titles).toContain(title);
    expect(problems).toEqual([]);
  });

  it.each(['pursestrings', 'Percival Withheld harbourmaster'])('does not find withheld text: %s', async (words) => {
    const { page } = await search(words);
    const links = await page.locator('.results a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    expect(links.filter((href) => /lica-quay-1-12|percival/.test(href ?? ''))).toEqual([]);
    // The page repeats what was typed, and nothing else has these words.
    const texts = await page.locator('.results, .suggestion, #filters').allTextContents();
    expect(texts.join()).not.toMatch(/pursestrings|Percival|harbourmaster/i);
  });

  it('filters by facet, sorts by title, and stores its state in the URL', async () => {
    const { page } = await search('ferry');
    const all = Number.parseInt(await page.locator('#count').innerText(), 10);
    await page.locator('details[data-filter="model"] label', { hasText: 'Interview segment' }).click();
    await page.waitForFunction(
      (before) => Number.parseInt(document.querySelector('#count')?.textContent ?? '', 10) < before,
      all,
    );
    await page.selectOption('#sort', 'title');
    await page.waitForFunction(() => location.search.includes('sort=title'));
    await waitForSearch(page);
    const titles = await page.locator('.results h2').allInnerTexts();
    expect(titles.length).toBeGreaterThan(3);
    expect(titles).toEqual([...titles].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    const url = page.url();
    expect(url).toContain('model=segment');
    const other = await mirror.browser().newPage();
    await other.goto(url);
    await expect.poll(() => other.locator('.results h2').allInnerTexts()).toEqual(titles);
    await other.close();
  });

  it('accepts several values of a facet, and removes them again', async () => {
    const { page } = await search('ferry');
    const count = async () => Number.parseInt(await page.locator('#count').innerText(), 10);
    const countAfter = async (action: () => Promise<void>, url: RegExp) => {
      await action();
      await page.waitForURL(url);
      await waitForSearch(page);
      return count();
    };
    const all = await count();
    const box = (name: string) => page.locator('details[data-filter="model"] label', { hasText: name }).click();
    const segments = await countAfter(() => box('Interview segment'), /model=segment$/);
    const both = await countAfter(() => box('Guide page'), /model=segment&model=article$/);
    expect([segments < both, both < all]).toEqual([true, true]);
    expect(await page.locator('.chip').allInnerTexts()).toEqual(['Interview segment', 'Guide page']);
    expect(
      await countAfter(() => page.getByRole('button', { name: 'Remove filter: Guide page' }).click(), /model=segment$/),
    ).toBe(segments);
  });

  it.each([
    ['captions', 'gulls 五時', 'lica-ferry-1-1-2'],
    ['plain text', 'Leif sound bell', 'lica-ferry-1-1-1'],
    ['a web page', 'Wren bell trust', 'lica-ferry-1-2-1'],
    ['a PDF', 'Hugo bell trust', 'lica-ferry-1-3-1'],
    ['a glossary', 'net loft upper floor', 'lica-ferry-1-1'],
  ])('finds words in %s, and shows the record that they belong to', async (_, words, id) => {
    const { page, problems } = await open(`search.html?q=${encodeURIComponent(words)}`);
    await waitForSearch(page);
    const first = page.locator('.results li').first();
    expect(await first.locator('h2 a').getAttribute('href')).toMatch(new RegExp(`^objects/${id}\\.html#find=`));
    expect(await first.locator('mark').count()).toBeGreaterThan(1);
    expect(problems).toEqual([]);
  });

  it('filters by a range of years', async () => {
    const { page } = await search('ferry', '&from=1941&to=1943');
    const within = Number.parseInt(await page.locator('#count').innerText(), 10);
    expect(within).toBeGreaterThan(3);
    const dates = await page.locator('.results .facts').allInnerTexts();
    // Some are found by their period, and say something like “before the second ferry”. The dates of a collection begin earlier
    // and end later.
    const ofItems = dates.filter((text) => /\d{4}/.test(text) && !text.includes('1908–1961'));
    expect(ofItems.filter((text) => !/19[34]\d/.test(text))).toEqual([]);
    expect(dates.some((text) => /194[1-3]/.test(text))).toBe(true);
    await page.getByLabel('To year').fill('');
    await page.getByLabel('From year').fill('2000');
    await page.waitForURL(/from=2000$/);
    await waitForSearch(page);
    expect((await page.locator('.results .facts').allInnerTexts()).filter((text) => !/20[01]\d/.test(text))).toEqual([]);
  });

  it('works with the keyboard alone: / for the search field, arrows for results, Enter to open one', async () => {
    const { page } = await search('ferry');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const [first, second] = await page
      .locator('.results a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${first}`);
  });

  it('shows suggestions if nothing is found', async () => {
    const { page } = await search('ferry', '&model=file&from=1401&to=1402');
    expect(await page.locator('#count').innerText()).toBe('No results for “ferry”');
    expect(await page.locator('#help').isVisible()).toBe(true);
  });

  it('has a filter for every facet', async () => {
    const { page } = await search('ferry');
    expect(await page.locator('#filters summary').allInnerTexts()).toEqual([
      'Kind',
      'Collection',
      'Genre',
      'Format',
      'Topic',
      'Facility',
      'Place',
      'Creator',
      'Person mentioned',
      'Contributor',
      'Rights',
      'Language',
    ]);
  });
});

describe('on a phone', () => {
  let phone: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    const page = await mirror.browser().newPage({ viewport: { width: 360, height: 740 } });
    phone = { page, problems: collectPageErrors(page, mirror.url()) };
  });
  afterAll(() => phone.page.close());

  it.each([
    'index.html',
    'objects/lica-quay-1.html',
    'objects/lica-quay-1-10.html',
    'objects/lica-ferry-1-3-2.html',
    'objects/lica-quay-3.html',
    'people/index.html',
    'people/leif-vane.html',
    'authors/index.html',
    'saved.html',
    'browse/index.html',
    'browse/topic/index.html',
    'browse/time/1940s.html',
    'guide/index.html',
    'about.html',
    'search.html',
    'no/such/page.html',
  ])('%s has no console message, failed or external request, or horizontal scrolling', async (path) => {
    const { page, problems } = phone;
    problems.length = 0;
    await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'networkidle' });
    const expected = path.startsWith('no/') ? /^(?:404|error: |failed: )/ : undefined;
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
