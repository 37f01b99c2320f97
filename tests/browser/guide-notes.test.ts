/** The notes of a guide page: beside the text in a wide window, one at a time in a narrow one, in a list on paper. */
import { expect, it } from 'vitest';
import { useSiteInBrowser } from '../support/chromium.ts';

const PAGE = 'guide/the-ferry-constance.html';
const mirror = useSiteInBrowser();

async function open(width: number) {
  const page = await mirror.browser().newPage({ viewport: { width, height: 900 } });
  await page.goto(`${mirror.url()}/${PAGE}`);
  await page.locator('.side-note').first().waitFor({ state: 'attached' });
  return page;
}

it('are beside the text in a wide window, each once, not above its mark, and none over another', async () => {
  const page = await open(1440);
  const notes = await page.locator('.side-note').evaluateAll((all) =>
    all.map((note) => {
      const { left, top, bottom } = note.getBoundingClientRect();
      const hash = note.querySelector('a')?.hash ?? '';
      const mark = document.querySelector(`.guide-texts a[href="${hash}"]`)?.getBoundingClientRect();
      return { hash, text: note.textContent, left, top, bottom, markTop: mark?.top ?? 0, markRight: mark?.right ?? 0 };
    }),
  );
  expect(notes).toHaveLength(6);
  expect(new Set(notes.map(({ hash }) => hash)).size).toBe(6);
  const end = await page.locator('.guide-side > :last-child').evaluate((side) => side.getBoundingClientRect().bottom);
  for (const [i, note] of notes.entries()) {
    expect(note.text).not.toContain('↑');
    expect(note.left).toBeGreaterThan(note.markRight);
    expect(note.top).toBeGreaterThanOrEqual(Math.max(end, notes[i - 1]?.bottom ?? 0, note.markTop - 1));
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.side-note:visible').count()).toBe(0);
  await page.close();
});

it('open beside their marks in a narrow window', async () => {
  const page = await open(390);
  expect(await page.locator('.side-note:visible').count()).toBe(0);
  await page.locator('.guide-texts a[href="#text-cite_note-2"]').first().click();
  expect(await page.locator('.note-box').innerText()).toMatch(/^\[2\] Petition for a second ferry no\. 10, 1919/);
  await page.close();
});

it('a guide page has facts for readers: dates in words, long texts folded, and a map of where it is', async () => {
  const page = await open(1440);
  const facts = await page.locator('.guide-side dl > div').allInnerTexts();
  expect(facts.map((fact) => fact.replace(/\s+/g, ' ').trim())).toEqual(
    expect.arrayContaining(['Launched May 1, 1919', 'Last Crossing June 12, 1950']),
  );
  expect(await page.locator('.guide-side details summary').innerText()).toMatch(/^A single-screw steamer .*…$/);
  expect(await page.locator('.guide-side .map').count()).toBe(1);
  await page.close();
});
