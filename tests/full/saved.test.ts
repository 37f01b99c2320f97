/** Saved items: kept in the browser, exported, passed on as an address; over HTTP, and from file:// in Chromium and Firefox. */
import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MAX_ITEMS, type SavedItem } from '../../src/reader/saved/saved-items.ts';
import { decodeList, encodeList } from '../../src/reader/saved/shared-list.ts';
import { BROWSERS, openPage, startBrowser } from '../support/browsers.ts';
import { createTestDirectory, startServe } from '../support/commands.ts';
import { startStaticHost } from '../support/static-host.ts';

const unescapeHtml = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
const ITEMS = ['lica-quay-1-7', 'lica-quay-1-1', 'lica-ferry-1-1-1'];

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Browser;
  let host: Awaited<ReturnType<typeof startServe>>;
  beforeAll(async () => {
    const { snapshot, dist } = inject('mirror');
    [browser, host] = await Promise.all([startBrowser(name), startServe(['--snapshot', snapshot, '--dir', dist])]);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  async function save(page: Page, top: string, id: string): Promise<void> {
    await page.goto(`${top}/objects/${id}.html`);
    await page.waitForSelector('[data-save]:not([hidden])');
    await page.click('[data-save]');
    // Firefox keeps it on the page of saved items, which adds it and removes it from its address.
    if (name === 'firefox' && top.startsWith('file:'))
      await page.waitForFunction(() => location.pathname.endsWith('/saved.html') && location.hash === '');
  }
  /** Returns the text of a file that the page exports. */
  const exported = (page: Page, format: string) =>
    page.evaluate((name) => {
      let text: Promise<string> | undefined;
      const create = URL.createObjectURL.bind(URL);
      const { click } = HTMLAnchorElement.prototype;
      URL.createObjectURL = (blob) => {
        text = (blob as Blob).text();
        return create(blob);
      };
      HTMLAnchorElement.prototype.click = () => undefined;
      document.querySelector<HTMLElement>(`[data-format="${name}"]`)?.click();
      URL.createObjectURL = create;
      HTMLAnchorElement.prototype.click = click;
      return text ?? '';
    }, format);
  const titles = (page: Page, list = '#saved') =>
    page.$$eval(`${list} a`, (links) => links.map((link) => [link.textContent, link.getAttribute('href')]));

  it.each(['http', 'file'] as const)('keeps items, and removes them again (%s)', async (scheme) => {
    const top = scheme === 'http' ? host.url : pathToFileURL(inject('mirror').dist).href;
    const page = await browser.newPage();
    for (const id of ITEMS) await save(page, top, id);
    await page.goto(`${top}/saved.html`);
    await page.waitForSelector('#saved li');
    expect((await titles(page)).map(([, href]) => href)).toEqual(ITEMS.map((id) => `objects/${id}.html`));
    // They were saved on their own pages, which have the citations.
    await page.waitForSelector(`#saved li:nth-child(${ITEMS.length}) .saved-citation`);
    expect(await page.$eval('#saved', (list) => list.textContent)).not.toContain('A short citation');
    expect(await page.$eval('#per-page', (note) => (note as HTMLElement).hidden)).toBe(
      !(scheme === 'file' && name === 'firefox'),
    );
    await page.click('#saved [data-act="remove"]');
    expect(await titles(page)).toHaveLength(2);
    await page.reload();
    await page.waitForSelector('#saved li');
    expect(await titles(page)).toHaveLength(2);
    await page.close();
  });

  it('follows what another page saves, and undoes a removal without losing it', async () => {
    const page = await browser.newPage();
    const [first = '', second = '', third = ''] = ITEMS;
    await page.goto(`${host.url}/saved.html`);
    await page.evaluate(() => localStorage.clear());
    for (const id of [first, second]) await save(page, host.url, id);
    await page.goto(`${host.url}/saved.html`);
    await page.waitForSelector('#saved li');
    await page.click('#saved [data-act="remove"]');
    const other = await browser.newPage();
    await save(other, host.url, third);
    await other.close();
    await page.waitForFunction((id) => document.querySelector(`#saved a[href*="${id}"]`), {}, third);
    await page.click('#undo');
    expect((await titles(page)).map(([, href]) => href)).toEqual([first, second, third].map((id) => `objects/${id}.html`));
    await page.click('#clear');
    await page.close();
  });

  it('keeps what is saved of two archives on one host apart, with its notes', async () => {
    const both = createTestDirectory();
    for (const archive of ['one', 'two']) symlinkSync(inject('mirror').dist, join(both, archive));
    const shared = await startStaticHost(both);
    const own = await browser.createBrowserContext();
    const page = await own.newPage();
    const [first = '', second = ''] = ITEMS;
    const readList = async (archive: string) => {
      await page.goto(`${shared.url}/${archive}/saved.html`);
      const kept = await page.waitForSelector('#saved li, #none:not([hidden])');
      const notes = await page.$$eval('#saved textarea', (fields) => fields.map((field) => field.value));
      return [await kept?.evaluate(({ id }) => id), (await titles(page)).map(([, href]) => href), notes];
    };
    await save(page, `${shared.url}/one`, first);
    expect(await readList('one')).toEqual(['', [`objects/${first}.html`], ['']]);
    await page.type('#saved textarea', 'Who ties them?');
    expect(await readList('two')).toEqual(['none', [], []]);
    await page.goto(`${shared.url}/two/objects/${first}.html`);
    await page.waitForSelector('[data-save]:not([hidden])');
    expect(await page.$eval('[data-save]', (button) => button.getAttribute('aria-pressed'))).toBe('false');
    await save(page, `${shared.url}/two`, second);
    expect(await readList('two')).toEqual(['', [`objects/${second}.html`], ['']]);
    expect(await readList('one')).toEqual(['', [`objects/${first}.html`], ['Who ties them?']]);
    await own.close();
    await shared.stop();
  });

  it.each(['http', 'file'] as const)(
    'saves records in lists and among results, and counts them in the masthead (%s)',
    async (scheme) => {
      const top = scheme === 'http' ? host.url : pathToFileURL(inject('mirror').dist).href;
      const own = await browser.createBrowserContext();
      const { page, problems } = await openPage(own, top);
      const count = () => page.$eval('.saved-link .count', (element) => element.textContent);
      const button = (title: string) => `button[aria-label="Save: ${title}"]`;
      await page.goto(`${top}/objects/lica-quay-1.html`);
      await page.waitForSelector('.save-item');
      const [cards, buttons] = await Promise.all([page.$$('.card'), page.$$('.card > .save-item')]);
      expect(buttons).toHaveLength(cards.length);
      if (name === 'firefox' && scheme === 'file') {
        await page.click(button('Nets drying on the quay'));
        await page.waitForFunction(() => location.pathname.endsWith('/saved.html') && location.hash === '');
      } else {
        await page.click(button('Nets drying on the quay'));
        await page.waitForSelector(`${button('Nets drying on the quay')}[aria-pressed="true"]`);
        expect([await count(), new URL(page.url()).pathname]).toEqual(['1', new URL(`${top}/objects/lica-quay-1.html`).pathname]);
        await page.goto(`${top}/search.html?q=whistle`);
        await page.waitForSelector('#results .save-item');
        expect(await count()).toBe('1');
        await page.focus('#results .save-item');
        await page.keyboard.press(' ');
        await page.waitForSelector('#results .save-item[aria-pressed="true"]');
        expect(await count()).toBe('2');
        await page.keyboard.press('Enter');
        await page.waitForSelector('#results .save-item[aria-pressed="false"]');
        await page.goto(`${top}/search.html?q=nets+drying+on+the+quay`);
        await page.waitForSelector(`#results ${button('Nets drying on the quay')}[aria-pressed="true"]`);
        // Firefox fails what a page still loads when a reader leaves it.
        await page.waitForSelector('#results[aria-busy="false"]');
        await page.goto(`${top}/saved.html`);
      }
      await page.waitForSelector('#saved li');
      expect([await titles(page), await count()]).toEqual([[['Nets drying on the quay', 'objects/lica-quay-1-1.html']], '1']);
      // Over HTTP, the page of the record has the others; on file://, the index has them, without citations.
      await page.waitForFunction(() => document.querySelector('#saved')?.textContent.includes('Hugo Fairtide · Tern Hill'));
      await page.waitForSelector('#saved .saved-citation');
      const [facts, details, ...citations] = await page.$$eval('#saved p', (lines) =>
        lines.map((line) => line.textContent ?? ''),
      );
      expect(facts).toBe('Photograph · c. 1942 · Harbour Photographs');
      expect(details).toBe('Hugo Fairtide · Tern Hill · Copyright: ask for permission');
      const live = `${inject('mirror').upstream}/lica-quay-1-1/`;
      const short = `Fairtide, Hugo. “Nets drying on the quay.” Photograph, c. 1942. lica-quay-1-1, Harbour Photographs, Lantern Islands Community Archive. ${live}.`;
      if (scheme === 'http') expect(citations).toEqual([expect.stringMatching(/^Fairtide, Hugo\. /)]);
      else {
        expect(citations).toEqual([short, 'A short citation. Open the item once, and it is cited in the chosen style.']);
        const ris = (await exported(page, 'ris')).split('\n');
        const named = ['TY  - ART', 'AU  - Fairtide, Hugo', 'PY  - 1942', 'N1  - Date: c. 1942', `UR  - ${live}`];
        expect(ris).toEqual(expect.arrayContaining([...named, expect.stringMatching(/^Y2 {2}- \d{4}\/\d\d\/\d\d\/$/)]));
        expect(await exported(page, 'bibtex')).toMatch(/author = \{Fairtide, Hugo\},\n[\s\S]*year = \{1942\},/);
        expect(await page.$eval('#short-exports', (note) => (note as HTMLElement).hidden)).toBe(false);
        expect(await exported(page, 'list')).toContain(short);
      }
      const csv = await exported(page, 'csv');
      expect(csv).toContain(',Hugo Fairtide,Tern Hill,Harbour Photographs,"Copyright: ask for permission; ');
      expect(csv).toContain(',https://mirror.example/archive/objects/lica-quay-1-1.html,');
      // A copy without an address on the web has that of the page, or on a drive that in the live archive.
      await page.$eval('meta[property="og:url"]', (published) => published.remove());
      const address = scheme === 'http' ? `${top}/objects/lica-quay-1-1.html` : `${inject('mirror').upstream}/lica-quay-1-1/`;
      expect(await exported(page, 'csv')).toContain(`,${address},`);
      for (const format of ['list', 'ris', 'bibtex']) expect(await exported(page, format)).not.toContain('file:');
      expect(await page.$eval('#saved img', (image) => (image as HTMLImageElement).getAttribute('src'))).toMatch(/^thumbs\//);
      await page.click('#saved [data-act="remove"]');
      expect(await count()).toBe('');
      // Firefox reports the columns of filters and the images that a page still loads when a reader leaves it.
      expect(problems.filter((problem) => !/\/(?:assets\/facets|thumbs)\//.test(problem))).toEqual([]);
      await own.close();
    },
  );

  it.each(['http', 'file'] as const)('compares two items side by side (%s)', async (scheme) => {
    const top = scheme === 'http' ? host.url : pathToFileURL(inject('mirror').dist).href;
    const own = await browser.createBrowserContext();
    const { page, problems } = await openPage(own, top);
    for (const id of ITEMS) await save(page, top, id);
    await page.goto(`${top}/saved.html`);
    await page.waitForSelector('#saved li');
    const isShown = (selector: string) => page.$eval(selector, (element) => (element as HTMLElement).offsetHeight > 0);
    const press = async (n: number) => {
      await page.focus(`#saved li:nth-child(${n}) input`);
      await page.keyboard.press(' ');
    };
    const ticked = () =>
      page.$$eval('#saved input', (boxes) => boxes.flatMap((box, i) => ((box as HTMLInputElement).checked ? [i + 1] : [])));
    expect(await isShown('#compare-bar')).toBe(false);
    await press(1);
    expect([await isShown('#compare-bar span'), await isShown('#compare-bar button')]).toEqual([true, false]);
    await press(2);
    await press(3);
    expect([await ticked(), await isShown('#comparison')]).toEqual([[2, 3], false]);
    await page.focus('#compare-bar button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#comparison table');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Comparison');
    expect(await isShown('#compare-bar')).toBe(false);
    const rows = await page.$$eval('#comparison tr', (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
    );
    const titlesOf = await titles(page, '#comparison');
    expect(titlesOf.map(([, href]) => href)).toEqual([ITEMS[1], ITEMS[2]].map((id) => `objects/${id}.html`));
    expect(rows[0]?.slice(1)).toEqual(titlesOf.map(([title]) => title));
    expect(rows.find(([label]) => label === 'Kind')?.slice(1)).toEqual(['Photograph', 'Interview segment']);
    expect(rows.find(([label]) => label === 'Date')?.slice(1)).toEqual(['c. 1942', 'June 2, 2010']);
    expect(rows.some(([label]) => label === 'Rights')).toBe(scheme === 'http');
    for (const row of rows) expect(row).toHaveLength(3);
    const images = await page.$$eval('#comparison img', (all) => all.map((image) => image.getBoundingClientRect().x));
    expect(images[1]).toBeGreaterThan((images[0] ?? 0) + 100);
    await page.click('#comparison button');
    expect([await isShown('#comparison'), await isShown('#compare-bar button')]).toEqual([false, true]);
    await page.click('#saved li:nth-child(2) [data-act="remove"]');
    expect([await ticked(), await isShown('#compare-bar button')]).toEqual([[2], false]);
    // Firefox reports the parts of the index that a page still loads when a reader leaves it.
    expect(problems.filter((problem) => !/\/(?:packs|assets\/facets|assets\/words)\//.test(problem))).toEqual([]);
    await own.close();
  });

  it('completes an item that was saved in a list when its page is opened, in its position', async () => {
    const top = host.url;
    const own = await browser.createBrowserContext();
    const page = await own.newPage();
    await page.goto(`${top}/objects/lica-quay-1.html`);
    await page.evaluate(() => {
      const item = (id: string) => ({ id, path: `objects/${id}.html`, title: id });
      const items = JSON.stringify([item('lica-quay-1-1'), item('lica-quay-1-7')]);
      localStorage.setItem(`microfiche-saved ${new URL('..', location.href).pathname}`, items);
    });
    await page.goto(`${top}/objects/lica-quay-1-1.html`);
    await page.waitForSelector('[data-save][aria-pressed="true"]');
    const stored = await page.evaluate(() => localStorage.getItem(`microfiche-saved ${new URL('..', location.href).pathname}`));
    const items = JSON.parse(stored ?? '[]') as SavedItem[];
    expect(items.map(({ title }) => title)).toEqual(['Nets drying on the quay', 'lica-quay-1-7']);
    expect(Object.keys(items[0]?.citations ?? {})).toEqual(expect.arrayContaining(['Chicago', 'RIS', 'BibTeX']));
    // The page of saved items reads the others.
    await page.evaluateOnNewDocument(() => {
      const [read, held] = [fetch, new Promise<void>((release) => addEventListener('release', () => release()))];
      window.fetch = async (...request) => {
        await held;
        return read(...request);
      };
    });
    await page.goto(`${top}/saved.html`);
    const box = await page.waitForSelector('#saved li:nth-child(2) input');
    await box?.focus();
    await page.evaluate(() => dispatchEvent(new Event('release')));
    await page.waitForFunction(() => document.querySelectorAll('#saved .saved-citation').length === 2);
    // A reader who was about to tick it still does.
    expect(await box?.evaluate((own) => [own.isConnected, own === document.activeElement])).toEqual([true, true]);
    expect(await box?.evaluate((own) => own.getAttribute('aria-label'))).toContain('After the flood');
    expect((await titles(page)).map(([title]) => title)).toEqual(['Nets drying on the quay', 'After the flood']);
    await own.close();
  });

  it('exports each item of a list on a drive with the type, names, year, date of access and address of its own page', async () => {
    const { dist } = inject('mirror');
    const ofPages = new Map(
      globSync('objects/*.html', { cwd: dist }).flatMap((path) => {
        const html = readFileSync(join(dist, path), 'utf8');
        const [, ris] = /data-style="RIS"[^>]*>.*?<dd[^>]*>(.*?)<\/dd>/s.exec(html) ?? [];
        return ris?.includes('\nUR  - ') ? [[path, ris] as const] : []; // what the live archive has
      }),
    );
    const items = [...ofPages.keys()].map((path) => {
      const id = basename(path, '.html');
      return { id, path, title: id };
    });
    const own = await browser.createBrowserContext();
    const page = await own.newPage();
    const top = pathToFileURL(dist).href;
    await page.goto(`${top}/saved.html`);
    await page.evaluate((list) => {
      localStorage.setItem(`microfiche-saved ${new URL('.', location.href).pathname}`, JSON.stringify(list));
    }, items);
    await page.reload();
    await page.waitForFunction(() => {
      const stored = localStorage.getItem(`microfiche-saved ${new URL('.', location.href).pathname}`) ?? '[]';
      return (JSON.parse(stored) as SavedItem[]).every(({ cited }) => cited !== undefined);
    });
    const exports = (await exported(page, 'ris')).split(/(?<=^ER {2}-.*\n)/m);
    await own.close();
    expect(items.length).toBeGreaterThan(150);
    const chosen = (ris: string) =>
      ris
        .split('\n')
        .filter((line) => /^(?:TY|AU|PY|DB|UR|Y2) {2}- /.test(line))
        .sort();
    const byId = new Map(exports.map((ris) => [/^ID {2}- (.*)$/m.exec(ris)?.[1], ris]));
    for (const { id, path } of items)
      expect(chosen(byId.get(id) ?? ''), id).toEqual(chosen(unescapeHtml(ofPages.get(path) ?? '')));
  });

  it('says that the list is full', async () => {
    const own = await browser.createBrowserContext();
    const page = await own.newPage();
    await page.goto(`${host.url}/objects/lica-quay-1.html`);
    await page.evaluate((max) => {
      const items = Array.from({ length: max }, (_, i) => ({ id: `x-${i}`, path: `objects/x-${i}.html`, title: 'x' }));
      localStorage.setItem(`microfiche-saved ${new URL('..', location.href).pathname}`, JSON.stringify(items));
    }, MAX_ITEMS);
    await page.reload();
    await page.waitForSelector('.save-item');
    // From before the click, because the note stays for some seconds only.
    const [note] = await Promise.all([page.waitForSelector('.save-note'), page.click('.save-item')]);
    expect(await note?.evaluate(({ textContent }) => textContent)).toMatch(/^The list is full\./);
    expect(await page.$eval('.save-item', (button) => button.getAttribute('aria-pressed'))).toBe('false');
    await own.close();
  });

  it('exports what is saved, and passes it on as an address', async () => {
    const own = await browser.createBrowserContext();
    const page = await own.newPage();
    for (const id of ITEMS) await save(page, host.url, id);
    await page.goto(`${host.url}/saved.html`);
    await page.waitForSelector('#saved li');
    expect(await page.$eval('#saved li:nth-child(2) .saved-citation', (text) => text.textContent)).toMatch(/^Fairtide, Hugo\. “/);
    await page.select('#citation-style', 'APA');
    expect(await page.$eval('#saved li:nth-child(2) .saved-citation', (text) => text.textContent)).toMatch(/^Fairtide, H\. \(/);
    await page.click('#export summary');
    const formats = await page.$$eval('#export button', (buttons) => buttons.map((button) => (button as HTMLElement).innerText));
    expect(formats).toEqual(['List', 'Markdown', 'HTML', 'CSV', 'RIS', 'BibTeX', 'CSL-JSON']);
    const texts = await page.evaluate(async () => {
      const blobs: Blob[] = [];
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        blobs.push(blob as Blob);
        return create(blob);
      };
      HTMLAnchorElement.prototype.click = () => undefined;
      for (const button of document.querySelectorAll<HTMLElement>('[data-format]')) button.click();
      return Promise.all(blobs.map((blob) => blob.text()));
    });
    const [list = '', markdown = '', html = '', csv = '', ris = '', bibtex = '', csl = ''] = texts;
    expect(list).toContain('https://mirror.example/archive/objects/lica-quay-1-7.html');
    expect(list).toContain('Fairtide, H. (ca. 1942).');
    const lines = csv.split('\r\n').filter((line) => line !== '');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('id,title,kind,date,creator,place,collection,rights,address,citation,heading,moment,note');
    expect(lines[2]).toContain(',c. 1942,Hugo Fairtide,Tern Hill,Harbour Photographs,"Copyright: ask for permission; ');
    expect(lines[3]).toContain(',"Leif Vane; Bram Ousel",Tern Hill,Voices of the Sound: interviews,"Public domain; ');
    expect(lines[1]).toMatch(/\[Photograph\]\..*Harbour Photographs/);
    expect(ris.match(/^TY {2}- /gm)).toHaveLength(3);
    expect(ris.match(/^ER {2}-/gm)).toHaveLength(3);
    expect(bibtex.match(/^@/gm)).toHaveLength(3);
    expect((JSON.parse(csl) as Array<{ id: string }>).map(({ id }) => id)).toEqual(ITEMS);
    expect(markdown.match(/^- \[/gm)).toHaveLength(3);
    expect(html.match(/<article>/g)).toHaveLength(3);
    await own.close();

    const other = await browser.createBrowserContext();
    const visitor = await other.newPage();
    const shared = ITEMS.slice(0, 2).map((id) => ({
      ...{
        id,
        path: `objects/${id}.html`,
        title: `Title of ${id}`,
        kind: '',
        date: '',
        collection: '',
        image: '',
        citations: {},
      },
    }));
    await visitor.goto(`${host.url}/saved.html#list=${encodeList(shared)}`);
    await visitor.waitForSelector('#shared li');
    expect(await titles(visitor, '#shared')).toEqual(shared.map(({ title, path }) => [title, path]));
    expect(await titles(visitor)).toEqual([]);
    await visitor.click('#save-shared');
    expect(await titles(visitor)).toHaveLength(2);
    await other.close();
  });
});

describe('a shared list', () => {
  it.each([
    ['a link that runs a script', 'javascript:alert(1)'],
    ['another site', 'https://x.example/objects/a.html'],
    ['a path outside', 'objects/../../a.html'],
    ['a path in another directory', 'media/a.html'],
  ])('leaves out %s', (_, path) => {
    const item = { id: 'a', path, title: 'a', kind: '', date: '', collection: '', image: '', citations: {} };
    expect(decodeList(encodeList([item]))).toEqual([]);
  });

  it('is empty for any other text', () => {
    for (const text of ['', 'x', '%%%', btoa('{}'), btoa('[1,[],null]')]) expect(decodeList(text)).toEqual([]);
  });
});
