/** Pages as they are printed: the number of sheets, and what is on them. */
import { expect, it } from 'vitest';
import { useSiteInBrowser } from './chromium.ts';

const mirror = useSiteInBrowser();

/** Returns the number of A4 pages that a page takes, and the texts that are visible in print. */
async function print(path: string, prepare: () => void = () => undefined): Promise<{ pages: number; text: string }> {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'networkidle' });
  await page.evaluate(prepare);
  await page.emulateMedia({ media: 'print' });
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
  const text = await page.locator('body').innerText();
  await page.close();
  return { pages: pdf.match(/\/Type \/Page\b/g)?.length ?? 0, text };
}

it.each(['objects/lica-quay-1-1.html', 'objects/lica-quay-1-2.html', 'objects/lica-ferry-2-1.html'])(
  'a photograph takes one page, with its image, fields and citation: %s',
  async (path) => {
    const { pages, text } = await print(path);
    expect(pages).toBe(1);
    for (const words of ['Rights', 'Preferred citation', 'Chicago', 'Record harvested on']) expect(text).toContain(words);
    for (const words of ['Related records', 'Full record', 'BibTeX', 'Copy link']) expect(text).not.toContain(words);
  },
);

it('a finding aid is a booklet: what describes the whole, then the contents on pages of their own', async () => {
  const { pages, text } = await print('objects/lica-quay-1/contents.html');
  expect(pages).toBeGreaterThanOrEqual(3);
  for (const words of ['Inclusive dates', 'Scope and content', 'Preferred citation', 'Contents', 'Nets drying on the quay'])
    expect(text).toContain(words);
  expect(text).not.toContain('with narrower topics');
});

it('a document has all its pages', async () => {
  const document = await print('objects/lica-quay-2-1.html');
  expect(document.pages).toBeGreaterThan(1);
});

it('a transcript is printed whole, without the player', async () => {
  const { pages, text } = await print('objects/lica-ferry-1-1/transcript.html');
  expect(pages).toBeGreaterThan(0);
  expect(text).not.toContain('Playback');
});
