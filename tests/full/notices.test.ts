/** The setting `notices`: content warnings, which cover what they are about, and cultural-protocol labels, which precede it. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { collectPageErrors, findAxeViolations, startChromium, waitForSearch } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  ROOT,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const PHOTO = 'lica-quay-1-1';
const INTERVIEW = 'lica-ferry-1-1';
const DOCUMENT = 'lica-quay-2-1';
/** Its interview and its other segments have the same still image. */
const SEGMENT = 'lica-ferry-1-2-1';
const WARNING = {
  kind: 'warning',
  ids: [PHOTO, INTERVIEW, DOCUMENT, SEGMENT],
  title: { en: 'Contains racist language', es: 'Contiene lenguaje racista' },
  text: 'The words are those of 1942.',
};
const LABEL = {
  kind: 'label',
  collections: ['lica-quay-1'],
  title: 'TK Seasonal (TK S)',
  text: { en: 'Heard at a time of year.\nSpeak with the community.' },
  image: 'labels/tk-s.svg',
  link: 'https://localcontexts.org/label/tk-seasonal/',
};
const FAMILY = 'lica-ferry-1-3';
const FAMILY_LABEL = { kind: 'label', ids: [FAMILY, 'lica-ferry-1-2-4'], title: 'TK Family (TK F)' };
const EXHIBIT = `---
title: Nets
image: ${PHOTO}
---
::image[The nets]{id=${PHOTO}}

::player[The voice]{id=${INTERVIEW}-1}

::image[The crew]{id=lica-quay-1-2}

::grid{ids="${PHOTO} lica-quay-1-3"}
`;

const folder = createSharedDirectory();
const project = folder.path;
const site = join(project, 'dist');
const read = (path: string) => readFileSync(join(site, path), 'utf8');
let browser: Browser;

function configure(directory: string, notices: unknown): void {
  const { snapshot } = inject('mirror');
  const settings = {
    snapshot,
    languages: ['en', 'es'],
    site: 'https://mirror.example/',
    featured: [PHOTO, 'lica-quay-1-2'],
    notices,
  };
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(settings, undefined, 2));
}

const build = (...more: string[]) =>
  runMicroficheJson<BuildReport>(['build', ...more], { cwd: project, env: { MICROFICHE_CACHE: join(project, 'cache') } });

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${pathToFileURL(site).href}/${path}`);
  return page;
}

/** Whether a file of the site is about a record alone, or about one of its files. */
const isOf = (id: string, path: string) =>
  path.split('/').some((part) => part === id || part.replace(/-[a-z]+-[0-9a-f]{10}/, '') === `${id}.html`);
const isShown = (page: Page, selector: string) => page.locator(selector).first().isVisible();
/** Returns the part of a page that is the card of a record. */
const cardOf = (html: string, id: string) =>
  html
    .split('<li class="card"')
    .find((card) => card.includes(`/${id}.html`) || card.includes(`"${id}.html`))
    ?.split('</li>')[0] ?? '';

beforeAll(async () => {
  mkdirSync(join(project, 'labels'));
  mkdirSync(join(project, 'content/exhibits'), { recursive: true });
  copyFileSync(join(ROOT, 'public/assets/icon.svg'), join(project, 'labels/tk-s.svg'));
  writeFileSync(join(project, 'content/exhibits/nets.md'), EXHIBIT);
  writeFileSync(join(project, 'content/exhibits/crew.md'), '---\ntitle: The crew\nimage: lica-quay-1-2\n---\nText.\n');
  createCache(join(project, 'cache'));
  configure(project, [WARNING, LABEL, FAMILY_LABEL]);
  await build();
  browser = await startChromium();
});

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

describe('a content warning', () => {
  it('covers an image until the reader shows it, with the keyboard, and is remembered until the window is closed', async () => {
    const page = await open(`objects/${PHOTO}.html`);
    const problems = collectPageErrors(page, 'file:');
    expect(await page.locator('.content-warning').innerText()).toMatch(
      /^CONTENT WARNING\s+Contains racist language\s+The words are/,
    );
    expect(await isShown(page, '.object-picture')).toBe(false);
    const control = page.locator('.cover-control > summary');
    await control.focus();
    await page.keyboard.press('Enter');
    await page.locator('.object-picture img').waitFor();
    expect(await control.innerText()).toBe('Hide');
    expect(await control.evaluate((summary) => document.activeElement === summary)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('zoom');
    await page.reload();
    await page.locator('.object-picture img').waitFor();
    await page.goto(pathToFileURL(join(site, `objects/${INTERVIEW}.html`)).href);
    await page.locator('.object-picture img').waitFor();
    await page.locator('.cover-control > summary').first().click();
    await page.waitForFunction(() => sessionStorage.getItem('microfiche-seen-warnings') === '');
    await page.reload();
    expect(await isShown(page, '.object-picture')).toBe(false);
    // A reader may be faster than the events of what the script has opened.
    await page.locator('.cover-control > summary').first().click();
    await page.locator('.object-picture img').waitFor();
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', () => document.querySelector('.cover-control')?.removeAttribute('open')),
    );
    await page.reload();
    await page.waitForFunction(() => sessionStorage.getItem('microfiche-seen-warnings') === '');
    expect(await page.locator('.cover-control[open]').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
    const other = await open(`objects/${PHOTO}.html`);
    expect(await isShown(other, '.object-picture')).toBe(false);
    await other.close();
  });

  it('covers the recording and the transcript of a segment, which no address reveals; one control shows both', async () => {
    const page = await open(`objects/${INTERVIEW}-1.html#play`);
    const isPlaying = () => page.locator('.player').evaluate((player) => !(player as HTMLMediaElement).paused);
    for (const hash of ['#play', '#text-1', '#t=1']) {
      await page.evaluate((address) => void location.assign(address), hash);
      for (const selector of ['.player', '.texts']) expect(await isShown(page, selector), hash).toBe(false);
    }
    expect(await isPlaying()).toBe(false);
    expect(await page.locator('.cover-control > summary').allInnerTexts()).toEqual(['Show', 'Show text']);
    // The recording, which the address starts as soon as it is shown, is short: the next segment would follow.
    await page.locator('.play-on input').evaluate((choice) => {
      (choice as HTMLInputElement).checked = false;
    });
    await page.locator('.cover-control > summary').last().click();
    for (const selector of ['.player', '.texts']) await page.locator(selector).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.close();
  });

  it('covers the transcript of the interview', async () => {
    const page = await open(`objects/${INTERVIEW}/transcript.html`);
    expect(await isShown(page, '.interview-text .prose')).toBe(false);
    await page.locator('.cover-control > summary').click();
    await page.locator('.interview-text .prose').first().waitFor();
    await page.close();
  });

  it('can be opened without a script, in the language of the page', async () => {
    const page = await open(`es/objects/${PHOTO}.html`, { javaScriptEnabled: false });
    expect(await page.locator('.warning-title').innerText()).toBe('Contiene lenguaje racista');
    expect(await isShown(page, '.object-picture')).toBe(false);
    await page.locator('.cover-control > summary', { hasText: 'Mostrar' }).click();
    await page.locator('.object-picture img').waitFor();
    await page.close();
  });

  it('is printed before what it covers, which is printed only if it was shown', async () => {
    for (const [id, image] of [
      [PHOTO, '.object-picture'],
      [DOCUMENT, '.leaves'],
    ]) {
      const page = await open(`objects/${id}.html`);
      await page.emulateMedia({ media: 'print' });
      expect(await isShown(page, '.content-warning')).toBe(true);
      expect(await isShown(page, '.cover-control')).toBe(false);
      expect(await isShown(page, `${image} img`)).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      await page.locator('.cover-control > summary').click();
      await page.emulateMedia({ media: 'print' });
      expect(await isShown(page, `${image} img`)).toBe(true);
      await page.close();
    }
  });

  it('leaves no image of what it covers in lists, on the home page, in exhibits and in previews', () => {
    const image = /(?:thumbs|media)\/lica-quay-1\/lica-quay-1-1-/;
    const others = [...readFiles(site)].filter(([path]) => /\.(?:html|json|xml)$/.test(path) && !isOf(PHOTO, path));
    expect(others.flatMap(([path, bytes]) => (image.test(bytes.toString()) ? [path] : []))).toEqual([]);
    expect(read(`objects/${PHOTO}.html`)).toMatch(image);
    expect(read(`objects/${PHOTO}.html`)).not.toContain('og:image');
    expect(read('objects/lica-ferry-2-1.html')).toContain('og:image');
    expect(read('exhibits/nets.html')).not.toContain('og:image');
    const card = cardOf(read('objects/lica-quay-1.html'), PHOTO);
    expect(card).toContain('assets/no-picture-covered.svg');
    expect(card).toContain('<b>Content warning</b> <span>Contains racist language</span>');
    expect(read('exhibits/nets.html').match(/no-picture-covered/g)).toHaveLength(3);
    expect(read('index.html')).toContain('Contains racist language');
  });

  it('leaves no image of what it covers to other records that have the same', () => {
    const image = /(?:thumbs|media)\/lica-ferry-1\/lica-ferry-1-2\.(?:webp|image)/;
    const others = [...readFiles(site)].filter(([path]) => /\.(?:html|xml)$/.test(path) && !isOf(SEGMENT, path));
    expect(others.flatMap(([path, bytes]) => (image.test(bytes.toString()) ? [path] : []))).toEqual([]);
    expect(read(`objects/${SEGMENT}.html`)).toMatch(image);
    const manifest = JSON.parse(read('iiif/lica-ferry-1-2/manifest.json')) as { requiredStatement: unknown; thumbnail?: unknown };
    expect(JSON.stringify(manifest.requiredStatement)).toContain('Contains racist language');
    expect(manifest.thumbnail).toBeUndefined();
  });

  it('is in search instead of the thumbnail and the excerpt', async () => {
    const page = await open('search.html?q=nets');
    await waitForSearch(page);
    const result = page.locator('#results > li', { has: page.locator(`a[href^="objects/${PHOTO}.html"]`) });
    expect(await result.locator('.card-picture img').getAttribute('src')).toBe('assets/no-picture-covered.svg');
    expect(await result.locator('.card-warning').innerText()).toBe('Content warning Contains racist language');
    expect(await result.locator('.excerpt').count()).toBe(0);
    expect(await result.locator('.card-label').innerText()).toBe('TK Seasonal (TK S)');
    expect(await result.evaluate((item) => [...item.children].map((child) => child.className.split(' ')[0]))).toEqual([
      'card-note',
      'card-picture',
      '',
      'save-item',
    ]);
    expect(await page.locator('#results .excerpt').count()).toBeGreaterThan(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.close();
  });

  it('keeps a segment from being quoted in the result of its interview, as a label does', async () => {
    const page = await open('search.html?q=speaks');
    await waitForSearch(page);
    const result = page.locator('#results > li', { has: page.locator('h2 a[href^="objects/lica-ferry-1-2.html"]') });
    const reason = result.locator('.reason:not(.heard)');
    expect(await reason.innerText()).toContain('speaks of it');
    expect(await reason.innerText()).not.toMatch(/first day on the ferries|lantern makers of the quay/);
    await page.close();
  });

  it('covers the thumbnail of an item that was saved before, also in a comparison and in a shared list', async () => {
    const page = await open('saved.html');
    await page.evaluate((photo) => {
      const item = (id: string) => ({ id, path: `objects/${id}.html`, title: id, image: `thumbs/lica-quay-1/${id}-x.webp` });
      const items = JSON.stringify([photo, 'lica-quay-1-2'].map(item));
      localStorage.setItem(`microfiche-saved ${new URL('.', location.href).pathname}`, items);
    }, PHOTO);
    await page.reload();
    const sources = (list: string) =>
      page.locator(`${list} img[src]`).evaluateAll((all) => all.map((image) => image.getAttribute('src')));
    // A list of saved items has no place for the label on the second one.
    const now = ['assets/no-picture-covered.svg'];
    await page.locator('#saved img[src]').waitFor();
    expect(await sources('#saved')).toEqual(now);
    for (const box of await page.locator('#saved input').all()) await box.check();
    await page.locator('#compare-bar button').click();
    await page.locator('#comparison table').waitFor();
    expect(await sources('#comparison')).toEqual(now);
    const list = await page.evaluate(() => {
      const row = ['lica-quay-1-1', 'objects/lica-quay-1-1.html', 'Nets', '', '', '', 'thumbs/lica-quay-1/lica-quay-1-1-x.webp'];
      return btoa(JSON.stringify([row]))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '');
    });
    await page.goto(`${page.url().replace(/#.*/, '')}#list=${list}`);
    await page.locator('#shared img[src]').waitFor();
    expect(await sources('#shared')).toEqual(['assets/no-picture-covered.svg']);
    await page.close();
  });
});

describe('a cultural-protocol label', () => {
  it('precedes what it is about, complete and with its image and link, on the collection and its items', async () => {
    for (const [path, colorScheme] of [
      [`objects/${PHOTO}.html`, 'light'],
      ['objects/lica-quay-1.html', 'dark'],
      ['es/objects/lica-quay-1/contents.html', 'light'],
    ] as const) {
      const page = await open(path, { colorScheme });
      const label = page.locator('.protocol-labels li');
      expect(await label.innerText()).toMatch(/^TK Seasonal \(TK S\)\s+Heard at a time of year\.\nSpeak with the community\.$/);
      expect(await label.locator('a').getAttribute('href')).toBe(LABEL.link);
      expect(await label.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
      expect(await page.locator('.cover-control').count(), path).toBe(path.includes(PHOTO) ? 1 : 0);
      if (!path.startsWith('es/')) expect(await findAxeViolations(page)).toEqual([]);
      await page.close();
    }
    expect(read('es/objects/lica-quay-1.html')).toContain('<p class="label-text" lang="en">');
    expect(read('objects/lica-quay-2.html')).not.toContain('protocol-labels');
    const [, path = ''] =
      /<ul class="protocol-labels"[^>]*>\s*<li>\s*<img src="\.\.\/([^"]+)"/.exec(read('objects/lica-quay-1-2.html')) ?? [];
    expect(read(path)).toBe(readFileSync(join(project, 'labels/tk-s.svg'), 'utf8'));
  });

  it('is a mark before the image on cards and in exhibits, and a required statement in IIIF', () => {
    const mark = String.raw`<p class="card-note card-label">\s*<img [^>]*alt=""[^>]*>\s*<span>TK[^<]*</span>\s*</p>\s*<a `;
    expect(cardOf(read('objects/lica-quay-1.html'), 'lica-quay-1-2')).toMatch(new RegExp(mark));
    for (const path of ['index.html', 'exhibits/index.html'])
      expect(read(path)).toMatch(new RegExp(`${mark}[^>]*exhibits/crew\\.html|${mark}[^>]*crew\\.html`));
    // An interview that is shown as a row, as the image of a guide page, and as a portrait.
    const family = String.raw`\s*<p class="card-note card-label">\s*<span>TK Family \(TK F\)</span>\s*</p>\s*<a href="\.\./(?:\.\./)?objects/${FAMILY}\.html"`;
    expect(read('browse/genre/interview.html')).toMatch(new RegExp(`<div class="card"[^>]*>${family}`));
    expect(read('guide/winter-ice.html')).toMatch(new RegExp(`<figure class="guide-lead">${family}`));
    expect(read('people/hugo-quill--2j3oh2wo3v.html')).toMatch(new RegExp(`<figure class="portrait">${family}`));
    expect(read('index.html')).not.toContain(`thumbs/lica-ferry-1/${FAMILY}`);
    for (const path of [`objects/${FAMILY}.html`, 'people/hugo-quill--2j3oh2wo3v.html', 'exhibits/crew.html'])
      expect(read(path), path).not.toContain('og:image');
    expect(read('exhibits/nets.html')).toMatch(/<figure class="embed wide">\s*<p class="card-note card-label">/);
    const manifest = JSON.parse(read(`iiif/${PHOTO}/manifest.json`)) as {
      requiredStatement: { label: object; value: { es: string[] } };
      thumbnail?: unknown;
    };
    expect(manifest.thumbnail).toBeUndefined();
    expect(manifest.requiredStatement.label).toMatchObject({ en: ['Notices · Rights and credit'] });
    expect(manifest.requiredStatement.value.es.slice(0, 2)).toEqual([
      'Advertencia de contenido – Contiene lenguaje racista – The words are those of 1942.',
      `TK Seasonal (TK S) – Heard at a time of year.\nSpeak with the community. – ${LABEL.link}`,
    ]);
  });
});

it('renders the pages that show a record with other notices, and no others', async () => {
  const before = readFiles(site);
  configure(project, [{ ...WARNING, ids: [PHOTO, INTERVIEW] }, LABEL, FAMILY_LABEL]);
  const changed = await build();
  const after = readFiles(site);
  const differing = [...after].filter(([path, bytes]) => path.endsWith('.html') && !before.get(path)?.equals(bytes));
  expect(differing.map(([path]) => path)).toContain(`objects/${DOCUMENT}.html`);
  expect(differing.map(([path]) => path)).toContain('es/objects/lica-quay-2.html');
  expect(changed.rebuilt.pages).toBeGreaterThanOrEqual(differing.length);
  expect(changed.rebuilt.pages).toBeLessThan(changed.pages / 4);
  expect(before.get(`objects/${DOCUMENT}.html`)?.toString()).toMatch(/<div class="covered">\s*<section class="document">/);
  expect(read(`objects/${DOCUMENT}.html`)).not.toContain('class="covered"');
  expect((await build()).written).toBe(0);
  const { code } = await runMicrofiche(['verify', '--dir', site], { cwd: project });
  expect(code).toBe(0);
});

describe('a wrong value', () => {
  it('is a record that is not in the snapshot: one sentence, with its line', async () => {
    const directory = createTestDirectory();
    configure(directory, [{ ...WARNING, ids: [PHOTO, 'lica-quay-9-9'] }]);
    const { code, stderr } = await runMicrofiche(['build'], { cwd: directory });
    const line =
      readFileSync(join(directory, 'microfiche.config.json'), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('9-9')) + 1;
    expect([code, stderr.trim()]).toEqual([
      2,
      `microfiche: microfiche.config.json, line ${line}: "notices.0.ids": the record lica-quay-9-9 is not in the snapshot.`,
    ]);
  });

  it('is not a record that was purged, so that its notice keeps no build from taking it off the site', async () => {
    const directory = createTestDirectory();
    const snapshot = join(directory, 'snapshot');
    cpSync(inject('mirror').small, snapshot, { recursive: true });
    const settings = { snapshot, notices: [{ ...WARNING, ids: [PHOTO] }] };
    writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(settings));
    const purge = await runMicrofiche(['purge', PHOTO, '--yes', '--reason', 'wish of the family', '--snapshot', snapshot], {
      cwd: directory,
    });
    expect(purge.code).toBe(0);
    const { code, stderr } = await runMicrofiche(['build', '--no-search'], { cwd: directory });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('microfiche: ')]);
  });

  it('has the line of its own notice in TypeScript', async () => {
    const directory = createTestDirectory();
    writeFileSync(
      join(directory, 'microfiche.config.ts'),
      [
        'export default {',
        `  snapshot: ${JSON.stringify(inject('mirror').snapshot)},`,
        '  notices: [',
        `    { kind: 'warning', ids: ['a-1-1-1'], title: { en: 'Says "],": { title', es: 'Dice' } },`,
        '    // kind: a comment, with a bracket ]',
        '    {',
        `      ids: ['a-1-1-1'], title: 'Second',`,
        `      kind: 'advice',`,
        '    },',
        '  ],',
        '};',
      ].join('\n'),
    );
    const { code, stderr } = await runMicrofiche(['build'], { cwd: directory });
    expect([code, stderr.trim()]).toEqual([
      2,
      'microfiche: microfiche.config.ts, line 8: "notices.1.kind" must be one of "warning", "label".',
    ]);
  });
});
