/** Pages as they are printed: the number of sheets, and what is on them. */
import { execa } from 'execa';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { useSiteInBrowser } from '../support/chromium.ts';

const mirror = useSiteInBrowser();

/** Sizes of paper. */
type Paper = 'A4' | 'Letter';

/** Returns the number of sheets that an open page takes, and their text. */
async function printPage(page: Page, format: Paper = 'A4'): Promise<{ pages: number; text: string }> {
  const sheets = await readSheets(await page.pdf({ format, preferCSSPageSize: true }));
  return { pages: sheets.length, text: sheets.map(({ text }) => text).join(' ') };
}

/**
 * A sheet: its text, the last line, and how far down its words reach, from 0 to 1. The number of the sheet does not count.
 * Between words is one space: how many spaces and lines pdftotext writes there depends on the fonts of the machine.
 */
interface Sheet {
  text: string;
  lastLine: string;
  filled: number;
}

/** Returns the sheets that a page takes. */
async function printSheets(path: string, format: Paper): Promise<Sheet[]> {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'networkidle' });
  const pdf = await page.pdf({ format, preferCSSPageSize: true });
  await page.close();
  return readSheets(pdf);
}

async function readSheets(pdf: Buffer): Promise<Sheet[]> {
  const extract = async (option: string) => (await execa(programFile('pdftotext'), [option, '-', '-'], { input: pdf })).stdout;
  const [layout, boxes] = await Promise.all([extract('-layout'), extract('-bbox')]);
  const texts = layout.split('\f');
  const withOneSpace = (text = '') => text.replace(/\s+/g, ' ').trim();
  return boxes
    .split('<page ')
    .slice(1)
    .map((sheet, i) => {
      const height = Number(/height="([\d.]+)"/.exec(sheet)?.[1]);
      const lows = [...sheet.matchAll(/yMax="([\d.]+)"/g)].map(([, low]) => Number(low));
      const lines = (texts[i] ?? '').trim().split('\n').slice(0, -1);
      return {
        text: withOneSpace(texts[i]),
        lastLine: withOneSpace(lines.findLast((line) => line.trim() !== '')),
        filled: Math.max(...lows.filter((low) => low < height - PAGE_MARGIN)) / (height - PAGE_MARGIN),
      };
    });
}
/** The margin of a sheet, in points: 1.5 cm. */
const PAGE_MARGIN = 42.5;

/** Returns the number of sheets that a page takes, and the texts that are visible in print. */
async function print(path: string, format?: Paper): Promise<{ pages: number; text: string }> {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'networkidle' });
  await page.emulateMedia({ media: 'print' });
  const { pages } = await printPage(page, format);
  const text = await page.locator('body').innerText();
  await page.close();
  return { pages, text };
}

const PHOTOGRAPHS = ['objects/lica-quay-1-1.html', 'objects/lica-quay-1-2.html', 'objects/lica-ferry-2-1.html'];
it.each(PHOTOGRAPHS.flatMap((path) => (['A4', 'Letter'] as const).map((format) => ({ path, format }))))(
  'a photograph takes one page of $format, with its image, fields and citation: $path',
  async ({ path, format }) => {
    const { pages, text } = await print(path, format);
    expect(pages).toBe(1);
    for (const words of ['Rights', 'Cite this', 'Chicago', 'Record harvested on']) expect(text).toContain(words);
    for (const words of ['Related records', 'Full record', 'APA', 'BibTeX', 'Copy link']) expect(text).not.toContain(words);
  },
);

it('what is in the public domain has no background, and the citation is not divided', async () => {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/objects/lica-ferry-1-1-1.html`);
  await page.emulateMedia({ media: 'print' });
  const badge = await page.locator('.badge.free').evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return { backgroundColor, ownColor: color !== getComputedStyle(document.body).color };
  });
  expect(badge).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', ownColor: false });
  expect(await page.locator('.citations').evaluate((element) => getComputedStyle(element).breakInside)).toBe('avoid');
  await page.close();
});

const FINDING_AIDS = ['objects/lica-quay-1/contents.html', 'objects/lica-ferry-1/contents.html'];
it.each(FINDING_AIDS.flatMap((path) => (['A4', 'Letter'] as const).map((format) => ({ path, format }))))(
  'a finding aid is a booklet on $format: a cover, what describes the whole, then the contents with their IDs, on full pages: $path',
  async ({ path, format }) => {
    const [cover, ...sheets] = await printSheets(path, format);
    const id = path.split('/')[1];
    for (const words of ['Finding aid', `ID ${id}`, 'Dates', 'Record harvested on'])
      expect(cover?.text).toMatch(new RegExp(words, 'i'));
    expect(cover?.text).not.toContain('Scope and content');
    const front = `${sheets[0]?.text}${sheets[1]?.text}`;
    for (const words of ['Scope and content', 'Rights and credit', 'Preferred citation', 'Contents', `${id}-1`])
      expect(front).toContain(words);
    expect(sheets.at(-1)?.text).toMatch(/^Title Date ID/);
    for (const { filled, lastLine } of sheets.slice(0, -1)) {
      expect(filled).toBeGreaterThan(0.8);
      expect(lastLine).not.toMatch(/^(?:Rights and credit|Contents.*|Title Date ID)$/);
    }
  },
);

it.each(['A4', 'Letter'] as const)(
  'a document on %s has a page that describes it, and one for each large image',
  async (format) => {
    const [first, ...others] = await printSheets('objects/lica-quay-2-1.html', format);
    for (const words of ['Date', 'Cite this', 'Details', 'Rights and credit', 'Pages 3', 'Record harvested on'])
      expect(first?.text).toContain(words);
    expect(others.map(({ text }) => /\d\. Page \d of Postcard from the mainland/.exec(text)?.[0])).toEqual(
      [1, 2, 3].map((n) => `${n}. Page ${n} of Postcard from the mainland`),
    );
    // The caption is below the image.
    for (const sheet of [first, ...others]) expect(sheet?.filled).toBeGreaterThan(0.7);
  },
);

const SHORT_PAGES = ['objects/lica-ferry-1-3-1.html', 'guide/flood-of-1947.html'];
it.each(SHORT_PAGES.flatMap((path) => (['A4', 'Letter'] as const).map((format) => ({ path, format }))))(
  'a segment and a guide page take one page of $format if they are short: $path',
  async ({ path, format }) => {
    const sheets = await printSheets(path, format);
    expect(sheets).toHaveLength(1);
    expect(sheets[0]?.text).toContain('Offline copy of');
  },
);

it('an interview is printed with its segments, on one page of A4', async () => {
  const { pages, text } = await print('objects/lica-ferry-1-1.html', 'A4');
  expect(pages).toBe(1);
  expect(text).toContain('Segment 4: Lantern makers of the quay');
});

it('the results of a search are printed with its words and their number, without controls', async () => {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/search.html?q=gulls`);
  await page.locator('#results[aria-busy="false"] > li').first().waitFor();
  const { pages, text } = await printPage(page);
  await page.close();
  expect(pages).toBe(1);
  expect(text).toContain('results, grouped by interview');
  for (const words of ['Filters', 'Relevance', 'Show more', 'Grid', 'Shown here']) expect(text).not.toContain(words);
});

it.each(['list', 'gallery'])(
  'no result of a search is divided between two sheets, and the print-out says that it has the first ones: %s',
  async (shape) => {
    const page = await mirror.browser().newPage();
    await page.goto(`${mirror.url()}/search.html?q=ferry`);
    await page.locator('#results[aria-busy="false"] > li').first().waitFor();
    await page.locator(`[name="results-shape"][value="${shape}"]`).check({ force: true });
    const ends = await page.locator('#results > li').evaluateAll((results) =>
      results.map((result, i) => {
        for (const side of ['top', 'bottom']) {
          const mark = Object.assign(document.createElement('span'), { textContent: `${side}${i}.` });
          mark.style.cssText = `position: absolute; inset-inline-start: 0; ${side}: 0`;
          result.append(mark);
        }
        return i;
      }),
    );
    const sheets = await readSheets(await page.pdf({ format: 'A4', preferCSSPageSize: true }));
    await page.close();
    expect(sheets.length).toBeGreaterThan(1);
    const divided = ends.filter((i) => sheets.some(({ text }) => text.includes(`top${i}.`) !== text.includes(`bottom${i}.`)));
    expect([ends.length, divided]).toEqual([20, []]);
    expect(sheets.at(-1)?.text).toMatch(/Shown here: the first 20 of \d+ entries\./);
  },
);

it('a segment with captions, a transcript and a glossary takes one page of A4 if they are short', async () => {
  expect((await print('objects/lica-ferry-1-1-1.html', 'A4')).pages).toBe(1);
});

it('the footer is never alone on a page', async () => {
  for (const path of ['objects/lica-quay-1.html', 'objects/lica-ferry-1-1-1.html', 'people/leif-vane.html'])
    expect((await printSheets(path, 'Letter')).at(-1)?.text, path).not.toMatch(/^An offline copy/);
});

it('a transcript is printed whole, without the player', async () => {
  const { pages, text } = await print('objects/lica-ferry-1-1/transcript.html');
  expect(pages).toBe(1);
  expect(text).not.toContain('Playback');
});

it.each([
  ['objects/lica-ferry-1-1/transcript.html', 'lica-ferry-1-1'],
  ['objects/lica-ferry-1-1-1.html', 'lica-ferry-1-1-1'],
])('a transcript is printed with its citation, ID, rights and address at its end: %s', async (path, id) => {
  const sheets = await printSheets(path, 'A4');
  const text = sheets.map((sheet) => sheet.text).join(' ');
  const end = text.split(/gulls knew it|two islands/).at(-1);
  expect(end).toMatch(new RegExp(`Cite this Chicago Vane, Leif\\. .*ID ${id} Rights Public domain .*Address http\\S+/${id}/`));
});

it('lists are printed without the buttons that save records', async () => {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/objects/lica-quay-1.html`);
  await page.locator('.save-item').first().click();
  expect(await page.locator('.saved-link:visible, .save-item:visible').count()).toBeGreaterThan(40);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.saved-link:visible, .save-item:visible').count()).toBe(0);
  await page.close();
});

it('a collection and a segment are printed with a citation, and without controls', async () => {
  const page = await mirror.browser().newPage();
  await page.emulateMedia({ media: 'print' });
  for (const path of ['objects/lica-quay-1.html', 'objects/lica-ferry-1-1-1.html']) {
    await page.goto(`${mirror.url()}/${path}`);
    expect(await page.locator('.shapes:visible, .cite-fold > summary:visible, .finding-aid-link:visible').count()).toBe(0);
    expect(await page.locator('.citations dd').first().isVisible()).toBe(true);
  }
  await page.close();
});

it('a list of saved items is printed with titles and citations, without its buttons', async () => {
  const page = await mirror.browser().newPage();
  for (const id of ['lica-quay-1-7', 'lica-quay-1-1']) {
    await page.goto(`${mirror.url()}/objects/${id}.html`);
    await page.locator('[data-save]').click();
  }
  await page.goto(`${mirror.url()}/saved.html`);
  await page.locator('#saved li').first().waitFor();
  const titles = await page.locator('#saved a').allInnerTexts();
  const labels = await page.locator('#own button:visible').allInnerTexts();
  const { pages, text } = await printPage(page);
  await page.close();
  expect([pages, titles.length]).toEqual([1, 2]);
  for (const title of titles) expect(text).toContain(title);
  expect(labels).toEqual(expect.arrayContaining(['Copy citations', '×']));
  for (const words of [...labels, 'kept in this browser']) expect(text).not.toContain(words);
});
