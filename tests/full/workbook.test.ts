/** Saved items as a reader's workbook, from file:// in Chromium: notes, order, headings, moments, files, exports; all results. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import type { SavedEntry } from '../../src/reader/saved/saved-list.ts';
import { collectPageErrors, findAxeViolations, startChromium, waitForSearch } from '../support/chromium.ts';
import { createTestDirectory } from '../support/commands.ts';

const [FLOOD, NETS, SEGMENT] = ['lica-quay-1-7', 'lica-quay-1-1', 'lica-ferry-1-1-1'] as const;

let browser: Browser;
let page: Page;
let problems: string[];
let top: string;
beforeAll(async () => {
  browser = await startChromium();
  top = pathToFileURL(inject('mirror').dist).href;
});
afterAll(() => browser?.close());
/** Opens a window with nothing saved: another browser. */
async function openWindow(): Promise<void> {
  await page?.context().close();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  problems = collectPageErrors(page, top);
}
beforeEach(openWindow);

async function save(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await page.goto(`${top}/objects/${id}.html`);
    await page.locator('[data-save]').click();
  }
  await page.goto(`${top}/saved.html`);
}
/** Presses a button of a row with the keyboard. */
async function press(row: number, act: 'up' | 'down' | 'remove'): Promise<void> {
  await page.locator(`#saved > li:nth-child(${row}) [data-act="${act}"]`).focus();
  await page.keyboard.press('Enter');
}
const rows = () =>
  page
    .locator('#saved > li')
    .evaluateAll((all) =>
      all.map((row) => row.querySelector<HTMLInputElement>('h2 input')?.value ?? row.querySelector('a')?.textContent),
    );
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
/** Clicks a button, and returns the file that it offers. */
async function download(selector: string): Promise<{ name: string; text: string; file: string }> {
  const [offered] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()]);
  const file = join(createTestDirectory(), offered.suggestedFilename());
  await offered.saveAs(file);
  return { name: offered.suggestedFilename(), text: readFileSync(file, 'utf8'), file };
}
async function openFile(file: string): Promise<string> {
  await page.locator('#opened').evaluate((said) => said.replaceChildren());
  await page.locator('#file').setInputFiles(file);
  await page.locator('#opened:not(:empty)').waitFor();
  return page.locator('#opened').innerText();
}
const titleOf = { flood: 'After the flood', nets: 'Nets drying on the quay', segment: /First day on the ferries$/ };

it('keeps notes, headings and the order of the reader, who needs no mouse', async () => {
  await save(FLOOD, NETS);
  const note = page.getByLabel(`Note: ${titleOf.nets}`);
  await note.focus();
  await page.keyboard.type('Who is the second man?');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ask Hugo.');
  await page.reload();
  expect(await note.inputValue()).toBe('Who is the second man?\nAsk Hugo.');
  // All of it is seen.
  expect(await note.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThanOrEqual(0);

  await press(1, 'down');
  expect(await rows()).toEqual([titleOf.nets, titleOf.flood]);
  expect(await focused()).toBe(`Move down: ${titleOf.flood}`);
  expect(await page.locator('#said-of-list').textContent()).toBe(`2 of 2: ${titleOf.flood}`);
  await page.keyboard.press('Enter'); // there is nothing below
  expect([await rows(), await focused()]).toEqual([[titleOf.nets, titleOf.flood], `Move down: ${titleOf.flood}`]);
  await press(2, 'up');
  expect([await rows(), await focused()]).toEqual([[titleOf.flood, titleOf.nets], `Move up: ${titleOf.flood}`]);

  // A heading is added where the reader is.
  await note.focus();
  await page.locator('#heading').focus();
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('Heading');
  await page.keyboard.type('Boats');
  expect(await rows()).toEqual([titleOf.flood, 'Boats', titleOf.nets]);
  await press(2, 'up');
  expect(await focused()).toBe('Move up: Boats');
  await page.reload();
  expect(await rows()).toEqual(['Boats', titleOf.flood, titleOf.nets]);
  expect(await page.getByRole('heading', { name: 'Boats' }).count()).toBe(1);
  expect(await page.locator('.saved-link .count').textContent()).toBe('2');

  await press(1, 'remove');
  expect(await focused()).toBe(`Remove: ${titleOf.flood}`);
  await page.locator('#undo').click();
  expect(await rows()).toEqual(['Boats', titleOf.flood, titleOf.nets]);
  expect(problems).toEqual([]);
  expect(await findAxeViolations(page)).toEqual([]);
});

it('does not remove what a reader has written from another page', async () => {
  await save(NETS);
  await page.locator('#saved textarea').fill('Mine');
  await page.goto(`${top}/objects/${NETS}.html`);
  await page.locator('[data-save][aria-pressed="true"]').click();
  await page.waitForURL('**/saved.html');
  expect(await page.locator('#saved textarea').inputValue()).toBe('Mine');
  await page.locator('#saved textarea').fill('');
  await page.goto(`${top}/objects/${NETS}.html`);
  await page.locator('[data-save][aria-pressed="true"]').click();
  await page.locator('[data-save][aria-pressed="false"]').waitFor();
});

it('saves moments of a recording, and makes clips of them', async () => {
  await page.goto(`${top}/objects/${SEGMENT}.html`);
  await page.locator('.player').evaluate(
    (player: HTMLMediaElement) =>
      new Promise((resolve) => {
        const seek = () => {
          player.addEventListener('seeked', resolve, { once: true });
          player.currentTime = 1.2;
        };
        if (player.readyState > 0) seek();
        else player.addEventListener('loadedmetadata', seek);
      }),
  );
  const button = page.locator('[data-save-moment=""]');
  await button.focus();
  await page.keyboard.press('Enter');
  expect(await button.innerText()).toBe('Saved');
  await page.locator('.clip > summary').click();
  await page.locator('[name="clip-from"]').fill('0:00');
  await page.locator('[name="clip-to"]').fill('0:01');
  await page.locator('[data-save-moment="clip"]').click();
  await page.goto(`${top}/saved.html`);
  const times = page.locator('.saved-times a');
  expect(await times.allInnerTexts()).toEqual(['▸ 0:01', '▸ 0:00–0:01']);
  await page.getByLabel('To', { exact: true }).first().fill('x');
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(2);
  await page.getByLabel('To', { exact: true }).first().fill('0:02');
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  await page.reload();
  expect(await times.allInnerTexts()).toEqual(['▸ 0:01–0:02', '▸ 0:00–0:01']);
  await times.first().click();
  expect(page.url()).toBe(`${top}/objects/${SEGMENT}.html#t=1,2`);
  await page.waitForFunction(() => document.querySelector<HTMLMediaElement>('.player')?.currentTime === 1);
  expect(problems).toEqual([]);
});

it('passes a list on as a file, which opens in another browser once, and says what cannot be opened', async () => {
  await save(FLOOD, NETS);
  await page.locator('#saved textarea').first().fill('A note');
  await page.locator('#heading').click();
  await page.keyboard.type('Boats');
  const { name, text, file } = await download('#save-file');
  expect(name).toMatch(/^saved-items-lantern-islands-community-archive-\d{4}-\d\d-\d\d\.json$/);
  const content = JSON.parse(text) as { entries: object[] };

  await openWindow();
  await save(NETS);
  expect(await openFile(file)).toBe('Added: 2. Already in the list: 1.');
  expect(await rows()).toEqual(['Boats', titleOf.flood, titleOf.nets]);
  expect(await page.getByLabel(`Note: ${titleOf.flood}`).inputValue()).toBe('A note');
  await page.getByLabel(`Note: ${titleOf.flood}`).fill('Another note');
  expect(await openFile(file)).toBe('Added: 0. Already in the list: 3.');
  expect(await page.getByLabel(`Note: ${titleOf.flood}`).inputValue()).toBe('Another note\n\nA note');

  const changed = (parts: object) => {
    writeFileSync(file, JSON.stringify({ ...content, ...parts }));
    return openFile(file);
  };
  expect(await changed({ archive: { title: 'Another', url: 'x' } })).toBe(
    'This file is from another archive: Another. Open it in a copy of that one.',
  );
  expect(await changed({ format: 'x' })).toMatch(/^This file cannot be opened\./);
  const hostile = '<img src=x onerror="document.title=1">';
  const unknown = { id: 'unknown-1', path: 'objects/unknown-1.html', title: hostile, note: hostile };
  const outside = { ...unknown, id: 'outside-1', path: 'https://x.example/a.html' };
  expect(await changed({ entries: [unknown, outside, { heading: hostile }] })).toBe('Added: 2. Already in the list: 0.');
  await page.getByText('This copy does not have this record.').waitFor();
  const row = page.locator('#saved > li', { hasText: 'This copy does not have' });
  expect(await row.locator('a').evaluate((link) => [link.textContent, link.getAttribute('href')])).toEqual([hostile, null]);
  expect(await rows()).toEqual(['Boats', titleOf.flood, titleOf.nets, hostile, hostile]);
  expect(problems).toEqual([]);
});

it('still has what an earlier version has stored, and notes that another window adds', async () => {
  await save(FLOOD);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('microfiche-saved ')) ?? '';
    const [item] = JSON.parse(localStorage.getItem(key) ?? '[]') as Array<Record<string, unknown>>;
    localStorage.setItem(key, JSON.stringify([item, { ...item, id: 'old', path: 'objects/old.html' }]));
  });
  await page.reload();
  expect(await page.locator('#saved > li').count()).toBe(2);
  const other = await page.context().newPage();
  await other.goto(`${top}/saved.html`);
  await other.locator('#saved textarea').first().fill('From the other window');
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'From the other window');
});

it('exports a page that opens by itself, with all that the reader wrote', async () => {
  await save(FLOOD, NETS);
  await page.locator('#saved textarea').first().fill('One\n<b>two</b>');
  await page.locator('#heading').click();
  await page.keyboard.type('Boats & nets');
  await page.locator('#export summary').click();
  const { file, text } = await download('[data-format="html"]');
  expect(text).not.toMatch(/<script|<link|<img| src=/);
  const alone = await page.context().newPage();
  const own = collectPageErrors(alone, 'file:');
  await alone.goto(pathToFileURL(file).href);
  expect(await alone.title()).toBe('Saved items · Lantern Islands Community Archive');
  expect(await alone.locator('h2').allInnerTexts()).toEqual(['Boats & nets']);
  expect(await alone.locator('.note').allInnerTexts()).toEqual(['One\n<b>two</b>']);
  const links = await alone.locator('article a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(links).toEqual([FLOOD, NETS].map((id) => `https://mirror.example/archive/objects/${id}.html`));
  expect(own).toEqual([]);
  const entries = JSON.parse((await download('#save-file')).text) as { entries: SavedEntry[] };
  expect(entries.entries).toHaveLength(3);
});

it('exports all results of a search, and saves them, not only those that are shown', async () => {
  await page.goto(`${top}/search.html?q=ferry`);
  await waitForSearch(page);
  const count = Number(/\d+/.exec(await page.locator('#count').innerText())?.[0]);
  expect(count).toBeGreaterThan(await page.locator('#results > li').count());
  await page.locator('#export-all').focus();
  await page.keyboard.press('Enter');
  await page.locator('#export button').first().waitFor();
  expect(await page.locator('#export-all').getAttribute('aria-expanded')).toBe('true');
  const { name, text } = await download('#export button:text-is("CSV")');
  expect(name).toBe('search-results.csv');
  const found = parse<Record<string, string>>(text, { columns: true, bom: true });
  expect(new Set(found.map(({ id }) => id)).size).toBe(count);
  expect(found.find(({ id }) => id === SEGMENT)).toMatchObject({
    ...{ date: 'June 2, 2010', kind: 'Interview segment', place: 'Tern Hill', collection: 'Voices of the Sound: interviews' },
    address: `https://mirror.example/archive/objects/${SEGMENT}.html`,
  });
  const markdown = await download('#export button:text-is("Markdown")');
  expect(markdown.text).toMatch(/^# Search: ferry\n/);
  expect(markdown.text.match(/^- \[/gm)).toHaveLength(count);
  // What is exported is always the latest search.
  const records = found.filter(({ address = '' }) => /\/objects\//.test(address)).length;
  await page.locator('#export button:text-is("Save all")').click();
  await page.getByText(`Saved: ${records} of ${count}. Only records can be saved, at most 500.`).waitFor();
  await page.locator('#q').fill('whistle');
  await page.waitForFunction(
    (before) => document.querySelector('#count')?.textContent !== before,
    await page.locator('#count').innerText(),
  );
  await waitForSearch(page);
  const fewer = await download('#export button:text-is("Markdown")');
  expect(fewer.text).toMatch(/^# Search: whistle\n/);
  await page.goto(`${top}/saved.html`);
  expect(await page.locator('#count').innerText()).toBe(String(records));
  expect(problems).toEqual([]);
});
