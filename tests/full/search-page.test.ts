/** The search page beside its results: years as bars, the filters on a phone, the grid, and what it shows before a search. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useSiteInBrowser } from '../support/chromium.ts';

const mirror = useSiteInBrowser();
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function open(query: string, viewport = DESKTOP, awaited = '#results[aria-busy="false"] li'): Promise<Page> {
  const context = await mirror.browser().newContext({ viewport });
  const page = await context.newPage();
  await page.goto(`${mirror.url()}/search.html${query}`);
  if (query !== '') await page.locator(awaited).first().waitFor({ state: 'attached' });
  return page;
}
const countOf = async (page: Page) => Number.parseInt(await page.locator('#count').innerText(), 10);

it('leaves the arrow keys to an input method, and reads its full-width digits', async () => {
  const page = await open('?q=ferry');
  const all = await countOf(page);
  await page.locator('#q').evaluate((field) => {
    field.focus();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true, bubbles: true, cancelable: true }));
  });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  for (const field of ['#from', '#to']) await page.fill(field, '１９４２');
  await page.waitForURL('**from=1942&to=1942');
  await expect.poll(() => countOf(page)).toBeLessThan(all);
  await page.context().close();
});

it('shows the record whose whole ID or title is the query before the words of other records have come', async () => {
  const page = await mirror.browser().newPage({ viewport: DESKTOP, serviceWorkers: 'block' });
  let giveWords = () => {};
  for (const query of ['lica-quay-1-1', 'Nets drying on the quay']) {
    const wanted = new Promise<void>((resolve) => {
      giveWords = resolve;
    });
    await page.route(/\/assets\/index\/[^/]+\/w\d+\.js$/, async (route) => {
      await wanted;
      await route.continue();
    });
    await page.goto(`${mirror.url()}/search.html?q=${encodeURIComponent(query)}`, { waitUntil: 'commit' });
    const first = page.locator('#results > li').first();
    await first.waitFor();
    const early = await first.innerText();
    expect(early).toContain('Nets drying on the quay');
    expect(await page.locator('#results').getAttribute('aria-busy')).toBe('true');
    expect(await page.locator('#count').innerText()).toBe('');
    giveWords();
    await page.locator('#results[aria-busy="false"]').waitFor();
    expect(await first.innerText()).toBe(early);
    await page.unrouteAll();
  }
  await page.close();
});

it('shows no record early that is not the first result: for a phrase of its words in another order, or with a filter', async () => {
  const page = await mirror.browser().newPage({ viewport: DESKTOP, serviceWorkers: 'block' });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const first = document.querySelector('#results > li a');
      if (first) seen.push(first.getAttribute('href') ?? '');
    }).observe(document, { childList: true, subtree: true });
  });
  for (const query of ['q=%22quay drying nets%22', 'q=lica-quay-1-1&model=collection']) {
    await page.goto(`${mirror.url()}/search.html?${query}`);
    await page.locator('#results[aria-busy="false"]').waitFor({ state: 'attached' });
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(
      seen.filter((href) => href.includes('lica-quay-1-1.html')),
      query,
    ).toEqual([]);
  }
  await page.close();
});

it('shows in the reader’s own colors whether results are a grid or a list', async () => {
  const page = await open('?q=ferry');
  await page.emulateMedia({ forcedColors: 'active' });
  // The page hears of them a moment later, and then colors change over 120 ms.
  const [colors, background] = await page
    .waitForFunction(() => {
      const shapes = [...document.querySelectorAll('.shapes .shape')].map((shape) => getComputedStyle(shape).borderTopColor);
      const isForced = matchMedia('(forced-colors: active)').matches;
      if (!isForced || shapes.length === 0 || document.getAnimations().length > 0) return undefined;
      return [shapes, getComputedStyle(document.documentElement).backgroundColor] as const;
    })
    .then((read) => read.jsonValue() as Promise<readonly [string[], string]>);
  expect(new Set(colors).size).toBe(2);
  expect(colors.filter((color) => color === background)).toHaveLength(1);
  await page.context().close();
});

it('has bars of years that all fit beside the results, and choose their years', async () => {
  const page = await open('?q=ferry');
  const bar = page.getByRole('button', { name: /^1940–1959: / });
  await bar.waitFor();
  const expected = Number(/: (\d+)/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1]);
  const [bars, results] = [await page.locator('#year-bars').boundingBox(), await page.locator('#results').boundingBox()];
  expect((bars?.x ?? 0) + (bars?.width ?? 0)).toBeLessThan(results?.x ?? 0);
  expect(await page.locator('#year-bars').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  expect(await page.locator('#year-ends').innerText()).toMatch(/^1900\s+2019$/);
  await bar.press('Enter');
  await page.waitForURL('**from=1940&to=1959');
  await expect.poll(() => countOf(page)).toBe(expected);
  expect(await page.evaluate(() => document.activeElement?.closest('#year-bars') !== null)).toBe(true);
  await page.getByRole('button', { name: /^1942–1943: / }).click();
  await page.waitForURL('**from=1942&to=1943');
  await page.getByRole('button', { name: /^1943: / }).click();
  await page.waitForURL('**from=1943&to=1943');
  await page
    .getByRole('button', { name: /^1943: / })
    .and(page.locator('[aria-pressed="true"]'))
    .click();
  await page.waitForURL((url) => !url.search.includes('from='));
  await page.context().close();
});

it('has the focus in its field if a reader comes from the button in the header of a phone', async () => {
  const page = await mirror.browser().newPage({ viewport: PHONE });
  await page.goto(`${mirror.url()}/objects/lica-quay-1-1.html`);
  await page.locator('.masthead-search button').click();
  await page.waitForURL(/\/search\.html/);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  await page.close();
});

it('has no bars of years if no result has a year', async () => {
  for (const query of ['?q=te', '?q=zzzz', '?q=ferry&from=1700&to=1720']) {
    const page = await open(query, DESKTOP, '#year-bars[hidden]');
    expect(await page.locator('#year-bars').isVisible()).toBe(false);
    expect(await page.locator('#year-ends').isVisible()).toBe(false);
    await page.fill('#from', '');
    await page.fill('#to', '');
    await page.fill('#q', 'ferry');
    await page.getByRole('button', { name: /^1940–1959: / }).waitFor();
    expect(await page.locator('#year-ends').innerText()).toMatch(/^1900\s+2019$/);
    await page.context().close();
  }
});

it('shows as many results as before, where the reader was, on the way back', async () => {
  const page = await open('?q=lantern');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.locator('#results > li').count()).toBeGreaterThan(20);
  const shown = await page.locator('#results > li').count();
  const last = page.locator('#results > li').last();
  await last.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => Math.round(scrollY));
  await last.locator('h2 a').click();
  await page.locator('article').waitFor();
  await page.goBack();
  await page.locator('#results[aria-busy="false"] > li').first().waitFor();
  await expect.poll(() => page.locator('#results > li').count()).toBe(shown);
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(top);
  // Another search begins at its top.
  await page.locator('#q').fill('ferry');
  await page.waitForURL('**q=ferry');
  await expect.poll(() => page.locator('#results > li').count()).toBe(20);
  await page.context().close();
});

it('folds files into the results of their records, with links to them, and counts results', async () => {
  const page = await open('?q=transcript');
  const results = page.locator('#results > li');
  expect(await results.locator('.facts').allInnerTexts()).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^Interview segment · /)),
  );
  expect([await page.locator('#count').innerText(), await results.count()]).toEqual(['3 results', 3]);
  const files = page.locator('#results .reason', { hasText: 'In a file of this record: Transcript of segment 1' });
  expect(await files.count()).toBe(3);
  expect(await files.first().locator('mark').innerText()).toBe('Transcript');
  expect(await files.first().locator('a').getAttribute('href')).toMatch(/^objects\/lica-ferry-1-\d-1-transcript-\w+\.html$/);
  // They are results of their own if the reader wants files.
  const filter = page.locator('[data-filter="model"] label');
  await filter.first().waitFor();
  expect(Object.fromEntries((await filter.allInnerTexts()).map((text) => text.split('\n')))).toEqual({
    'Interview segment': '3',
    File: '3',
  });
  await filter.getByLabel('File').check();
  await page.waitForURL('**model=file');
  await expect
    .poll(() => results.locator('.facts').allInnerTexts())
    .toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^File · /)));
  expect(await page.locator('#count').innerText()).toBe('3 results');
  await page.context().close();
});

it('shows a record once that has the words of a search in its title and in a file, without words without its files', async () => {
  for (const query of ['?q=nets+drying', '?collection=Harbour+Photographs']) {
    const page = await open(query);
    const total = await countOf(page);
    const more = page.locator('#more');
    while (await more.isVisible()) {
      const before = await page.locator('#results > li').count();
      await more.click();
      await expect.poll(() => page.locator('#results > li').count()).toBeGreaterThan(before);
    }
    const hrefs = await page.locator('#results h2 a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect([hrefs.length, new Set(hrefs).size]).toEqual([total, total]);
    expect(hrefs.filter((href) => href?.includes('-mezzanine-'))).toEqual([]);
    await page.context().close();
  }
});

it('counts the values of a facet when it is opened', async () => {
  const page = await open('?q=ferry');
  const place = page.locator('[data-filter="place"]');
  expect(await place.locator('label').count()).toBe(0);
  await place.locator('summary').click();
  const tern = place.getByLabel('Tern Hill');
  await tern.waitFor();
  await tern.check();
  await page.waitForURL('**place=Tern+Hill');
  expect(await page.locator('#chips').innerText()).toContain('Tern Hill');
  await page.context().close();
});

it('shows the most frequent values of a long facet, and all of them by name with a field that filters them', async () => {
  const page = await open('?q=the');
  const creator = page.locator('[data-filter="creator"]');
  await creator.locator('summary').click();
  const boxes = creator.locator('input[type="checkbox"]');
  const labels = () => creator.locator('label > span:not(.count)').allInnerTexts();
  const numbers = async () => (await creator.locator('.count').allInnerTexts()).map(Number);
  await boxes.first().waitFor();
  expect(await boxes.count()).toBe(10);
  expect(await numbers()).toEqual((await numbers()).toSorted((a, b) => b - a));
  expect(await creator.getByLabel('Filter creators').isVisible()).toBe(false);
  const button = creator.locator('button');
  const total = Number(/^Show all (\d+) \(Creator\)$/.exec((await button.textContent()) ?? '')?.[1]);
  expect(total).toBeGreaterThan(50);
  expect(await button.getAttribute('aria-expanded')).toBe('false');

  await button.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  expect(await creator.getByRole('status').innerText()).toBe(`Shown: ${total}`);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Filter creators');
  const { compare } = new Intl.Collator('en', { numeric: true });
  const all = await labels();
  expect(all.length).toBe(total);
  expect(all).toContain('Quill, Hugo (narrator ID 303)');
  expect(all).toEqual(all.toSorted(compare));

  await page.keyboard.type('hugo qui');
  expect(await labels()).toEqual(['Quill, Hugo (narrator ID 303)']);
  await expect.poll(() => creator.getByRole('status').innerText()).toBe('Shown: 1');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
  expect(page.url()).toMatch(/\?q=the$/);
  await page.keyboard.press('Space');
  await page.waitForURL('**creator=Hugo+Quill+%28oh%3A303%29');
  await expect.poll(() => page.locator('#chips').innerText()).toBe('Hugo Quill (narrator ID 303)');
  // What is chosen comes first, also if it does not match.
  await creator.getByLabel('Filter creators').fill('ashlock');
  expect(await labels()).toEqual(['Quill, Hugo (narrator ID 303)', 'Ashlock, Petra', 'Ashlock, Viggo']);
  await creator.getByLabel('Filter creators').fill('zzz');
  expect(await creator.innerText()).toContain('No matches');
  expect(await labels()).toEqual(['Quill, Hugo (narrator ID 303)']);
  await button.click();
  expect([await button.getAttribute('aria-expanded'), await boxes.count()]).toEqual(['false', 10]);
  expect((await labels())[0]).toBe('Quill, Hugo (narrator ID 303)');
  await page.context().close();
});

it('keeps the press of a key on a box while other results arrive', async () => {
  const page = await open('?q=ferry');
  await page.locator('#filters [name="model"][value="segment"]').focus();
  await page.keyboard.down('Space');
  const before = await page.locator('#count').innerText();
  await page.locator('#q').evaluate((input: HTMLInputElement) => {
    input.value = 'quay';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(() => page.locator('#count').innerText()).not.toBe(before);
  await page.keyboard.up('Space');
  await page.waitForURL('**q=quay&model=segment');
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('segment');
  await page.context().close();
});

it('shows the filters as a sheet on a phone, with a button that returns to the results', async () => {
  const page = await open('?q=ferry', PHONE);
  expect(await page.locator('#filters-box').getAttribute('open')).toBeNull();
  await page.getByRole('button', { name: 'Filters' }).click();
  const show = page.locator('#show-results');
  await show.waitFor();
  expect(await show.innerText()).toBe(`Show ${await countOf(page)} results`);
  // The words of a label, not its box.
  await page.locator('[data-filter="model"] label', { hasText: 'Interview segment' }).click({ position: { x: 90, y: 12 } });
  await page.waitForURL('**model=segment');
  expect(await page.locator('#filters-box').getAttribute('open')).not.toBeNull();
  await page.locator('#results[aria-busy="false"] li').first().waitFor();
  await expect.poll(async () => (await show.innerText()) === `Show ${await countOf(page)} results`).toBe(true);
  await show.click();
  expect(await page.locator('#filters-box').getAttribute('open')).toBeNull();
  expect(await page.evaluate(() => document.activeElement?.closest('.results') !== null)).toBe(true);
  await page.context().close();
});

it('scrolls the filters between the title of the sheet and its button', async () => {
  const page = await open('?q=ferry', { width: 320, height: 480 });
  await page.getByRole('button', { name: 'Filters' }).click();
  const show = page.locator('#show-results');
  await show.waitFor();
  const before = await show.boundingBox();
  const choices = await page.locator('#filters-box > .choices').boundingBox();
  expect(before?.y).toBeGreaterThanOrEqual((choices?.y ?? 0) + (choices?.height ?? 0));
  expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThanOrEqual(480);
  const last = page.locator('#filters-box .choices summary').last();
  await last.scrollIntoViewIfNeeded();
  expect(await page.locator('#filters-box > .choices').evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  expect(await show.boundingBox()).toEqual(before);
  await page.context().close();
});

it('opens the filters on a phone with a button beside the order, and closes them with the scrim, Escape and their title', async () => {
  const page = await open('?q=ferry', PHONE);
  const opener = page.getByRole('button', { name: 'Filters' });
  const [button, order] = [await opener.boundingBox(), await page.locator('#sort').boundingBox()];
  expect([button?.y, button?.height]).toEqual([order?.y, order?.height]);
  const closing = [
    () => page.locator('#scrim').click({ position: { x: 100, y: 50 } }),
    () => page.keyboard.press('Escape'),
    () => page.locator('#filters-box > summary').click(),
  ];
  for (const close of closing) {
    await opener.click();
    await page.locator('#filters-box[open]').waitFor();
    expect(await page.evaluate(() => document.elementFromPoint(100, 50)?.id)).toBe('scrim');
    await close();
    expect(await page.locator('#filters-box').getAttribute('open')).toBeNull();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('open-filters');
  }
  await page.context().close();
});

it('says what a result is, when it was made, and in which collection it is', async () => {
  const page = await open('?q=nets&model=entity');
  const facts = await page.locator('#results .facts').allTextContents();
  expect(facts).toContain('Photograph · Spring 1943 · Harbour Photographs');
  await page.context().close();
});

it.each([
  ['Quayside Cannery', 'In Facility: Quayside Cannery'],
  ['Petra Ashlock', 'In Interviewer: Petra Ashlock'],
  ['Petra Ashlock', 'In Person mentioned: Petra Ashlock'],
  ['festivals', 'In Topic: Community life › Festivals'],
  ['Fenwick', 'In Place: Fenwick Sound'],
  ['correspondence', 'In Genre: Correspondence'],
])('says why a result matches “%s”: %s', async (query, reason) => {
  const page = await open(`?q=${encodeURIComponent(query)}`);
  const line = page.locator('#results .reason', { hasText: reason }).first();
  expect(await line.isVisible()).toBe(true);
  expect((await line.locator('mark').allInnerTexts()).join(' ').toLowerCase()).toBe(query.toLowerCase());
  // Each result has the words in what it shows.
  for (const result of await page.locator('#results > li').all()) expect(await result.locator('mark').count()).toBeGreaterThan(0);
  await page.getByLabel('Grid').check();
  expect(await line.isVisible()).toBe(true);
  await page.context().close();
});

it('shows in a grid the excerpts that have words which titles do not have', async () => {
  const page = await open('?q=rebuilt');
  await page.getByLabel('Grid').check();
  for (const result of await page.locator('#results > li').all())
    expect(await result.locator('mark:visible, .reason:visible').count()).toBeGreaterThan(0);
  expect(await page.locator('#results .excerpt:visible mark').count()).toBeGreaterThan(0);
  await page.context().close();
});

it('shows results as a grid, and remembers it', async () => {
  const page = await open('?q=ferry');
  const isGrid = () => page.locator('.results').evaluate((list) => getComputedStyle(list).display === 'grid');
  expect(await isGrid()).toBe(false);
  await page.getByLabel('Grid').check();
  expect(await isGrid()).toBe(true);
  await page.reload();
  await page.locator('.results li').first().waitFor();
  expect(await isGrid()).toBe(true);
  await page.context().close();
});

it('shows topics, people, places and collections before a search, and afterwards the recent searches', async () => {
  const page = await open('');
  await page.locator('#start h2:visible').first().waitFor();
  expect(await page.locator('#start h2:visible').allInnerTexts()).toEqual(
    expect.arrayContaining(['Topics', 'People', 'Places', expect.stringMatching(/^Collections/)]),
  );
  await page.fill('#q', 'fog bell');
  await page.keyboard.press('Enter');
  await page.locator('#results[aria-busy="false"] li').first().waitFor();
  expect(await page.locator('#start').isVisible()).toBe(false);
  await page.goto(`${mirror.url()}/search.html`);
  await page.locator('#recent button', { hasText: 'fog bell' }).click();
  await page.waitForURL('**q=fog+bell');
  await page.goto(`${mirror.url()}/search.html`);
  await page.locator('#recent > button').click();
  expect(await page.locator('#recent').isVisible()).toBe(false);
  await page.context().close();
});

it('shows collections before its script has run, unless the script will show something else', async () => {
  const context = await mirror.browser().newContext({ viewport: PHONE, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route('**/assets/search-page.js', (route) => route.abort());
  const isShown = async (query: string) => {
    await page.goto(`${mirror.url()}/search.html${query}`);
    return page.locator('#start').isVisible();
  };
  expect([await isShown(''), await isShown('?q=ferry')]).toEqual([true, false]);
  await page.evaluate(() => localStorage.setItem(`microfiche-searches ${new URL('.', location.href).pathname}`, '["ferry"]'));
  expect(await isShown('')).toBe(false);
  await context.close();
});

it('loads what a search needs after the images of the page, and on a phone when the reader turns to it, unless there is a query', async () => {
  const context = await mirror.browser().newContext({ viewport: DESKTOP, serviceWorkers: 'block' });
  const page = await context.newPage();
  const loaded: string[] = [];
  let indexRequested = Promise.withResolvers<void>();
  let imagesWait: () => Promise<unknown>;
  page.on('request', (request) => {
    if (!request.url().includes('/assets/index/')) return;
    loaded.push('index');
    indexRequested.resolve();
  });
  await page.route('**/*.webp', async (route) => {
    await imagesWait();
    loaded.push('image');
    await route.continue();
  });
  /** Returns what the page loads first, after it has loaded the index if it does so at all. */
  const visit = async (query: string, loadsIndex = true) => {
    loaded.length = 0;
    indexRequested = Promise.withResolvers<void>();
    // However long a slow machine takes until it asks for an image, or runs the script.
    const indexOrTimeout = () => Promise.race([indexRequested.promise, sleep(60_000, undefined, { ref: false })]);
    imagesWait = query === '' ? () => sleep(300) : indexOrTimeout;
    await page.goto(`${mirror.url()}/search.html${query}`, { waitUntil: 'networkidle' });
    if (loadsIndex) await expect.poll(() => loaded.includes('index')).toBe(true);
    return loaded[0];
  };
  expect(await visit('')).toBe('image');
  expect(await visit('?q=ferry')).toBe('index');
  await page.setViewportSize(PHONE);
  expect(await visit('', false)).toBe('image');
  expect(loaded).not.toContain('index');
  await page.locator('#q').focus();
  await page.locator('#results[aria-busy="false"]').waitFor({ state: 'attached' });
  expect(loaded).toContain('index');
  expect(await visit('?q=ferry')).toBe('index');
  await context.close();
});

it('shows names instead of advice if only they begin with what was typed', async () => {
  const page = await open('?q=te', DESKTOP, '#names li');
  expect(await page.locator('#names').innerText()).toContain('Tern Hill');
  expect(await page.locator('#help').isVisible()).toBe(false);
  expect(await page.locator('#start').isVisible()).toBe(false);
  await page.context().close();
});

it('works without JavaScript as far as it can: it says what is needed, and links to lists', async () => {
  const context = await mirror.browser().newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${mirror.url()}/search.html`);
  expect(await page.locator('.notice').innerText()).toMatch(/JavaScript/);
  expect(await page.locator('#start a:visible').count()).toBeGreaterThan(10);
  expect(await page.locator('main :is(input, select, button, summary):visible').count()).toBe(0);
  const [start, main] = [await page.locator('#start').boundingBox(), await page.locator('main').boundingBox()];
  expect(start?.width).toBe(main?.width);
  await context.close();
});

it('has the tint of cards behind images, also behind placeholders', async () => {
  const tintOf = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const page = await open('?q=ferry');
  const tint = await tintOf(page, '#results .card-picture');
  await page.goto(`${mirror.url()}/index.html`);
  expect(tint).toBe(await tintOf(page, '.card-picture'));
  await page.context().close();
});

it('has a drawing for each kind of result without an image, and an edge around each image', async () => {
  const page = await open('?q=constance');
  const results = await page.locator('#results li').evaluateAll((all) =>
    all.map((result) => {
      const mat = result.querySelector('.card-picture') as HTMLElement;
      const image = mat.querySelector('img') as HTMLImageElement;
      return {
        kind: /^[^·]*/.exec(result.querySelector('.facts')?.textContent ?? '')?.[0]?.trim(),
        drawing: /no-picture-(\w+)\.svg$/.exec(image.src)?.[1],
        isPlaceholder: mat.classList.contains('placeholder'),
        hasEdge: getComputedStyle(image).filter.includes('drop-shadow'),
      };
    }),
  );
  for (const { drawing, isPlaceholder, hasEdge } of results)
    expect([isPlaceholder, hasEdge]).toEqual([drawing !== undefined, drawing === undefined]);
  const guide = results.filter(({ kind }) => kind === 'Guide page');
  expect(guide.length).toBeGreaterThan(0);
  for (const { drawing } of guide) expect(drawing).toBeUndefined(); // the image of a photograph that it mentions
  await page.goto(`${mirror.url()}/search.html?q=jetsam&model=author`);
  await page.locator('#results li').first().waitFor();
  expect(await page.locator('#results img').first().getAttribute('src')).toMatch(/no-picture-person\.svg$/);
  await page.context().close();
});

it('a record without a title is found by its ID, not by parts of it, which would come before titles in words', async () => {
  const page = await mirror.browser().newPage();
  const resultsOf = async (query: string) => {
    await page.goto(`${mirror.url()}/search.html?q=${encodeURIComponent(query)}`);
    await page.locator('#results[aria-busy="false"] > li').first().waitFor();
    return page.locator('#results h2').allInnerTexts();
  };
  expect(await resultsOf('lica-quay-1-16')).toContain('[lica-quay-1-16]');
  const found = await resultsOf('quay');
  expect(found).toContain('Nets drying on the quay');
  expect(found.filter((title) => /lica-quay/.test(title))).toEqual([]);
  await page.close();
});

it.each([390, 412, 430, 768])('no bookmark covers a text of a result at %i px', async (width) => {
  const page = await mirror.browser().newPage({ viewport: { width, height: 844 } });
  for (const path of ['search.html?q=gulls', 'search.html?q=interview']) {
    await page.goto(`${mirror.url()}/${path}`);
    await page.locator('#results .save-item').first().waitFor();
    const covered = await page.locator('#results > li').evaluateAll((results) =>
      results.flatMap((result) => {
        const button = result.querySelector('.save-item')?.getBoundingClientRect();
        if (!button) return [];
        const walker = document.createTreeWalker(result, NodeFilter.SHOW_TEXT);
        const texts: string[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(node);
          const overlaps = [...range.getClientRects()].some(
            (box) =>
              box.right > button.left + 1 &&
              box.left < button.right &&
              box.bottom > button.top + 1 &&
              box.top < button.bottom - 1,
          );
          if (overlaps) texts.push(node.textContent ?? '');
        }
        return texts;
      }),
    );
    expect(covered, path).toEqual([]);
  }
  await page.close();
});
