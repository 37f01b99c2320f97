/** Pages as they are printed: the number of sheets, and what is on them. */
import { execa } from 'execa';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { programFile } from '../scripts/setup/programs.ts';
import { useSiteInBrowser } from './chromium.ts';

const mirror = useSiteInBrowser();

/** Sizes of paper. */
type Paper = 'A4' | 'Letter';

/** Returns the number of sheets that an open page takes, and their text. */
async function printPage(page: Page, format: Paper = 'A4'): Promise<{ pages: number; text: string }> {
  const pdf = await page.pdf({ format, preferCSSPageSize: true });
  const { stdout } = await execa(programFile('pdftotext'), ['-layout', '-', '-'], { input: pdf });
  return { pages: pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0, text: stdout };
}

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
    for (const words of ['Rights', 'Preferred citation', 'Chicago', 'Record harvested on']) expect(text).toContain(words);
    for (const words of ['Related records', 'Full record', 'BibTeX', 'Copy link']) expect(text).not.toContain(words);
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

it('a finding aid is a booklet: what describes the whole, then the contents on pages of their own', async () => {
  const { pages, text } = await print('objects/lica-quay-1/contents.html');
  expect(pages).toBeGreaterThanOrEqual(3);
  for (const words of ['Inclusive dates', 'Scope and content', 'Preferred citation', 'Contents', 'Nets drying on the quay'])
    expect(text).toContain(words);
  expect(text).not.toContain('with narrower topics');
});

it('a document has all its pages', async () => {
  const document = await print('objects/lica-quay-2-1.html');
  expect(document.pages).toBe(3);
});

it('a transcript is printed whole, without the player', async () => {
  const { pages, text } = await print('objects/lica-ferry-1-1/transcript.html');
  expect(pages).toBe(1);
  expect(text).not.toContain('Playback');
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
  expect(labels).toEqual(expect.arrayContaining(['BibTeX', '×']));
  for (const words of [...labels, 'kept in this browser']) expect(text).not.toContain(words);
});
