/** What old engines get: a style sheet that others do not load, which shows the same as the written one, and scripts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { readStyle } from '../../src/build/astro/style-module.ts';
import { startChromium, waitForSearch } from '../support/chromium.ts';
import { LONG, readFiles } from '../support/commands.ts';
import { startStaticHost } from '../support/static-host.ts';

const WRITTEN = readStyle('site.css', { kiosk: false });
const dist = () => inject('mirror').dist;

it('has nothing that an engine of 2020 does not know and needs', () => {
  const style = readFileSync(join(dist(), 'assets/old-engines.css'), 'utf8');
  expect(style).not.toMatch(/@layer|light-dark/);
  expect(readFileSync(join(dist(), '404.html'), 'utf8')).not.toMatch(/@layer|light-dark/);
});

it('sets ARIA attributes, because properties such as ariaBusy are missing in Firefox before 119', () => {
  const scripts = [...readFiles(join(dist(), 'assets'))].filter(([path]) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const [path, text] of scripts) expect(text.toString(), path).not.toMatch(/\.aria[A-Z]\w*=[^=]/);
});

it('has no lookbehind in scripts, because engines before Safari 16.4 do not start a script with it', () => {
  const scripts = [...readFiles(dist())].filter(([path]) => /^(?:assets\/[^/]+|[^/]+)\.js$/.test(path));
  for (const [path, text] of scripts) expect(text.toString(), path).not.toMatch(/\(\?<[=!]/);
});

it('has a style sheet for old engines that only those load, and no other file for them', async () => {
  const host = await startStaticHost(dist());
  const browser = await startChromium();
  try {
    const style = readFileSync(join(dist(), 'assets/site.css'), 'utf8');
    // An engine that does not know `@scope` sees a rule that it does not know.
    for (const [body, expected] of [
      [style, 0],
      [style.replace('@scope', '@unknown'), 1],
    ] as const) {
      const page = await browser.newPage({ serviceWorkers: 'block' });
      const loaded: string[] = [];
      page.on('requestfinished', (request) => loaded.push(request.url()));
      await page.route('**/assets/site.css', (route) => route.fulfill({ contentType: 'text/css', body }));
      await page.goto(`${host.url}/about.html`);
      expect(loaded.filter((url) => url.endsWith('old-engines.css'))).toHaveLength(expected);
    }
  } finally {
    await browser.close();
    await host.stop();
  }
});

it('gives every element the style that is written in a new browser, with either style sheet', async () => {
  const host = await startStaticHost(dist());
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' }); // they would request the style sheet themselves
    await page.route('**/assets/written.css', (route) => route.fulfill({ contentType: 'text/css', body: WRITTEN }));
    const differences: string[] = [];
    for (const [p, path] of COMPARED_PAGES.entries())
      for (const [m, { width, ...media }] of COMPARED_MEDIA.entries()) {
        if (!LONG && m !== p % COMPARED_MEDIA.length) continue; // each page, and each medium
        await page.emulateMedia(media);
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${host.url}/${path}`, { waitUntil: 'networkidle' });
        if (path.startsWith('search')) await waitForSearch(page);
        const original = await readSettledStyles(page);
        for (const name of ['old-engines.css', 'written.css']) {
          await page.evaluate(replaceStyleSheet, name);
          const rewritten = await readSettledStyles(page);
          for (const [i, style] of original.entries())
            if (style !== rewritten[i])
              differences.push(`${name} ${path} ${width}: ${firstDifference(style, rewritten[i] ?? '')}`);
        }
      }
    expect(differences.slice(0, 10)).toEqual([]);
  } finally {
    await browser.close();
    await host.stop();
  }
});

const COMPARED_PAGES = [
  'index.html',
  'objects/lica-ferry-1-1-1.html',
  'objects/lica-ferry-1.html',
  'search.html?q=ferry',
  'browse/time/index.html',
];
const COMPARED_MEDIA = [
  { media: 'screen', colorScheme: 'light', width: 1200 },
  { media: 'screen', colorScheme: 'dark', width: 500 },
  { media: 'print', colorScheme: 'dark', width: 800 },
] as const;

/** Runs in the page. */
function replaceStyleSheet(name: string): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]') as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(link.href));
    link.href = link.href.replace(/[^/]*$/, name);
  });
}

/** Returns the styles once two readings agree: a video's size, or what a script adds, may come after the page loaded. */
async function readSettledStyles(page: Page): Promise<string[]> {
  await page.waitForFunction(() => {
    const videos = [...document.querySelectorAll('video')];
    const isChanging = document.getAnimations().some((each) => each instanceof CSSTransition && each.playState === 'running');
    return !isChanging && videos.every((video) => video.readyState > 0 || video.error !== null);
  });
  let before: string[] = [];
  for (;;) {
    const now = await readStyles(page);
    if (now.length === before.length && now.every((style, i) => style === before[i])) return now;
    before = now;
    await page.waitForTimeout(50);
  }
}

/** Returns the computed style of each element of a page, and of what CSS generates before and after it. */
function readStyles(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((element) =>
      [null, '::before', '::after'].map((part) => {
        const style = getComputedStyle(element, part);
        if (part && style.content === 'none') return '';
        const texts = Array.from(style)
          // Of <main>, Chromium sometimes returns `0px` for `auto`, with either style sheet.
          .filter(
            (name) => !name.startsWith('--') && (element.localName !== 'main' || !/^margin-(?:inline|left|right)/.test(name)),
          )
          .map((name) => `${name}: ${style.getPropertyValue(name)}`);
        return (
          `${element.localName}.${element.getAttribute('class')}${part ?? ''}\n${texts.join('\n')}`
            // The same in scripts from left to right.
            .replace('float: inline-start', 'float: left')
            .replace('float: inline-end', 'float: right')
        );
      }),
    ),
  );
}

function firstDifference(one: string, other: string): string {
  const lines = other.split('\n');
  const at = one.split('\n').findIndex((line, i) => line !== lines[i]);
  return `${lines[0]}: ${one.split('\n')[at]}, not ${lines[at]}`;
}
