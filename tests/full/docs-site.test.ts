/** The site of the documents: `npm run docs:site` below a path of a host, with each link, image and anchor, and the demo. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { BROWSERS, startBrowser } from '../support/browsers.ts';
import { findAxeViolations, startChromium } from '../support/chromium.ts';
import { createSharedDirectory, ROOT } from '../support/commands.ts';
import { startStaticHost } from '../support/static-host.ts';

const shared = createSharedDirectory();
const site = join(shared.path, 'site');
const HOST = 'https://docs.example';
const BASE = '/microfiche/';
/** Pages by their path in the site. */
const pages = new Map<string, { ids: Set<string>; links: Array<{ tag: string; rel: string; address: string }> }>();

beforeAll(async () => {
  // Vitest sets BASE_URL, which Astro would take for its own.
  const env = { SITE_URL: `${HOST}${BASE}`, BASE_URL: undefined };
  const { exitCode, all } = await execa('npm', ['run', '--silent', 'docs:site', '--', site], {
    cwd: ROOT,
    env,
    all: true,
    reject: false,
  });
  expect([exitCode, all]).toEqual([0, expect.any(String)]);
  for (const [path, file] of listFiles(site))
    if (path.endsWith('.html') && !/^demo(?:-kiosk)?\//.test(path)) pages.set(path, readPage(file));
});
afterAll(shared.remove);

/** A node of htmlparser2. */
interface Node {
  name?: string;
  attribs?: Record<string, string>;
  children?: readonly Node[];
}

function readPage(file: string) {
  const ids = new Set<string>();
  const links: Array<{ tag: string; rel: string; address: string }> = [];
  const visit = ({ name: tag = '', attribs = {}, children = [] }: Node): void => {
    if (attribs['id']) ids.add(attribs['id']);
    for (const name of ['href', 'src']) if (attribs[name]) links.push({ tag, rel: attribs['rel'] ?? '', address: attribs[name] });
    for (const child of children) visit(child);
  };
  visit(parseDocument(readFileSync(file, 'utf8')) as Node);
  return { ids, links };
}

it('has a page for each document, in the order start, run, publish, keep, withdraw', () => {
  const documents = listFiles(join(ROOT, 'docs')).flatMap(
    ([path]) => /^(?:decisions\/\d.*|[\w-]+)(?=\.md$)/.exec(path)?.[0] ?? [],
  );
  expect(documents.length).toBeGreaterThan(60);
  expect(documents.filter((name) => !pages.has(`${name}/index.html`))).toEqual([]);
  const html = readFileSync(join(site, 'getting-started/index.html'), 'utf8');
  const headings = ['Start', 'Run', 'Publish', 'Keep', 'Withdraw', 'Reference', 'Develop'];
  const found = [...html.matchAll(/<span class="large[^>]*>([^<]+)<\/span>/g)].map(([, heading]) => heading);
  expect(found.slice(0, headings.length)).toEqual(headings);
});

it('has every page, file and place that its pages link to, and every image', () => {
  const broken: string[] = [];
  for (const [path, { links }] of pages)
    for (const { address, rel } of links) {
      const url = new URL(address, `${HOST}${BASE}${path.replace(/index\.html$/, '')}`);
      // A page for missing addresses has none of its own.
      if (url.origin !== HOST || (path === '404.html' && rel === 'canonical')) continue;
      const below = decodeURIComponent(url.pathname).slice(BASE.length);
      const target = below === '' || below.endsWith('/') ? `${below}index.html` : below;
      const isThere = url.pathname.startsWith(BASE) && existsSync(join(site, target)) && statSync(join(site, target)).isFile();
      const id = decodeURIComponent(url.hash.slice(1));
      const page = pages.get(target);
      if (!isThere || (id !== '' && page !== undefined && !page.ids.has(id))) broken.push(`${path}: ${address}`);
    }
  expect(broken).toEqual([]);
});

it('loads nothing from other hosts', () => {
  const loaded = [...pages].flatMap(([path, { links }]) =>
    links
      .filter(
        ({ tag, rel, address }) =>
          tag !== 'a' && !/^(?:canonical|alternate|sitemap)$/.test(rel) && /^(?:https?:)?\/\//.test(address),
      )
      .map(({ address }) => `${path}: ${address}`),
  );
  expect(loaded).toEqual([]);
});

it('has a search, the demo with an exhibit, a kiosk, and a compact copy that opens after unpacking', async () => {
  expect(existsSync(join(site, 'pagefind/pagefind.js'))).toBe(true);
  const read = (path: string) => readFileSync(join(site, path), 'utf8');
  expect(read('demo/index.html')).toContain('Lantern Islands');
  const exhibit = read('demo/exhibits/winter-1947.html');
  for (const id of ['lica-quay-1-3', 'lica-ferry-1-4-2', 'lica-ferry-1-2-3']) expect(exhibit).toContain(`objects/${id}.html`);
  expect(exhibit.match(/<audio|<video/g)).toHaveLength(2);
  expect(read('demo-kiosk/exhibits/winter-1947.html')).toContain('The quiet woke me.');
  expect(read('demo-kiosk/about.html')).not.toMatch(/<a [^>]*href="https?:/);
  const links = pages.get('index.html')?.links.map(({ address }) => address);
  for (const path of ['demo/index.html', 'demo/exhibits/winter-1947.html', 'demo-kiosk/attract.html', 'microfiche-demo.zip'])
    expect(links).toContain(`./${path}`);
  const { stdout } = await execa('unzip', ['-Z1', join(site, 'microfiche-demo.zip')]);
  expect(stdout.split('\n')).toContain('microfiche-demo/index.html');
  await execa('unzip', ['-tqq', join(site, 'microfiche-demo.zip')]);
});

it('has no violations of WCAG that axe finds', async () => {
  const host = await startStaticHost(site, { base: BASE });
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    // Starlight shows the keys of the search in its button, and does not name them.
    const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: false } };
    for (const path of ['', 'ten-minutes/', 'calculator/', 'cli/', 'architecture/', 'changelog/']) {
      await page.goto(`${host.url}${BASE}${path}`);
      expect([path, await findAxeViolations(page, { rules })]).toEqual([path, []]);
    }
  } finally {
    await browser.close();
    await host.stop();
  }
});

it.each(BROWSERS)('calculates in %s what a copy needs, and opens the demo', async (name) => {
  const host = await startStaticHost(site, { base: BASE });
  const browser = await startBrowser(name);
  try {
    const page = await browser.newPage();
    await page.goto(`${host.url}${BASE}calculator/`);
    await page.focus('[name="records"]');
    await page.keyboard.press('End');
    await page.keyboard.type('0'); // 100,000
    expect(await page.$eval('output', ({ innerText }) => innerText.trim().split('\n'))).toEqual([
      'First harvest: 29 hours to 60 hours',
      'Download of media files: 74 minutes',
      'Snapshot: 11.7 GB, of which media files 11.0 GB',
      'Site: 14.2 GB in about 140,100 files',
      'Compact site for a USB drive: 11.8 GB',
    ]);
    await page.goto(`${host.url}${BASE}demo/index.html`);
    expect(await page.title()).toContain('Lantern Islands');
  } finally {
    await browser.close();
    await host.stop();
  }
});
