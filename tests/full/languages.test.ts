/** Builds with several languages: all pages in each, links between them, and search. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { collectPageErrors, startChromium, waitForSearch } from '../support/chromium.ts';
import { readFiles, runMicrofiche, startServe } from '../support/commands.ts';
import { sharedSite } from '../support/shared-sites.ts';

let browser: Browser;
let dist: string;
let site: Awaited<ReturnType<typeof startServe>>;
let pages: Map<string, string>;

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
});

async function build(...languages: string[]): Promise<void> {
  dist = await sharedSite('--languages', languages.join(','));
  pages = new Map(
    [...readFiles(dist)].filter(([path]) => path.endsWith('.html')).map(([path, bytes]) => [path, bytes.toString()]),
  );
}

it('has every page in each language, with links to the other languages', async () => {
  await build('en', 'es', 'ja');
  const top = [...pages.keys()].filter((path) => !/^(?:es|ja)\//.test(path));
  for (const language of ['es', 'ja']) {
    expect([...pages.keys()].filter((path) => path.startsWith(`${language}/`))).toEqual(
      top.map((path) => `${language}/${path}`).sort(),
    );
  }
  for (const [path, html] of pages) {
    const [language, own] = /^(es|ja)\/(.*)$/.exec(path)?.slice(1) ?? ['en', path];
    expect(html, path).toContain(`<html lang="${language}">`);
    const up = '../'.repeat(path.split('/').length - 1);
    for (const other of ['', 'es/', 'ja/'])
      expect(html, path).toContain(`href="${up}${other}${own}" lang="${other.slice(0, 2) || 'en'}"`);
  }
  const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 broken links, 0 network references')]);
});

it.each([1280, 800, 390])(
  'has the links of the header in the order in which Tab reaches them (%i pixels wide)',
  async (width) => {
    await build('en', 'es', 'ja');
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    await page.goto(pathToFileURL(join(dist, 'browse/index.html')).href);
    const reached: Array<{ name: string; x: number; y: number }> = [];
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const { activeElement: element } = document;
        if (!element?.matches('.masthead *')) return undefined;
        const { x, y, height } = element.getBoundingClientRect();
        return { name: element.textContent?.trim() ?? '', x, y: Math.round(y + height / 2) };
      });
      if (focused) reached.push(focused);
      else if (reached.length > 0) break;
    }
    const names = reached.map(({ name }) => name);
    // On a phone, the search button is beside the title.
    expect(names.slice(0, 3)).toEqual(['Lantern Islands Community Archive', 'EN', 'Collections']);
    expect(names.length).toBeGreaterThan(7);
    const rows = width === 390 ? reached.slice(0, 7) : reached;
    const inRow = (a: number, b: number) => Math.abs(a - b) < 15;
    const sorted = rows.toSorted((a, b) => (inRow(a.y, b.y) ? a.x - b.x : a.y - b.y));
    expect(rows).toEqual(sorted);
    await page.close();
  },
);

it('has dates, roles and citations in the language of each page, and the archive’s words in the full record', async () => {
  await build('en', 'es', 'ja');
  const rowsOf = (path: string, name: string) =>
    [...(pages.get(path) ?? '').matchAll(new RegExp(`data-field="${name}"><dt>(.*?)</dt>(.*?)</div>`, 'g'))].map(
      ([, label = '', values = '']) => `${label}: ${values.replace(/<[^>]+>/g, '')}`,
    );
  const interview = 'objects/lica-ferry-1-1.html';
  const shown = (prefix: string) =>
    ['creation', 'creators', 'extent', 'date_words'].map((name) => rowsOf(prefix + interview, name));
  expect(shown('')).toEqual([
    ['Date: June 2, 2010'],
    ['Narrator: Leif Vane', 'Interviewer: Bram Ousel'],
    ['Length: 2:11:09'],
    [],
  ]);
  expect(shown('es/')).toEqual([
    ['Fecha: 2 de junio de 2010'],
    ['Narrador/a: Leif Vane', 'Entrevistador/a: Bram Ousel'],
    ['Duración: 2:11:09'],
    ['Fecha tal como consta: June 2, 2010'],
  ]);
  expect(shown('ja/').slice(0, 2)).toEqual([['日付: 2010年6月2日'], ['語り手: Leif Vane', '聞き手: Bram Ousel']]);
  expect(rowsOf('es/objects/lica-quay-1.html', 'unitdateinclusive')).toEqual(['Fechas: 1908–1961']);
  expect(rowsOf('es/objects/lica-quay-1.html', 'date_words')).toEqual([]);
  const citation = /<div class="citations".*?<dd>(.*?)<\/dd>/s.exec(pages.get(`es/${interview}`) ?? '')?.[1];
  expect(citation).toMatch(
    /entrevista de Bram Ousel\. Entrevista, 2 de junio de 2010\. .* Consultado el \d+ de \p{L}+ de \d{4}\./u,
  );
});

it('has en dashes in spans of years, except in titles and the formats of citations', async () => {
  await build('en', 'es', 'ja');
  const spans = [...pages].flatMap(([path, html]) => {
    const text = html
      .replace(/<(script|pre|style|h1|title)[ >].*?<\/\1>/gs, '')
      .replace(/<dd class="code">.*?<\/dd>/gs, '')
      .replace(/<div data-field="date_words">.*?<\/div>/gs, '')
      .replace(/<[^>]+>/g, '\n');
    return [...text.matchAll(/(?<![\w./-])\d{4}-\d{2,4}(?![\d-])/g)].map(([span]) => `${path}: ${span}`);
  });
  expect(spans).toEqual([]);
});

it('has no language links in a build with one language, regardless of the language', async () => {
  await build('ja');
  expect(pages.get('index.html')).toContain('<html lang="ja">');
  expect([...pages.values()].some((html) => html.includes('hreflang'))).toBe(false);
});

it('names the same page in other languages to search engines by its complete URL, if it is known', async () => {
  await build('en', 'es', 'ja');
  expect(pages.get('index.html')).not.toContain('<link rel="alternate" hreflang');
  const published = await sharedSite('--languages', 'en,es,ja', '--site', 'https://mirror.example/archive/');
  const html = readFileSync(join(published, 'es/browse/index.html'), 'utf8');
  expect([...html.matchAll(/<link rel="alternate" hreflang="(..)" href="([^"]+)"/g)].map(([, ...found]) => found)).toEqual([
    ['en', 'https://mirror.example/archive/browse/'],
    ['es', 'https://mirror.example/archive/es/browse/'],
    ['ja', 'https://mirror.example/archive/ja/browse/'],
  ]);
  const { code, stdout } = await runMicrofiche(['verify', '--dir', published]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 broken links, 0 network references')]);
});

it('searches in each language, with texts in that language', async () => {
  await build('en', 'es', 'ja');
  site = await startServe(['--snapshot', inject('mirror').snapshot, '--dir', dist]);
  try {
    const page = await browser.newPage();
    const problems = collectPageErrors(page, site.url);
    await page.goto(`${site.url}/es/search.html?q=harbour`);
    await page.locator('.results li').first().waitFor();
    expect(await page.locator('#count').innerText()).toMatch(/^\d+ resultados(?:, agrupados por entrevista)?$/);
    await page.locator('details[data-filter="model"] label', { hasText: /^\s*Documento/ }).click();
    await page.waitForFunction(() => location.search.includes('model=entity'));
    await waitForSearch(page);
    await page.locator('.results a').first().click();
    await page.waitForURL('**/es/objects/*.html');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: '日本語' }).click();
    await page.waitForURL('**/ja/objects/*.html');
    expect(
      await page
        .locator('img')
        .evaluateAll((found) =>
          found.filter((img) => (img as HTMLImageElement).complete).every((img) => (img as HTMLImageElement).naturalWidth > 0),
        ),
    ).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  } finally {
    await site.stop();
  }
});

it('rejects an unknown language', async () => {
  const { code, stderr } = await runMicrofiche(['build', '--languages', 'en,tlh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('"tlh" is not one of en, es, ja, fr, ar')]);
});
