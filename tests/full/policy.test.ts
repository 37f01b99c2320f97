/** The Content-Security-Policy in real browsers: injected scripts do not run, and the site's own scripts and images work. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { SiteAudit } from '../../src/publish/site-audit.ts';
import { BROWSERS, openImageViewer, openPage, startBrowser } from '../support/browsers.ts';
import { createSharedDirectory, runMicrofiche, startServe } from '../support/commands.ts';
import { readPacks } from '../support/packs.ts';
import { sharedSite } from '../support/shared-sites.ts';
import { writeAllPacks } from '../support/write-packs.ts';

const FORMS = ['normal', 'compact', 'kiosk'] as const;
const RECORD = 'objects/lica-ferry-1-1-1.html';
/** Each script changes the page's title if it runs. */
const INJECTED = [
  '<script>document.title = "ran"</script>',
  '<script src="data:text/javascript,document.title=%22ran%22"></script>',
  '<img src="not-there.png" alt="" onerror="document.title = \'ran\'">',
  '<svg onload="document.title = \'ran\'"></svg>',
  '<iframe srcdoc="<script>parent.document.title = \'ran\'</script>"></iframe>',
  '<a id="bait" href="javascript:void(document.title = \'ran\')">bait</a>',
].join('');

const directory = createSharedDirectory();
const sites = new Map<string, string>();
const distOf = (form: (typeof FORMS)[number]) => sites.get(form) as string;
const readInjected = (form: string) => join(directory.path, `injected-${form}`);

beforeAll(async () => {
  for (const form of FORMS) {
    sites.set(form, form === 'normal' ? inject('mirror').dist : await sharedSite(`--${form}`));
    const dist = readInjected(form);
    cpSync(distOf(form), dist, { recursive: true });
    if (form === 'compact') injectIntoPacks(join(dist, 'pages'));
    else injectInto(join(dist, RECORD));
    injectInto(join(dist, 'index.html'));
  }
});
afterAll(directory.remove);

const withInjected = (html: string) => html.replace('</main>', `${INJECTED}</main>`);

function injectInto(file: string): void {
  writeFileSync(file, withInjected(readFileSync(file, 'utf8')));
}

function injectIntoPacks(pages: string): void {
  const entries = [...readPacks(pages)].map(({ name, data }) =>
    name === RECORD ? { name, data: Buffer.from(withInjected(Buffer.from(data).toString())) } : { name, data },
  );
  writeAllPacks(pages, entries, 4 * 1024 * 1024);
}

/** An image of a page that was left before it was loaded, on a site with a service worker. */
const LEFT_EARLY = /\/media\/.*A ServiceWorker intercepted the request and encountered an unexpected error/;

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(name);
  });
  afterAll(() => browser?.close());

  it('blocks injected scripts, from file:// and over HTTP', async () => {
    const servers = await Promise.all(
      FORMS.map((form) => startServe(['--snapshot', inject('mirror').snapshot, '--dir', readInjected(form)])),
    );
    try {
      const page = await browser.newPage();
      for (const [i, form] of FORMS.entries()) {
        for (const root of [pathToFileURL(readInjected(form)).href, servers[i]?.url]) {
          for (const path of ['index.html', form === 'compact' ? `page.html?${RECORD}` : RECORD]) {
            await page.goto(`${root}/${path}`);
            await page.waitForSelector('#bait');
            await page.$eval('#bait', (bait) => (bait as HTMLElement).click());
            await new Promise((resolve) => setTimeout(resolve, 100));
            expect(await page.title(), `${root}/${path}`).not.toBe('ran');
          }
        }
      }
      await page.close();
    } finally {
      for (const server of servers) await server.stop();
    }
  });

  it('runs the same scripts without the policy, so the test above can fail', async () => {
    const html = readFileSync(join(readInjected('normal'), RECORD), 'utf8').replace(/<meta http-equiv[^>]*>/, '');
    writeFileSync(join(readInjected('normal'), 'objects/unguarded.html'), html);
    const page = await browser.newPage();
    await page.goto(`${pathToFileURL(readInjected('normal')).href}/objects/unguarded.html`);
    await page.waitForSelector('#bait');
    expect(await page.title()).toBe('ran');
    await page.close();
  });

  it('lets no script make markup of a text, or load a script from beside the site', async () => {
    const page = await browser.newPage();
    await page.goto(`${pathToFileURL(distOf('normal')).href}/${RECORD}`);
    const attempt = (kind: 'markup' | 'script', text: string) =>
      page.evaluate(
        (sort, value) => {
          try {
            if (sort === 'markup') document.createElement('div').innerHTML = value;
            else document.createElement('script').src = value;
            return 'allowed';
          } catch (error) {
            return (error as Error).name;
          }
        },
        kind,
        text,
      );
    expect(await attempt('markup', '<b>text</b>')).toBe('TypeError');
    expect(await attempt('markup', 'text')).toBe('allowed');
    expect(await attempt('script', '../../elsewhere/assets/theme.js')).toBe('TypeError');
    expect(await attempt('script', 'data:text/javascript,0')).toBe('TypeError');
    expect(await attempt('script', '../assets/theme.js')).toBe('allowed');
    await page.close();
  });

  it.each(FORMS)('blocks nothing of the %s site itself over HTTP', async (form) => {
    const server = await startServe(['--snapshot', inject('mirror').snapshot, '--dir', distOf(form)]);
    const at = (path: string) => `${server.url}/${form === 'compact' ? `page.html?${path}` : path}`;
    try {
      const { page, problems } = await openPage(browser, server.url);
      await page.goto(`${server.url}/search.html?q=ferry`);
      await page.waitForSelector('#results[aria-busy="false"] li');
      await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.results img')?.naturalWidth ?? 0) > 1);
      await page.goto(at('objects/lica-quay-2-1.html'));
      await zoom(page);
      await page.goto(at(RECORD));
      await play(page);
      await page.goto(at('objects/lica-ferry-1-4-1.html'));
      await play(page);
      await page.goto(`${server.url}/browse/place/index.html`);
      await page.waitForSelector('.map .land');
      if (form === 'kiosk') await kiosk(page, server.url);
      // Firefox reports the images that a page still loads when a reader leaves it. What the policy blocks has another message.
      expect(problems.filter((problem) => !LEFT_EARLY.test(problem))).toEqual([]);
      await page.close();
    } finally {
      await server.stop();
    }
  });
});

async function zoom(page: Page): Promise<void> {
  await openImageViewer(page);
  for (const key of ['+', 'ArrowRight', '0', 'Escape'] as const) await page.keyboard.press(key);
}

/** Starts the player and stops it again. */
async function play(page: Page): Promise<void> {
  await page.waitForSelector('.player');
  await page.waitForFunction(() => (document.querySelector<HTMLMediaElement>('.player')?.readyState ?? 0) > 0);
  await page.$eval('.player', async (player) => {
    const media = player as HTMLMediaElement;
    media.muted = true;
    await media.play();
    media.pause();
  });
}

async function kiosk(page: Page, root: string): Promise<void> {
  await page.evaluate(() => sessionStorage.clear()); // the zoom viewer was used with real keys
  await page.goto(`${root}/about.html`);
  await page.focus('#masthead-q');
  await page.waitForSelector('.kiosk-keyboard .hg-button');
  const width = await page.$eval('.kiosk-keyboard .hg-button', (key) => getComputedStyle(key).display);
  expect(width).toBe('flex'); // the style sheet of the keyboard is applied
  await page.goto(`${root}/objects/lica-ferry-1-1-1.html`);
  await page.$eval('button.outside', (button) => (button as HTMLElement).click());
  await page.waitForSelector('.outside-panel:popover-open svg');
  await page.goto(`${root}/attract.html`);
  expect(await page.$eval('.attract', (element) => getComputedStyle(element).getPropertyValue('--slides').trim())).toBe('8');
  expect(await page.$eval('.attract figure:last-of-type', (figure) => getComputedStyle(figure).animationDelay)).toBe('56s');
}

it('verify accepts each form, and reports each changed page, including those in packs', async () => {
  const audit = async (dir: string) => {
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dir, '--json']);
    return { code, site: (JSON.parse(stdout) as { site: SiteAudit }).site };
  };
  for (const form of FORMS) {
    expect(await audit(distOf(form))).toMatchObject({ code: 0, site: { policy: [] } });
    const { code, site } = await audit(readInjected(form));
    const record = form === 'compact' ? `page.html?${RECORD}` : RECORD;
    expect([
      code,
      [...new Set(site.policy.map(({ what }) => what))].filter((what) => !what.includes('unguarded')).sort(),
    ]).toEqual([1, ['index.html', record].sort()]);
    expect(site.policy.filter(({ what }) => what === record)).toHaveLength(6);
  }
});
