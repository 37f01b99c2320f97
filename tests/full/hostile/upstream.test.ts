/** An upstream with a hostile value in each field: nothing runs, loads or is forged, with or without the CSP of the site. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/model/exit-codes.ts';
import { BROWSERS, startBrowser } from '../../support/browsers.ts';
import {
  type CommandResult,
  createSharedDirectory,
  LONG,
  readFiles,
  runMicrofiche,
  startServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { fillWithHostileValues, recordIdsOf } from '../../support/every-field.ts';
import { readPacks } from '../../support/packs.ts';
import { respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';
import { type HostileValue, hostileValues, MAX_NAME_LENGTH, searchWordOf } from '../../support/values.ts';
import { exercise, runInTabs, startCanary } from '../../support/watched-page.ts';
import { writeAllPacks } from '../../support/write-packs.ts';

const TABS = 3;
const PACK_SIZE = 4 * 1024 * 1024;
const SITE = 'https://mirror.example/archive/';

/** The forms of the site, and how the path of a page is opened in each. */
const FORMS = {
  normal: { options: ['--site', SITE], at: (path: string) => path },
  compact: {
    options: ['--compact', '--kiosk', '--idle-minutes', '60', '--languages', 'en,ja'],
    at: (path: string) =>
      /^(?:ja\/)?(?:objects|people|authors|guide|browse)\/(?!(?:[a-z]+\/)?index)/.test(path) ? `page.html?${path}` : path,
  },
} as const;
type Form = keyof typeof FORMS;
const ALL_FORMS = Object.keys(FORMS) as Form[];

const { path: directory, remove } = createSharedDirectory();
const snapshot = join(directory, 'snapshot');
const distOf = (form: Form, policy: boolean) => join(directory, policy ? form : `${form}-without-policy`);
const ran: Record<string, CommandResult> = {};
let canary: Awaited<ReturnType<typeof startCanary>>;
let values: HostileValue[];
let upstream: TestUpstream;
const pages: Record<Form, string[]> = { normal: [], compact: [] };

async function run(name: string, args: string[]): Promise<CommandResult> {
  const result = await runMicrofiche(args);
  ran[name] = result;
  return result;
}

beforeAll(async () => {
  canary = await startCanary();
  values = hostileValues(canary.url);
  upstream = await startTestUpstream({ shared: true });
  const roots = fillWithHostileValues(upstream, values);
  const baseUrls = [...upstreamOptions(upstream.url)];
  await run('harvest', [
    'harvest',
    ...baseUrls,
    '--snapshot',
    snapshot,
    '--concurrency',
    '16',
    '--attempts',
    '1',
    '--root',
    ...roots,
  ]);
  await run('media', ['media', '--snapshot', snapshot, '--concurrency', '16']);
  for (const form of ALL_FORMS) {
    const { stdout } = await run(`build ${form}`, [
      'build',
      '--snapshot',
      snapshot,
      '--out',
      distOf(form, true),
      ...FORMS[form].options,
    ]);
    expect(stdout).toContain('Built ');
    pages[form] = withoutPolicy(distOf(form, true), distOf(form, false));
  }
  await run('status', ['status', '--snapshot', snapshot, '--since', '2020-01-01', '--dir', distOf('normal', true)]);
});
afterAll(async () => {
  await upstream?.close();
  canary?.close();
  remove();
});

const META = /<meta http-equiv="Content-Security-Policy"[^>]*>/g;
/** Copies a site without the policy of its pages. Returns the paths of all pages. */
function withoutPolicy(from: string, to: string): string[] {
  cpSync(from, to, { recursive: true });
  const paths: string[] = [];
  const strip = (path: string, html: string) => {
    paths.push(path);
    const stripped = html.replace(META, '');
    expect(html.length - stripped.length, path).toBeGreaterThan(100);
    return stripped;
  };
  for (const path of readdirSync(to, { recursive: true }).map(String)) {
    const file = join(to, path);
    if (path.endsWith('.html')) writeFileSync(file, strip(path, readFileSync(file, 'utf8')));
  }
  const packs = join(to, 'pages');
  const entries = [...readFiles(packs)].length === 0 ? [] : [...readPacks(packs)];
  const strippedEntries = entries.map(({ name, data }) => ({
    name,
    data: Buffer.from(strip(name, Buffer.from(data).toString())),
  }));
  if (strippedEntries.length > 0) writeAllPacks(packs, strippedEntries, PACK_SIZE);
  return paths.filter((path) => path !== 'page.html').sort();
}

describe('on the command line', () => {
  it('every command succeeds', () => {
    for (const [name, { code, stderr }] of Object.entries(ran))
      expect([0, EXIT_CODES.incomplete], `${name}: ${stderr}`).toContain(code);
    expect(ran['build normal']?.stdout).not.toContain('could not be rendered');
    expect(ran['build compact']?.stdout).not.toContain('could not be rendered');
  });

  it('no output or report has characters that move the cursor or reverse text', () => {
    const outputs = [
      ...Object.values(ran).flatMap(({ stdout, stderr }) => [stdout, stderr]),
      readFileSync(join(snapshot, 'report.txt'), 'utf8'),
    ];
    for (const text of outputs) {
      // Lines end with a line feed, and columns with a tab.
      expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/u);
      expect(text).not.toMatch(/^Harvested: 99999/m);
    }
  });

  it('verify has no findings', async () => {
    // The site of records that break something, which another test verifies, is a normal one.
    for (const form of LONG ? ALL_FORMS : (['compact'] as const)) {
      const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot, '--dir', distOf(form, true)]);
      expect([code, stdout.split('\n').slice(2)]).toEqual([0, ['']]);
    }
  });
});

/**
 * Returns a page for each second value: that of the segment, which has most fields. The other form has those of the other values.
 * Adds other pages of some values, and the pages that exist only once.
 */
function samplePages(form: Form): string[] {
  const existing = new Set(pages[form]);
  const withValues = values.flatMap((_, n) => {
    const { repository, organization, collection, entity, segment } = recordIdsOf(n);
    const own = [entity, collection, organization, repository, `failing-o-1-${n + 1}`].map((id) => `objects/${id}.html`);
    const others = pages[form].filter(
      (path) => path.startsWith(`objects/${segment}-`) || (path.includes(`-${searchWordOf(n)}`) && !path.startsWith('objects/')),
    );
    const turn = [...own, `objects/${collection}/contents.html`, ...others].filter((path) => existing.has(path));
    if (n % 2 === ALL_FORMS.indexOf(form)) return [`objects/${segment}.html`];
    return n % 8 < 2 ? [turn[(n * 7 + 3) % turn.length] as string] : [];
  });
  const unique = pages[form].filter((path) =>
    /^(?:[a-z]+|(?:browse|people|authors|guide|collections)(?:\/[a-z]+)?\/index)\.html$/.test(path),
  );
  return [...new Set([...withValues, ...unique])];
}

async function openPage(page: Page, url: string): Promise<string[]> {
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForSelector('h1, .attract-begin');
  return exercise(page, url.endsWith('attract.html') ? '.nothing' : 'main'); // a click leaves that page
}

const searchDone = (page: Page) => page.waitForSelector('#results[aria-busy="false"]');

/** Searches for a word as a reader types it, and exercises the results. Returns their number, and everything that is wrong. */
async function search(page: Page, word: string): Promise<{ found: number; wrong: string[] }> {
  await page.evaluate((query) => {
    const [results, input] = [document.querySelector('#results'), document.querySelector<HTMLInputElement>('#q')];
    if (!results || !input) throw new Error('this is not a search page');
    results.ariaBusy = 'true';
    input.value = query;
    input.form?.requestSubmit();
  }, word);
  await searchDone(page);
  const found = (await page.$$('#results li')).length;
  return { found, wrong: await exercise(page, '#results, #count') };
}

const policies = [
  ['with the policy', true],
  ['without the policy', false],
] as const;

// All pages in both browsers take an hour. Without LONG, a sample is tested that contains each value.
describe.each(LONG ? BROWSERS : (['chrome'] as const))('in %s', (name) => {
  let browser: Browser;
  const hosts: Array<{ url: string; stop: () => Promise<void> }> = [];
  /** Returns the URL of the site on file:// or over HTTP. */
  const topOf = async (form: Form, policy: boolean, scheme: 'file' | 'http') => {
    if (scheme === 'file') return pathToFileURL(distOf(form, policy)).href;
    const host = await startServe(['--snapshot', snapshot, '--dir', distOf(form, policy)]);
    hosts.push(host);
    return host.url;
  };
  beforeAll(async () => {
    browser = await startBrowser(name);
  });
  afterAll(async () => {
    await browser.close();
    for (const host of hosts) await host.stop();
  });

  it('the values run on a page that does not escape them, so the tests below can fail', async () => {
    const unnoticed = new Set(values.flatMap(({ runs }, n) => (runs ? [n] : [])));
    const host = await startTestUpstream({ shared: true });
    for (const n of unnoticed) {
      const html = `<!doctype html><meta charset=utf-8><title>x</title><main><h1>${values[n]?.text}</h1><p title="x">words</p></main>`;
      host.routes.set(`/${n}`, respondWith(200, { 'content-type': 'text/html' }, html));
    }
    const signs = await runInTabs(browser, host.url, TABS, [...unnoticed], async (page, n) => {
      await page.goto(`${host.url}/${n}`, { waitUntil: 'load' }).catch(() => undefined);
      // A javascript: link may replace the page.
      const wrong = await exercise(page).catch((): string[] => []);
      await page.evaluate(() => document.querySelector<HTMLElement>('#send')?.click()).catch(() => undefined);
      return wrong.includes('it ran') ? [`hacked-${n}`] : [];
    });
    const noticed = [
      ...signs.join('\n').matchAll(/hacked-(\d+)/g),
      ...canary.requests
        .splice(0)
        .join('\n')
        .matchAll(/^\/(\d+)/gm),
    ];
    for (const [, n] of noticed) unnoticed.delete(Number(n));
    await host.close();
    expect([...unnoticed].map((n) => values[n]?.name)).toEqual([]);
  });

  // The policy only forbids more, so what does not happen without it does not happen with it.
  describe.each(LONG ? policies : policies.filter(([, policy]) => !policy))('%s', (_, policy) => {
    // A sample shows where the two schemes differ: over HTTP in one form, from file:// in the other.
    const cases = LONG
      ? ALL_FORMS.flatMap((form) => [[form, 'file'] as const, [form, 'http'] as const])
      : ([
          ['normal', 'http'],
          ['compact', 'file'],
        ] as const);

    it.each(cases)(
      'no page of the %s site runs, loads or shows what it should not (%s)',
      async (form, scheme) => {
        const top = await topOf(form, policy, scheme);
        const paths = LONG ? pages[form] : samplePages(form);
        expect(
          await runInTabs(browser, top, TABS, paths, (page, path) => openPage(page, `${top}/${FORMS[form].at(path)}`)),
        ).toEqual([]);
        expect(canary.requests).toEqual([]);
      },
      3_600_000,
    );

    it.each(cases)(
      'no search of the %s site does, for results or queries with the values (%s)',
      async (form, scheme) => {
        const top = await topOf(form, policy, scheme);
        const unfound: string[] = [];
        const numbers = values.map((_, n) => n);
        // The records have the same values in both forms.
        const searched = numbers.filter((n) => LONG || n % 8 === ALL_FORMS.indexOf(form));
        const found = await runInTabs(browser, top, TABS, searched, async (page, n) => {
          if (!page.url().includes('search.html')) {
            await page.goto(`${top}/search.html`);
            await searchDone(page);
          }
          const result = await search(page, searchWordOf(n));
          if (result.found === 0) unfound.push(searchWordOf(n));
          return result.wrong;
        });
        // The values as queries, and as values of a filter.
        const queried = numbers.filter((n) => LONG || n % 16 === (policy ? 1 : 3) + 8 * ALL_FORMS.indexOf(form));
        const queries = await runInTabs(browser, top, TABS, queried, async (page, n) => {
          const text = encodeURIComponent((values[n]?.text ?? '').slice(0, MAX_NAME_LENGTH).toWellFormed());
          await page.goto(`${top}/search.html?q=${text}&format=${text}&sort=${text}&from=${text}`);
          await searchDone(page);
          return exercise(page, '#results, #count');
        });
        const signs = [...found, ...queries];
        expect(signs).toEqual([]);
        expect(unfound).toEqual([]);
        expect(canary.requests).toEqual([]);
      },
      3_600_000,
    );

    it('nothing runs when a reader zooms, plays, copies, changes the language or wakes the kiosk', async () => {
      const at = { normal: await topOf('normal', policy, 'http'), compact: await topOf('compact', policy, 'file') };
      const sample = values.map((_, n) => n).filter((n) => LONG || n % 48 === Number(policy));
      const normal = await runInTabs(browser, at.normal, TABS, sample, async (page, n) => {
        const { entity, segment } = recordIdsOf(n);
        await page.goto(`${at.normal}/objects/${entity}.html`);
        await zoom(page);
        const wrong = await exercise(page);
        await page.goto(`${at.normal}/objects/${segment}.html#play`);
        await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
        await page.evaluate(() => document.querySelector<HTMLElement>('.cues .cue-time')?.click());
        return [...wrong, ...(await exercise(page))];
      });
      const compact = await runInTabs(browser, at.compact, TABS, sample, async (page, n) => {
        await page.goto(`${at.compact}/${FORMS.compact.at(`objects/${recordIdsOf(n).entity}.html`)}`);
        await page.waitForSelector('.languages summary');
        await page.click('.languages summary');
        await Promise.all([page.waitForNavigation(), page.click('.languages a[lang="ja"]')]);
        await page.waitForSelector('html[lang="ja"] h1');
        const wrong = await exercise(page);
        await page.goto(`${at.compact}/attract.html`);
        await page.waitForSelector('.attract-begin');
        wrong.push(...(await exercise(page, '.nothing')));
        await Promise.all([page.waitForNavigation(), page.mouse.click(200, 200)]);
        return wrong;
      });
      expect([...normal, ...compact]).toEqual([]);
      expect(canary.requests).toEqual([]);
    });
  });
});

/** Files are opened in Chromium only: Firefox downloads what Chromium shows. */
describe('in Chromium', () => {
  let browser: Browser;
  let host: Awaited<ReturnType<typeof startServe>>;
  beforeAll(async () => {
    browser = await startBrowser('chrome');
    host = await startServe(['--snapshot', snapshot]);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  it('no file of upstream and no response of the APIs runs when it is served', async () => {
    const files = [...upstream.routes.keys()].filter((path) => path.startsWith('/media/'));
    const records = values.flatMap((_, n) => [`/api/0.2/${recordIdsOf(n).entity}/`, `/api/0.2/${recordIdsOf(n).segment}/files/`]);
    const echoed = values.map(({ text }) => `/api/0.2/${encodeURIComponent(text.slice(0, 300).toWellFormed())}`);
    const all = [...files, ...records, ...echoed, '/api/3.0/authors/'];
    const signs: string[] = [];
    for (const path of all) {
      const { status, headers } = await fetch(host.url + path);
      const type = headers.get('content-type') ?? '';
      if (
        path.startsWith('/media/') &&
        (status !== 200 || headers.get('content-security-policy') !== "sandbox; default-src 'none'")
      )
        signs.push(`${status} ${path}`);
      if (headers.get('x-content-type-options') !== 'nosniff' || /html|svg|xml|script|css/.test(type))
        signs.push(`${type} ${path}`);
    }
    const opened = LONG ? all : all.filter((_, n) => n % 11 === 0);
    // A browser shows an image or video in a page of its own, whose styles the policy blocks.
    const isOfBrowser = (sign: string) =>
      /: console: (?:Applying inline style|Blocked script execution|Loading media)/.test(sign);
    const shown = await runInTabs(browser, host.url, TABS, opened, async (page, path) => {
      await page.goto(host.url + path).catch((error: Error) => {
        // A file to download, or a response without a body.
        if (!/ERR_ABORTED|ERR_INVALID_RESPONSE|ERR_HTTP_RESPONSE_CODE_FAILURE|aborted/i.test(error.message)) throw error;
      });
      // The browser’s own error page has scripts.
      return page.evaluate(() =>
        location.protocol.startsWith('http') && ('hacked' in window || document.scripts.length > 0) ? ['it ran'] : [],
      );
    });
    signs.push(...shown.filter((sign) => !isOfBrowser(sign)));
    expect(signs).toEqual([]);
    expect(canary.requests).toEqual([]);
  });

  it('feed, sitemap, OpenSearch description and manifest are well-formed, and contain no markup of upstream', async () => {
    const page = await browser.newPage();
    for (const form of ALL_FORMS) {
      const files = [...readFiles(distOf(form, true))].filter(([path]) => /\.(?:xml|webmanifest|json|svg)$/.test(path));
      expect(files.length).toBeGreaterThan(2);
      for (const [path, bytes] of files) {
        if (!/\.(?:xml|svg)$/.test(path)) JSON.parse(bytes.toString());
        else expect(await page.evaluate(foreignElements, bytes.toString()), path).toEqual([]);
      }
    }
    await page.close();
    const feed = readFiles(distOf('normal', true)).get('feed.xml')?.toString() ?? '';
    expect(feed.match(/<entry>/g)?.length).toBe(50);
    const robots = readFiles(distOf('normal', true)).get('robots.txt')?.toString();
    expect(robots).toBe(`User-agent: *\nDisallow:\n\nSitemap: ${SITE}sitemap-index.xml\n`);
    const manifest = readFileSync(join(distOf('normal', true), 'manifest-sha256.txt'), 'utf8');
    expect(manifest).toMatch(/^(?:[0-9a-f]{64} {2}[\w./-]+\n)+$/);
  });
});

/** Returns what is not ours in an XML document. Runs in the page. */
function foreignElements(xml: string): string[] {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml');
  const known =
    /^(?:http:\/\/www\.w3\.org\/2005\/Atom|http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9|http:\/\/a9\.com\/-\/spec\/opensearch\/1\.1\/|http:\/\/www\.w3\.org\/2000\/svg)$/;
  const wrong = [...parsed.querySelectorAll('*')].filter(
    (element) => !known.test(element.namespaceURI ?? '') || /^(?:script|parsererror|foreignObject)$/.test(element.localName),
  );
  return [...wrong.map((element) => element.outerHTML.slice(0, 200)), ...(parsed.doctype ? ['a document type'] : [])];
}

/** Opens the zoom view of a page’s image, and closes it. */
async function zoom(page: Page): Promise<void> {
  const link = await page.$('a.zoom');
  if (!link) return;
  await page.evaluate(() => document.querySelector<HTMLElement>('a.zoom')?.click());
  await page.waitForSelector('.zoom-view canvas');
  await page.keyboard.press('+');
  await page.keyboard.press('Escape');
}
