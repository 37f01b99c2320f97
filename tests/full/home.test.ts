/** The home page: featured records, by choice or by the day; ways to explore; a record by chance. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { useSiteInBrowser } from '../support/chromium.ts';
import { createSharedDirectory, runMicrofiche, runMicroficheJson } from '../support/commands.ts';

const mirror = useSiteInBrowser();

describe('featured records', () => {
  const shown = (page: Page) =>
    page
      .locator('.leads > li:visible a, .featured .card:visible a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  async function openOn(day: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const page = await mirror.browser().newPage(options);
    await page.clock.setFixedTime(new Date(`${day}T12:00:00`));
    await page.goto(`${mirror.url()}/index.html`, { waitUntil: 'load' });
    return page;
  }

  it('are one large image and five cards, all in the page so that builds are the same', async () => {
    const page = await openOn('2026-11-21');
    expect(await shown(page)).toHaveLength(6);
    expect(await page.locator('.featured .card').count()).toBeGreaterThan(10);
    const lead = page.locator('.leads > li:visible img');
    // It is loaded once the script shows it, and 'load' does not wait for that.
    await expect.poll(() => lead.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(500);
    await page.close();
  });

  it('are other ones the next day, and the same ones later that day', async () => {
    const [first, second] = [await openOn('2026-11-21'), await openOn('2026-11-22')];
    const [today, tomorrow] = [await shown(first), await shown(second)];
    expect(new Set([...today, ...tomorrow]).size).toBe(12);
    await first.clock.setFixedTime(new Date('2026-11-21T23:30:00'));
    await first.reload();
    expect(await shown(first)).toEqual(today);
    for (const page of [first, second]) await page.close();
  });

  it('take the same space with titles of any length, and have the date right below the title', async () => {
    const page = await openOn('2026-11-21');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const { heights, gaps } = await page.locator('.leads > li, .featured .card').evaluateAll((items) => {
        const shownAlone = (item: Element) => {
          const list = item.parentElement as HTMLElement;
          const [first] = list.children;
          list.prepend(item);
          const words = document.createRange();
          words.selectNodeContents(item.querySelector('.lead-title, .card-title') as Element);
          const title = words.getBoundingClientRect();
          const date = item.querySelector('.lead-date, .card-facts')?.getBoundingClientRect();
          const measured = { list: list.className, height: list.clientHeight, gap: (date?.top ?? 0) - title.bottom };
          first?.before(item);
          return measured;
        };
        const all = items.map(shownAlone);
        return {
          heights: new Set(all.map(({ list, height }) => `${list} ${height}`)).size,
          gaps: all.filter(({ gap }) => gap > 8).length,
        };
      });
      expect({ heights, gaps }).toEqual({ heights: 2, gaps: 0 });
    }
    await page.close();
  });

  it('are shown without JavaScript too', async () => {
    const page = await mirror.browser().newPage({ javaScriptEnabled: false });
    await page.goto(`${mirror.url()}/index.html`, { waitUntil: 'load' });
    expect(await shown(page)).toHaveLength(6);
    expect(await page.getByText('Random item').isVisible()).toBe(false);
    await page.close();
  });
});

describe('on this day', () => {
  it.each(['http', 'file'])('shows the records of today’s month and day, and nothing if none is (%s)', async (scheme) => {
    const top = scheme === 'http' ? mirror.url() : pathToFileURL(inject('mirror').dist).href;
    const page = await mirror.browser().newPage();
    const section = page.locator('.on-this-day');
    await page.clock.setFixedTime(new Date('2026-06-12T12:00:00'));
    await page.goto(`${top}/index.html`);
    expect(await section.locator('h2').innerText()).toBe('On this day');
    const shown = await section.locator('li').allInnerTexts();
    expect(shown.length).toBeGreaterThan(0);
    for (const text of shown) expect(text).toMatch(/\S\s+June 12, \d{4}$/);
    await section.locator('li a').first().click();
    await page.waitForURL('**/objects/*.html');
    expect(await page.locator('.object').innerText()).toMatch(/June 12, \d{4}|12 June \d{4}/);
    await page.clock.setFixedTime(new Date('2026-12-31T12:00:00'));
    await page.goto(`${top}/index.html`);
    expect([await section.isVisible(), await section.locator('li').count()]).toEqual([false, 0]);
    await page.close();
  });

  it('is not shown without JavaScript', async () => {
    const page = await mirror.browser().newPage({ javaScriptEnabled: false });
    await page.goto(`${mirror.url()}/index.html`);
    expect(await page.getByText('On this day').isVisible()).toBe(false);
    await page.close();
  });
});

describe('the option --featured', () => {
  const { path: directory, remove } = createSharedDirectory();
  const out = join(directory, 'dist');
  const build = (...options: string[]) =>
    runMicroficheJson<BuildReport>(['build', '--snapshot', inject('mirror').snapshot, '--out', out, ...options]);
  let reports: BuildReport[];
  beforeAll(async () => {
    reports = [
      await build(),
      await build('--featured', 'lica-quay-1-7', 'lica-quay-1', '--featured', 'lica-ferry-1-1', 'lica-quay-1-999'),
    ];
  });

  afterAll(remove);

  it('chooses the records, in their order, with the first one large', () => {
    const html = readFileSync(join(out, 'index.html'), 'utf8');
    expect(html.replace(/<section class="home-voice".*?<\/section>/s, '')).not.toContain('data-daily');
    const [, leads = '', rest = ''] =
      /<ul class="leads"(.*?)<\/ul>.*?<section class="featured"(.*?)<\/section>/s.exec(html) ?? [];
    const links = (part: string) => [...part.matchAll(/href="(objects\/[^"]+)"/g)].map(([, href]) => href);
    expect(links(leads)).toEqual(['objects/lica-quay-1-7.html']);
    expect(links(rest)).toEqual(['objects/lica-quay-1.html', 'objects/lica-ferry-1-1.html']);
  });

  it('reports records that the site does not have', () => {
    expect(reports[1]?.pageProblems).toContainEqual({
      page: 'index.html',
      cause: 'The featured record lica-quay-1-999 is not in this site',
    });
  });

  it('renders only pages that show data of the entire archive again', () => {
    const [first, second] = reports.map(({ rebuilt }) => rebuilt.pages);
    expect(second).toBeLessThan((first as number) / 5);
  });

  it('names what is not a record ID in one sentence', async () => {
    const { code, stderr } = await runMicrofiche(['build', '--featured', 'no id', '--out', out]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain('"no id" is not a record ID.');
  });
});

describe('the ways to explore', () => {
  it('are people, collections, topics and facilities, each with a sentence and examples', async () => {
    const page = await mirror.browser().newPage();
    await page.goto(`${mirror.url()}/index.html`);
    expect(await page.locator('.ways h3 a').allInnerTexts()).toEqual(['People', 'Collections', 'Topics', 'Facilities']);
    for (const way of await page.locator('.ways > section').all()) {
      expect(await way.locator('p').innerText()).toMatch(/\.$/);
      expect(await way.locator('.way-examples a').count()).toBeGreaterThan(0);
    }
    await page.close();
  });
});

describe('the decades', () => {
  it('have their names and numbers of records, on the bars and for screen readers', async () => {
    const page = await mirror.browser().newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${mirror.url()}/index.html`);
    const decade = page.getByRole('navigation', { name: 'Decades' }).getByRole('link', { name: /^1940s: \d+ records$/ });
    const [, count = ''] = /: (\d+)/.exec((await decade.textContent()) ?? '') ?? [];
    const words = await decade.locator('[aria-hidden]').allTextContents();
    expect(words.map((text) => text.trim())).toEqual([count, '1940s']);
    // On a phone, every third label fits.
    const shown = (await page.locator('.decades .bar-label').allInnerTexts()).map((label) => label !== '');
    expect(shown).toEqual(shown.map((_, n) => n % 3 === 0));
    expect(await page.getByRole('link', { name: '1970s: 0 records' }).locator('.column-count').innerText()).toBe('0');
    const bars = await page.locator('.decades .column').evaluateAll((columns) =>
      columns.map((column) => {
        const [number, bar] = [column.querySelector('.column-count'), column.querySelector('svg')];
        const bottom = number?.getBoundingClientRect().bottom ?? 0;
        return {
          count: Number(number?.textContent),
          height: bar?.clientHeight ?? 0,
          gap: (bar?.getBoundingClientRect().top ?? bottom) - bottom,
        };
      }),
    );
    for (const bar of bars) expect([bar.height > 0, Math.abs(bar.gap) <= 1]).toEqual([bar.count > 0, true]);
    const most = bars.reduce((one, other) => (other.count > one.count ? other : one));
    for (const bar of bars)
      if (bar.count > 0.1 * most.count) expect(bar.height / most.height).toBeCloseTo(bar.count / most.count, 1);
    await page.close();
  });

  it.each(['http', 'file'])('open the decade on the timeline, also with keys (%s)', async (scheme) => {
    const top = scheme === 'http' ? mirror.url() : pathToFileURL(inject('mirror').dist).href;
    const page = await mirror.browser().newPage({ viewport: { width: 1280, height: 500 } });
    await page.goto(`${top}/index.html`);
    await page.locator('.decades a[href$="#y1950"]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/browse\/time\/index\.html#y1960$/);
    const target = page.locator('.timeline > li:target');
    expect(await target.locator('.decade').innerText()).toBe('1960s');
    const box = await target.boundingBox();
    expect(box && box.y >= 0 && box.y < 500).toBe(true);
    const background = (item: typeof target) => item.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await background(target)).not.toBe(await background(page.locator('#y1950')));
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.timeline > li')?.id)).toBe('y1960');
    await page.close();
  });
});

it.each(['http', 'file'])('opens an item by chance (%s)', async (scheme) => {
  const top = scheme === 'http' ? mirror.url() : pathToFileURL(inject('mirror').dist).href;
  const page = await mirror.browser().newPage();
  const seen = new Set<string>();
  for (let i = 0; i < 3; i++) {
    await page.goto(`${top}/index.html`);
    await page.getByText('Random item').click();
    await page.waitForURL('**/objects/*.html');
    seen.add(page.url());
  }
  expect(seen.size).toBeGreaterThan(1); // by chance fewer in one of 30,000 runs
  await page.close();
});
