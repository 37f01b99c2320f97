/** Lists in a browser: contents of a collection, names, topics and the map. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cardColumns } from '../../src/site/parts/cards/card-columns.ts';
import { useSiteInBrowser } from '../support/chromium.ts';
import { createSharedDirectory, runMicroficheJson } from '../support/commands.ts';
import { harvestInProcess } from '../support/harvest-in-process.ts';
import { addRecords, startTestUpstream } from '../support/test-upstream.ts';

const mirror = useSiteInBrowser();

async function open(path: string, options = {}): Promise<Page> {
  const page = await mirror.browser().newPage({ viewport: { width: 1280, height: 720 }, ...options });
  await page.goto(`${mirror.url()}/${path}`);
  return page;
}

it('show a collection with the image of its first item, also as a saved item and in search', async () => {
  const page = await open('objects/lica-ferry-1.html');
  const saved = await page.locator('[data-save]').getAttribute('data-image');
  expect(saved).toMatch(/^thumbs\/lica-ferry-1\//);
  await page.goto(`${mirror.url()}/search.html?q=voices+of+the+sound&model=collection`);
  expect(await page.locator('#results img').first().getAttribute('src')).toBe(saved);
  await page.close();
});

describe('the contents of a collection', () => {
  it('begin in the first screen, and can be filtered and sorted', async () => {
    const page = await open('objects/lica-quay-1.html');
    const box = await page.locator('.contents .card img').first().boundingBox();
    expect(box?.y).toBeLessThan(600);
    await page.setViewportSize({ width: 390, height: 844 });
    const onPhone = await page.locator('.contents .card img').first().boundingBox();
    expect(onPhone?.y).toBeLessThan(830);
    await page.setViewportSize({ width: 1280, height: 720 });
    const titles = () => page.locator('.contents .card:visible .card-title').allInnerTexts();
    const all = await titles();
    await page.selectOption('[data-order]', 'title');
    const { compare } = new Intl.Collator('en', { numeric: true });
    const filed = (title: string) => title.replace(/^The /, '');
    expect(await titles()).toEqual(all.toSorted((a, b) => compare(filed(a), filed(b))));
    await page.selectOption('[data-order]', 'date');
    const dates = await page
      .locator('.contents .card')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-date') ?? ''));
    const dated = dates.filter((date) => date !== '');
    expect(dated).toEqual(dated.toSorted());
    expect(dates.slice(dated.length).every((date) => date === '')).toBe(true);
    await page.selectOption('[data-order]', '');
    expect(await titles()).toEqual(all);
    await page.fill('[data-filter]', 'CANNERY whistle');
    const found = await titles();
    expect(found.length).toBeGreaterThan(0);
    for (const title of found) expect(title).toMatch(/cannery whistle/i);
    await page.close();
  });

  it('come after what a reader can do with the collection, and its citation opens there', async () => {
    const page = await open('objects/lica-quay-1.html');
    const first = await page.locator('.contents .card').first().boundingBox();
    for (const name of ['Save', 'Copy link', 'Print'])
      expect((await page.locator('.object-actions').getByRole('button', { name, exact: true }).boundingBox())?.y).toBeLessThan(
        first?.y ?? 0,
      );
    expect((await page.getByRole('link', { name: 'Finding aid' }).boundingBox())?.y).toBeLessThan(first?.y ?? 0);
    const citation = page.locator('.citations dd').first();
    expect(await citation.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Cite this' }).press('Enter');
    expect(await citation.innerText()).toContain('Lantern Islands');
    await page.close();
  });

  it('are grids of two sizes, and a list', async () => {
    const page = await open('objects/lica-quay-1.html');
    const width = async () => (await page.locator('.contents .card').first().boundingBox())?.width ?? 0;
    const large = await width();
    await page.getByLabel('Small grid').check();
    expect(await width()).toBeLessThan(large / 1.5);
    await page.getByLabel('List', { exact: true }).check();
    expect(await width()).toBeGreaterThan(large * 3);
    await page.close();
  });
});

it('cards are in as many columns as their list says', async () => {
  const page = await open('index.html');
  const lists = Array.from({ length: 50 }, (_, i) => cardColumns(i + 1));
  for (const [width, name, usual] of [
    [700, 'data-middle', 3],
    [1280, 'data-wide', 4],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const columns = await page.evaluate(
      (all) =>
        all.map((attributes) => {
          const list = document.createElement('ul');
          list.className = 'cards';
          for (const [attribute, value] of Object.entries(attributes)) if (value) list.setAttribute(attribute, String(value));
          document.querySelector('main')?.append(list);
          return getComputedStyle(list).gridTemplateColumns.split(' ').length;
        }),
      lists,
    );
    expect(columns).toEqual(lists.map((attributes) => attributes[name] ?? usual));
    expect(new Set(columns).size).toBe(3);
  }
  await page.close();
});

it('the contents of a collection say that the filter matches nothing, with a button that shows all again', async () => {
  const page = await open('objects/lica-quay-1.html');
  const cards = page.locator('.contents .card:visible');
  const all = await cards.count();
  expect(await page.locator('.no-matches').isVisible()).toBe(false);
  await page.locator('[data-filter]').fill('no such title');
  expect(await cards.count()).toBe(0);
  await page.locator('.no-matches').getByRole('button', { name: 'Clear filter' }).click();
  expect(await cards.count()).toBe(all);
  await page.close();
});

it('collections of which only the ID is known are last in the list of collections, and not in the row on the home page', async () => {
  const titles = async (path: string) =>
    (await open(path)).locator('section:not(.featured) > .cards:not(.index-cards) .card-title').allInnerTexts();
  const listed = await titles('collections/index.html');
  expect(listed.at(-1)).toBe('Collection lica-quay-3 (not available)');
  expect(await titles('index.html')).toEqual(listed.slice(0, 4));
});

it.each([
  ['index.html', 1280, [[3, 2], [4], [4]]],
  ['index.html', 800, [[3, 2], [4], [4]]],
  ['collections/index.html', 1280, [[3], [3]]],
  ['objects/lica-ferry.html', 800, [[3]]],
] as const)('fill the rows of cards: %s, %i pixels wide', async (path, width, expected) => {
  const page = await open(path, { viewport: { width, height: 900 } });
  const rows = await page.locator('.cards').evaluateAll((lists) =>
    lists.map((list) => {
      const shown = [...list.children].map((card) => card.getBoundingClientRect()).filter((box) => box.width > 0);
      const isFull = Math.max(...shown.map(({ right }) => right)) > list.getBoundingClientRect().right - 2;
      const tops = [...new Set(shown.map(({ top }) => top))];
      return isFull && tops.map((top) => shown.filter((box) => box.top === top).length);
    }),
  );
  expect(rows).toEqual(expected);
  await page.close();
});

it('name cards above the results of a search fill their rows', async () => {
  const page = await open('search.html?q=quay');
  await page.locator('#names li').first().waitFor();
  for (const width of [1280, 1000, 760, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const { rows, right } = await page.locator('#names').evaluate((list) => {
      const boxes = [...list.children].map((card) => card.getBoundingClientRect());
      const tops = [...new Set(boxes.map(({ top }) => top))];
      const rowsOf = tops.map((top) => boxes.filter((box) => box.top === top));
      return {
        rows: rowsOf.map((row) => ({ cards: row.length, right: row.at(-1)?.right ?? 0 })),
        right: list.getBoundingClientRect().right,
      };
    });
    for (const row of rows) expect(row.right).toBeCloseTo(right, 0);
    expect(new Set(rows.map(({ cards }) => cards)).size, `${width}`).toBe(1);
  }
  await page.close();
});

describe('lists of names', () => {
  it('are filtered as the reader types, with the letters that are left', async () => {
    const page = await open('browse/creator/index.html');
    await page.locator('.name-filter input').pressSequentially('quill h');
    await expect.poll(() => page.locator('.columns li:visible').allInnerTexts()).toEqual([expect.stringMatching(/^Quill, Hugo/)]);
    expect(await page.locator('.letter:visible h2').allInnerTexts()).toEqual(['Q']);
    expect(await page.locator('.letters').getByRole('link').allInnerTexts()).toEqual(['Q']);
    await page.locator('.name-filter input').fill('');
    expect(await page.locator('.letters').getByRole('link').count()).toBe(await page.locator('.letter').count());
    await page.close();
  });

  it('say that nothing matches, with a button that shows all again', async () => {
    const page = await open('browse/creator/index.html');
    const field = page.locator('.name-filter input');
    const all = await page.locator('.columns li:visible').count();
    await field.fill('no such name');
    expect(await page.locator('.no-matches').innerText()).toMatch(/^No matches\./);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    expect(await page.locator('.columns li:visible').count()).toBe(all);
    expect(await page.locator('.no-matches').isVisible()).toBe(false);
    expect([await field.inputValue(), await field.evaluate((element) => element === document.activeElement)]).toEqual(['', true]);
    await page.close();
  });

  it('go to the first match with the Enter key', async () => {
    const page = await open('browse/creator/index.html');
    await page.locator('.name-filter input').fill('quill h');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Quill, Hugo/);
    await page.close();
  });

  it('do without the field if scripts are off', async () => {
    const page = await open('browse/creator/index.html', { javaScriptEnabled: false });
    expect(await page.locator('.name-filter').isVisible()).toBe(false);
    await page.close();
  });
});

it('a guide page links to the pages of its topics, and shows their steps as lists do', async () => {
  const page = await open('guide/flood-of-1947.html');
  const facts = page.locator('.guide-page .summary-rows > div');
  expect((await facts.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
    ['Media type', 'short essay'],
    ['Topics', 'Work and livelihood › Ferries'],
    ['Categories', 'Places'],
  ]);
  expect(await facts.locator('a').allInnerTexts()).toEqual(['Work and livelihood › Ferries']);
  await facts.locator('a').click();
  expect(await page.locator('h1').innerText()).toBe('Ferries');
  await page.close();
});

describe.each(['light', 'dark'] as const)('the page of a facet value, in %s', (colorScheme) => {
  it.each([
    [1280, 800],
    [390, 844],
  ])('says what its records are, and begins with them in the first screen: %i pixels wide', async (width, height) => {
    const page = await open('browse/facility/3.html', { viewport: { width, height }, colorScheme });
    expect(await page.locator('.term-head .lead').innerText()).toBe(
      '61 records about this facility, or made there, from 1930 to 2013.',
    );
    const tally = await page.locator('.term-head .tally li').allInnerTexts();
    // The number is there once.
    expect(await page.locator('h1').innerText()).toBe('Quayside Cannery');
    expect(tally).toEqual([
      ...['32 interview segments', '8 photographs', '6 miscellaneous documents', '5 interviews', '4 items of correspondence'],
      '6 others',
    ]);
    expect((await page.locator('.card img').first().boundingBox())?.y).toBeLessThan(height - 60);
    expect(await page.locator('.term-top .map .spot:visible').count()).toBe(2);
    await page.close();
  });
});

it('the head of a facet value has searches for its kinds and decades, with as many results as it says', async () => {
  const page = await open('browse/facility/3.html');
  for (const [name, query] of [
    [/^8 photographs/, { facility: 'Quayside Cannery', model: 'entity', genre: 'photograph' }],
    [/^1940s: 13 records/, { facility: 'Quayside Cannery', from: '1940', to: '1949' }],
  ] as const) {
    await page.goto(`${mirror.url()}/browse/facility/3.html`);
    const link = page.locator('.term-head').getByRole('link', { name });
    const count = /\d+(?= )/.exec(name.source)?.[0];
    await link.click();
    await page.locator('#results[aria-busy="false"] li').first().waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(query);
    expect(await page.locator('#count').innerText()).toMatch(new RegExp(`^${count} `));
  }
  await page.close();
});

it('a facet value of a decade has its years, a year its decade, and a topic the guide page of its name', async () => {
  const page = await open('browse/time/1940s.html');
  await page.locator('.year-strip').getByRole('link', { name: '1943' }).click();
  expect(await page.locator('h1').innerText()).toBe('1943');
  await page.locator('.term-links').getByRole('link', { name: '1940s' }).click();
  expect(await page.locator('h1').innerText()).toBe('1940s');
  await page.goto(`${mirror.url()}/browse/topic/31.html`);
  const name = await page.locator('h1').innerText();
  await page.locator('.term-text a[href*="guide/"]').click();
  expect((await page.locator('h1').innerText()).toLowerCase()).toBe(name.toLowerCase());
  await page.close();
});

it('the list of a facet value begins with records that have an image, and ends with collections', async () => {
  const page = await open('browse/time/1940s.html');
  const cards = await page
    .locator('.all-records > .cards > .card')
    .evaluateAll((all) =>
      all.map((card) =>
        card.querySelector('.card-facts')?.textContent.includes('Collection')
          ? 'collection'
          : card.querySelector('.placeholder')
            ? 'icon'
            : 'image',
      ),
    );
  expect(cards).toEqual([...cards].sort((a, b) => 'image icon collection'.indexOf(a) - 'image icon collection'.indexOf(b)));
  expect(new Set(cards)).toEqual(new Set(['image', 'icon', 'collection']));
  await page.close();
});

it('the list of a facet value has each interview once, with its segments below it', async () => {
  const page = await open('browse/genre/interview.html');
  await page.locator('.all-records > summary').click();
  const rows = page.locator('.interview-rows > li');
  const names = await rows.locator('.card-title').allInnerTexts();
  expect(new Set(names).size).toBe(names.length);
  expect(await rows.first().locator('.interview-parts a').allInnerTexts()).toEqual([
    'Segment 1: First day on the ferries',
    'Segment 2: The winter the sound froze',
    'Segment 3: How the flood came',
    'Segment 4: Lantern makers of the quay',
  ]);
  expect(await page.locator('.interview-rows .card, .interview-rows .interview-parts a').count()).toBeGreaterThanOrEqual(50);
  await page.close();
});

it('rights are in three groups that say what a reader may do, linked from home, from search and from each statement', async () => {
  const page = await open('index.html');
  await page.locator('.welcome-links').getByRole('link', { name: 'Free to reuse' }).click();
  expect(new URL(page.url()).hash).toBe('#free');
  await page.locator('#restricted').waitFor(); // the last of the page
  const groups = await page
    .locator('.rights-groups > section')
    .evaluateAll((sections) =>
      sections.map((section) => [
        section.querySelector('h2')?.textContent,
        ...Array.from(section.querySelectorAll('li a'), (link) => link.textContent),
      ]),
    );
  expect(groups).toEqual([
    ['Free to reuse', 'Public domain'],
    ['Ask first', 'Copyright: ask for permission', 'Creative Commons · ask which license', 'Orphan work'],
    ['Restricted', 'Copyright restricted'],
  ]);
  expect(await page.locator('main > .fine').innerText()).toContain(
    '“Creative Commons” alone does not say which conditions apply.',
  );
  // With the keyboard: on a busy machine, a click can miss a link that moves as the page scrolls to its fragment.
  await page.locator('#request').getByRole('link', { name: 'Search all of these' }).press('Enter');
  await page.waitForURL(/search\.html/);
  await page.locator('#results[aria-busy="false"] li').first().waitFor();
  expect(new URL(page.url()).searchParams.getAll('rights')).toEqual(['pcc', 'cc', 'orphan']);
  expect(Number.parseInt(await page.locator('#count').innerText(), 10)).toBeGreaterThan(99);
  const rights = page.locator('#filters [data-filter="rights"]');
  const question = rights.getByRole('link', { name: 'What may I reuse?', includeHidden: true });
  // The page may open the filter by itself meanwhile, so that a press closes it again.
  await expect
    .poll(async () => {
      if (!(await question.isVisible())) await rights.locator('summary').click();
      return question.isVisible();
    })
    .toBe(true);
  await question.click();
  await page.locator('#restricted a').click();
  expect(await page.locator('.lead').innerText()).toContain('Restricted: under copyright.');
  await page.close();
});

it.each([
  ['guide/index.html', 1280],
  ['guide/index.html', 800],
  ['browse/facility/index.html', 1280],
] as const)('%s has a sentence and an image for each entry, in full rows (%i pixels)', async (path, width) => {
  const page = await open(path, { viewport: { width, height: 900 } });
  const cards = page.locator('.index-cards > li');
  const count = await cards.count();
  expect(count).toBeGreaterThan(2);
  expect(await cards.locator('.card-note').count()).toBe(count);
  expect(await cards.locator('img').count()).toBe(count);
  const tops = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
  const rows = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
  expect(rows.at(-1)).toBeGreaterThan(1);
  await page.close();
});

describe('a list by letters', () => {
  it('files titles under the first word after an article', async () => {
    const page = await open('guide/index.html');
    const titles = await page.locator('.index-cards .card-title').allInnerTexts();
    const from = (title: string, count: number) => titles.slice(titles.indexOf(title), titles.indexOf(title) + count);
    expect(from('The Sandpiper', 3)).toEqual(['The Sandpiper', 'Sea Walls', 'Tern Hill School']);
    for (const [letter, title] of [
      ['S', 'The Sandpiper'],
      ['T', 'Tern Hill School'],
      ['0–9', '100% Wool'],
    ] as const) {
      const link = await page.locator('.letters').getByRole('link', { name: letter, exact: true }).getAttribute('href');
      expect(await page.locator(`${link} .card-title`).innerText()).toBe(title);
    }
    await page.close();
  });

  it('has no column in which names are without their letter', async () => {
    for (const path of ['people/index.html', 'authors/index.html', 'browse/person/index.html']) {
      const page = await open(path);
      const apart = await page.locator('.letter').evaluateAll(
        (letters) =>
          letters.filter((letter) => {
            const lefts = new Set([...letter.querySelectorAll('li')].map((name) => name.getBoundingClientRect().left));
            const [heading, list] = ['h2', 'ul'].map((part) => letter.querySelector(part)?.getBoundingClientRect());
            return lefts.size > 1 && heading?.width !== list?.width;
          }).length,
      );
      expect([path, apart]).toEqual([path, 0]);
      await page.close();
    }
  });

  it('has all columns below the heading of a letter with many names', async () => {
    const page = await open('people/index.html');
    const letter = page.locator('.letter', { has: page.locator('#letter-h') });
    const columns = () =>
      letter.evaluate((section) => {
        section.classList.add('wide');
        const lefts = [...section.querySelectorAll('li')].map((name) => name.getBoundingClientRect().left);
        const below = section.querySelector('ul')?.getBoundingClientRect().top ?? 0;
        return {
          count: new Set(lefts).size,
          isHeadingAbove: (section.querySelector('h2')?.getBoundingClientRect().bottom ?? below + 1) <= below,
        };
      });
    expect(await columns()).toEqual({ count: 4, isHeadingAbove: true });
    await page.close();
  });
});

describe('the tree of topics', () => {
  it('links each level, and counts the records of all topics below it once', async () => {
    const page = await open('browse/topic/index.html');
    expect(await page.locator('.tree li > span:first-child').count()).toBe(0);
    // The number alone is that of the topic's own records, which “Community life” has none of.
    expect(await page.locator('.tree > li', { hasText: 'Community life' }).innerText()).toMatch(/^Community life \d+ in all/);
    const work = page.locator('.tree > li', { hasText: 'Work and livelihood' });
    const total = Number.parseInt(await work.locator('> .count a').innerText(), 10);
    await work.locator('> .count a').click();
    await page.waitForURL('**/search.html?topic=*');
    await page.locator('#results li').first().waitFor();
    expect(Number.parseInt(await page.locator('#count').innerText(), 10)).toBe(total);
    await page.close();
  });
});

/** Returns the labels of a map that are on a mark or on another label, and the number of labels. */
async function checkLabels(page: Page): Promise<{ covered: string[]; labels: number }> {
  return page
    .locator('.map .marks')
    .locator('visible=true')
    .first()
    .evaluate((group) => {
      const boxes = (selector: string) => [...group.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
      const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      const labels = [...group.querySelectorAll<SVGTextElement>('text:not(.mark-count)')].map((element) => {
        // Of the letters with their outline, not of the line: how much higher that is depends on the font.
        const { font, strokeWidth } = getComputedStyle(element);
        canvas.font = font;
        const { actualBoundingBoxAscent, actualBoundingBoxDescent } = canvas.measureText(element.textContent);
        const toScreen = element.getScreenCTM() as DOMMatrix;
        const baseline = element.getStartPositionOfChar(0).matrixTransform(toScreen).y;
        const outline = Number.parseFloat(strokeWidth) / 2;
        const { left, right } = element.getBoundingClientRect();
        const [top, bottom] = [
          baseline - (actualBoundingBoxAscent + outline) * toScreen.d,
          baseline + (actualBoundingBoxDescent + outline) * toScreen.d,
        ];
        return { text: element.textContent, box: new DOMRect(left, top, right - left, bottom - top) };
      });
      const [spots, map] = [boxes('.spot'), (group as SVGElement).ownerSVGElement?.getBoundingClientRect() as DOMRect];
      const overlap = (a: DOMRect, b: DOMRect) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
      const covered = labels.filter(
        ({ box }, i) =>
          spots.some((spot) => overlap(box, spot)) ||
          labels.some((other, n) => n !== i && overlap(box, other.box)) ||
          box.left < map.left ||
          box.top < map.top ||
          box.bottom > map.bottom ||
          box.right > map.right,
      );
      return { covered: covered.map(({ text }) => text), labels: labels.length };
    });
}

/** A finger on a touchscreen, and its position. */
type Finger = [id: number, x: number, y: number];

describe('the map', () => {
  it('is enlarged and moved with buttons and keys, and links to places', async () => {
    const page = await open('browse/place/index.html');
    const marks = page.locator('.map .marks a');
    const before = await marks.count();
    const distance = () =>
      marks.evaluateAll((all) => {
        const [a, b] = all.map((mark) => mark.querySelector('.spot')?.getBoundingClientRect());
        return a && b ? Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2) : 0;
      });
    const near = await distance();
    // A mark keeps the focus when the map is enlarged, or a button has it.
    await marks.first().focus();
    for (const key of ['+', '+', '0']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement?.closest('.map') !== null)).toBe(true);
    }
    await page.locator('[data-map="in"]').focus();
    await page.keyboard.press('+');
    expect(await distance()).toBeCloseTo(near * 2, 0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('0');
    expect([await marks.count(), await distance()]).toEqual([before, near]);
    expect(await page.locator('[data-map="out"]').getAttribute('aria-disabled')).toBe('true');
    // However far it is enlarged, there are places in it.
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('+');
      expect(await marks.count(), `${step}`).toBeGreaterThan(0);
    }
    await page.keyboard.press('0');
    await marks.first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/browse/place/*.html');
    await page.close();
  });

  describe('on a phone', () => {
    const openPhone = async () => {
      const page = await open('browse/place/index.html', {
        ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      });
      await page.locator('.map svg[data-fitted]').waitFor();
      const session = await page.context().newCDPSession(page);
      /** Touches with fingers, moves them, or lifts some of them; without fingers, lifts all. */
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: Finger[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([id, x, y]) => ({ id, x, y })) });
      const slide = async (...moves: Array<[finger: Finger, x: number, y: number]>) => {
        for (let step = 1; step <= 5; step++)
          await touch(
            'touchMove',
            ...moves.map(([[id, x, y], toX, toY]): Finger => [id, x + ((toX - x) * step) / 5, y + ((toY - y) * step) / 5]),
          );
      };
      /** Returns how many times the map is enlarged, and which point of it is at a point of the window. */
      const look = (at: [x: number, y: number]) =>
        page.locator('.map svg').evaluate((svg: SVGSVGElement, [x, y]) => {
          const transform = svg.querySelector('.land')?.getAttribute('transform') ?? '';
          const [left = 0, top = 0, zoom = 0] = Array.from(transform.matchAll(/-?[\d.]+/g), Number);
          const box = svg.getBoundingClientRect();
          const units = svg.viewBox.baseVal.width / svg.clientWidth;
          return { zoom, point: [((x - box.x) * units - left) / zoom, ((y - box.y) * units - top) / zoom] };
        }, at);
      const box = (await page.locator('.map svg').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return { page, touch, slide, look, x: box.x + box.width / 2, y: box.y + box.height / 2, box };
    };

    it('is enlarged by two fingers, moves with them, and then with one', async () => {
      const { page, touch, slide, look, x, y } = await openPhone();
      const before = await look([x, y]);
      const [first, second]: [Finger, Finger] = [
        [0, x - 40, y],
        [1, x + 40, y],
      ];
      await touch('touchStart', first, second);
      await slide([first, x - 60, y + 20], [second, x + 100, y + 20]);
      const enlarged = await look([x + 20, y + 20]);
      expect(enlarged.zoom / before.zoom).toBeCloseTo(2, 1);
      for (const i of [0, 1]) expect(enlarged.point[i]).toBeCloseTo(before.point[i] ?? 0, -0.5);
      await touch('touchEnd', [1, x + 100, y + 20]);
      const held = await look([x - 60, y + 20]);
      await slide([[0, x - 60, y + 20], x - 30, y + 50]);
      const moved = await look([x - 30, y + 50]);
      await touch('touchEnd');
      expect(moved.zoom).toBe(enlarged.zoom);
      for (const i of [0, 1]) expect(moved.point[i]).toBeCloseTo(held.point[i] ?? 0, -0.5);
      expect(await page.evaluate(() => [visualViewport?.scale, scrollY])).toEqual([1, 0]);
      await page.close();
    });

    it('leaves one finger to the page until it is enlarged', async () => {
      const { page, touch, slide, look, x, y } = await openPhone();
      const before = await look([0, 0]);
      await touch('touchStart', [0, x, y]);
      await slide([[0, x, y], x, y - 100]);
      await touch('touchEnd');
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(20);
      expect((await look([0, 0])).zoom).toBe(before.zoom);
      await page.close();
    });

    it('is about as high as wide, with names and large targets, and without hints about keys', async () => {
      const { page, box } = await openPhone();
      expect(box.height / box.width).toBeGreaterThan(0.9);
      const reach = await page.locator('.map .reach').first().boundingBox();
      expect(reach?.width).toBeCloseTo(44, 0);
      expect(await page.getByText('Keyboard:').isVisible()).toBe(false);
      await page.locator('[data-map="in"]').tap();
      const name = page.locator('.map text:not(.mark-count)').first();
      expect((await name.boundingBox())?.height).toBeGreaterThan(12);
      await page.close();
    });
  });

  it.each([
    ['browse/place/index.html', 1280],
    ['browse/place/index.html', 390],
    ['index.html', 1280],
    ['index.html', 390],
  ])('has labels that cover no marks and no other labels: %s, %i pixels wide', async (path, width) => {
    const page = await open(path, { viewport: { width, height: 844 } });
    if (width < 500 && path !== 'index.html') await page.locator('.map svg[data-fitted]').waitFor();
    const { covered, labels } = await checkLabels(page);
    expect(covered).toEqual([]);
    expect(labels).toBeGreaterThan(1);
    await page.close();
  });

  it('is as wide as its column, with a number on each mark', async () => {
    const page = await open('browse/place/index.html', { javaScriptEnabled: false });
    const [map, main] = [await page.locator('.map svg').boundingBox(), await page.locator('main').boundingBox()];
    expect(map?.width).toBeCloseTo(main?.width ?? 0, 0);
    for (const count of await page.locator('.map .mark-count').allTextContents()) expect(Number(count)).toBeGreaterThan(0);
    await page.close();
  });
});

it.each([
  ['browse/time/1940s.html', { time: '1940s' }],
  ['browse/time/1943.html', { time: '1943' }],
  ['browse/facility/3.html', { facility: 'Quayside Cannery' }],
  ['browse/person/clio-marram.html', { person: 'Clio Marram' }],
])('%s has a link to a search for its records, where they can be sorted and filtered', async (path, expected) => {
  const page = await open(path);
  const [, listed] = /^(\d+) records? /.exec(await page.locator('.term-head .lead').innerText()) ?? [];
  await page.getByRole('link', { name: 'Search within these records' }).click();
  await page.locator('#results[aria-busy="false"] li').first().waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(expected);
  expect(Number.parseInt(await page.locator('#count').innerText(), 10)).toBe(Number(listed));
  await page.close();
});

it('the list of all facets has the decades of the facet “time”, not the years in them', async () => {
  const page = await open('browse/index.html');
  const time = page.locator('.facets section:has(h2 a[href$="time/index.html"])');
  const labels = await time.locator('li a').allInnerTexts();
  expect(labels.length).toBeGreaterThan(2);
  for (const label of labels) expect(label).toMatch(/^\d+0s$/);
  const decades = readdirSync(join(inject('mirror').dist, 'browse/time')).filter((name) => /^\d+s\.html$/.test(name));
  expect(await time.locator('h2 .count').innerText()).toBe(String(decades.length));
  await page.goto(`${mirror.url()}/browse/time/index.html`);
  expect(await page.locator('h1').innerText()).toBe('Time');
  await page.close();
});

it('the list of all facets has rows of links on a phone that are high enough for a finger', async () => {
  const page = await open('browse/index.html', { viewport: { width: 390, height: 844 } });
  const heights = await page.locator('.facets li').evaluateAll((rows) => rows.map((row) => row.clientHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(33);
  await page.close();
});

describe('an archive of many records and places', () => {
  const { path: directory, remove } = createSharedDirectory();
  const dist = join(directory, 'dist');
  beforeAll(async () => {
    const upstream = await startTestUpstream({ shared: true });
    addRecords(upstream, 60, (id) => {
      const n = Number(id.split('-').at(-1));
      const [lat, lng] = [44 + Math.sin(n * n) / 4, -63 + Math.cos(n * 7) / 3];
      return {
        ...{ title: `Lamp ${String.fromCharCode(90 - (n % 26))} ${n}`, creation: String(1960 - n) },
        geography: [{ term: `${'Upper '.repeat(n % 4)}Cove ${n}`, geo_lat: lat, geo_lng: lng }],
      };
    });
    const snapshot = join(directory, 'snapshot');
    await harvestInProcess(upstream, snapshot);
    await upstream.close();
    await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist]);
  });
  afterAll(remove);

  it.each([1280, 390])(
    'has a map whose labels cover nothing, also when it is enlarged and moved (%i pixels wide)',
    async (width) => {
      const page = await mirror.browser().newPage({ viewport: { width, height: 844 } });
      await page.goto(`${pathToFileURL(dist).href}/browse/place/index.html`);
      const counts: number[] = [];
      for (const key of ['', '+', '+', 'ArrowLeft', '+', 'ArrowUp', '0']) {
        await page.locator('[data-map="in"]').focus();
        if (key !== '') await page.keyboard.press(key);
        const { covered, labels } = await checkLabels(page);
        expect(covered, key).toEqual([]);
        counts.push(labels);
      }
      expect(Math.min(...counts)).toBeGreaterThan(0);
      expect(Math.max(...counts.slice(0, 2))).toBeGreaterThan(5);
      expect(counts.at(-1)).toBe(counts[0]);
      await page.goto(`${pathToFileURL(dist).href}/index.html`);
      expect((await checkLabels(page)).covered).toEqual([]);
      await page.close();
    },
  );

  it('has a collection with several pages, which is filtered and sorted as a whole in search, to which it links', async () => {
    const page = await mirror.browser().newPage();
    await page.goto(`${pathToFileURL(dist).href}/objects/demo-org-1.html`);
    expect(await page.locator('.contents .card').count()).toBe(50);
    expect(await page.locator('.contents-bar :is([data-filter], [data-order])').count()).toBe(0);
    const form = page.locator('.contents-search');
    expect(await form.locator('p').innerText()).toBe('This list has 2 pages. Search filters and sorts all of it.');
    await form.getByLabel('Sort by').selectOption('date');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/search\.html\?collection=Title\+of\+demo-org-1&(?:q=&)?sort=date$/);
    await page.locator('#results > li').first().waitFor();
    expect(await page.locator('#count').innerText()).toBe('61 results'); // with the collection itself
    expect(await page.locator('#results h2').first().innerText()).toBe('Lamp R 60');
    expect(await page.locator('#chips').innerText()).toContain('Title of demo-org-1');
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search this collection' }).fill('lamp');
    await form.getByLabel('Sort by').selectOption('title');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/search\.html\?q=lamp&collection=Title\+of\+demo-org-1&sort=title$/);
    await expect.poll(() => page.locator('#count').innerText()).toBe('60 results');
    expect(await page.locator('#results h2').first().innerText()).toBe('Lamp A 25');
    await page.close();
  });
});
