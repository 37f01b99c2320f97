/** ZIM files: checked by zimcheck; read by zimdump, kiwix-serve, Kiwix Desktop; same bytes; refused for damaged sites. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { startChromium, waitForSearch } from '../../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  LONG,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  spawnMicrofiche,
  spawnMicroficheJson,
} from '../../support/commands.ts';
import { type KiwixDesktop, type KiwixServer, startKiwixDesktop, startKiwixServe } from '../../support/kiwix.ts';
import { sharedSite } from '../../support/shared-sites.ts';

const shared = createSharedDirectory();
const dist = () => inject('mirror').dist;
const zim = join(shared.path, 'site.zim');
const fullTextZim = join(shared.path, 'full-text.zim');
let report: ExportReport;
let dumped: Map<string, Buffer>;

const exportTo = (to: string, dir = dist(), ...args: string[]) => ['export', 'zim', '--dir', dir, '--to', to, ...args];

beforeAll(async () => {
  report = await runMicroficheJson<ExportReport>(exportTo(zim));
  await runMicroficheJson<ExportReport>(exportTo(fullTextZim, dist(), '--fulltext'));
  const directory = join(shared.path, 'dump');
  await execa(programFile('zimdump'), ['dump', '--dir', directory, zim]);
  dumped = readFiles(directory);
});
afterAll(() => shared.remove());

/** Files that are for browsers, hosts and programs. */
const LEFT_OUT = [
  '404.html',
  '_headers',
  'app.webmanifest',
  'assets/icon-192.png',
  'assets/icon-512.png',
  'assets/save-for-offline.js',
  'feed.xml',
  'manifest-sha256.txt',
  'microfiche.json',
  'offline.json',
  'opensearch.xml',
  'robots.txt',
  'sitemap-0.xml',
  'sitemap-index.xml',
  'sw.js',
];

it.each([zim, fullTextZim])('passes all checks of zimcheck: %s', async (file) => {
  const { stdout } = await execa(programFile('zimcheck'), ['--all', '--details', file]);
  expect(stdout).toContain('Overall Test Status: Pass');
  expect(stdout).not.toMatch(/ERROR|WARNING/);
});

it('contains the files of the site, without service worker and what else only browsers and hosts need', () => {
  const inSite = [...readFiles(dist()).keys()];
  const inZim = [...dumped.keys()].filter((path) => !path.startsWith('id/'));
  expect(inSite.filter((path) => !inZim.includes(path))).toEqual(LEFT_OUT);
  expect(inZim.filter((path) => !inSite.includes(path))).toEqual([]);
  expect(report.files).toBe(inZim.length);
  const changed = inZim.filter((path) => !readFileSync(join(dist(), path)).equals(dumped.get(path) as Buffer));
  expect(changed.filter((path) => !path.endsWith('.html'))).toEqual(['assets/site.css']);
  const about = dumped.get('about.html')?.toString() ?? '';
  expect(about).toContain('</html>');
  expect(about).not.toMatch(/keep|data-kept/);
  for (const [path, bytes] of dumped)
    if (path.endsWith('.html')) expect(bytes.toString()).not.toMatch(/application\/atom\+xml|opensearchdescription/);
});

it('redirects the ID of a record to its page', () => {
  expect(dumped.get('id/lica-ferry-1')?.toString()).toContain('url=../objects/lica-ferry-1.html');
});

it.runIf(LONG)('has with --fulltext the same bytes on the same file system', async () => {
  const second = join(shared.path, 'full-text-2.zim');
  await spawnMicroficheJson(exportTo(second, dist(), '--fulltext'), { env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
  await execa('cmp', [fullTextZim, second]);
});

it('needs zimwriterfs for --fulltext', async () => {
  const to = join(createTestDirectory(), 'x.zim');
  const { code, stderr } = await spawnMicrofiche(exportTo(to, dist(), '--fulltext'), { env: { PATH: '/nowhere' } });
  expect([code, stderr, existsSync(to)]).toEqual([
    1,
    expect.stringMatching(
      /^microfiche: zimwriterfs is not installed, .* Install the package zim-tools .* leave out --fulltext\.\n$/,
    ),
    false,
  ]);
});

it('replaces its own export, and nothing else', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'x.zim');
  for (let i = 0; i < 2; i++) await runMicroficheJson(exportTo(target));
  const pages = join(directory, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), '<!DOCTYPE html><title>Mine</title><p>Mine');
  writeFileSync(
    join(pages, 'i.png'),
    await sharp({ create: { width: 48, height: 48, channels: 4, background: '#000' } })
      .png()
      .toBuffer(),
  );
  rmSync(target);
  const metadata = ['-t', 'x', '-d', 'x', '-c', 'x', '-p', 'x', '-l', 'eng'];
  await execa(programFile('zimwriterfs'), ['-w', 'index.html', '-I', 'i.png', ...metadata, pages, target]);
  for (const change of [
    () => undefined,
    () => writeFileSync(target, 'ZIM\u0004nonsense'),
    () => writeFileSync(target, readFileSync(zim).subarray(0, 3000)),
  ]) {
    change();
    const before = readFileSync(target);
    const { code, stderr } = await runMicrofiche(exportTo(target));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/exists, and Microfiche did not export it\. Choose another path/)]);
    expect(readFileSync(target)).toEqual(before);
  }
  expect(readdirSync(directory)).toEqual(['pages', 'x.zim']);
});

describe('a site that is damaged or not complete is refused, and nothing is written', () => {
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    bytes[10] = (bytes[10] as number) ^ 1;
    writeFileSync(file, bytes);
  };
  const media = 'media/lica-ferry-1/lica-ferry-1-1-1.video.mp4';
  it.each<[string, (site: string) => void, RegExp]>([
    ['a changed page', (site) => flip(join(site, 'index.html')), /damaged: index\.html does not have the SHA-256/],
    ['a changed recording', (site) => flip(join(site, media)), /damaged: media\/.*\.mp4 does not have the SHA-256/],
    ['a changed style sheet', (site) => flip(join(site, 'assets/site.css')), /site\.css does not have the SHA-256/],
    ['a longer file', (site) => writeFileSync(join(site, media), 'x', { flag: 'a' }), /\.mp4 does not have the SHA-256/],
    ['a missing file', (site) => rmSync(join(site, media)), /\.mp4 is missing/],
    [
      'a symbolic link',
      (site) => {
        rmSync(join(site, media));
        symlinkSync('/etc/passwd', join(site, media));
      },
      /is a symbolic link/,
    ],
    [
      'a directory that is a symbolic link',
      (site) => {
        renameSync(join(site, 'media'), `${site}-media`);
        symlinkSync(`${site}-media`, join(site, 'media'));
      },
      /is a symbolic link/,
    ],
    ['no manifest', (site) => rmSync(join(site, 'manifest-sha256.txt')), /does not contain a site made by Microfiche/],
    [
      'a manifest with a path outside',
      (site) => writeFileSync(join(site, 'manifest-sha256.txt'), `${'0'.repeat(64)}  ../x\n`, { flag: 'a' }),
      /line \d+ is not a SHA-256 and a path/,
    ],
    ['an interrupted build', (site) => writeFileSync(join(site, '.microfiche-journal.txt'), ''), /was interrupted/],
    ['no directory', (site) => rmSync(site, { recursive: true }), /is not a directory/],
  ])('%s', async (_, change, message) => {
    const directory = createTestDirectory();
    const site = join(directory, 'site');
    cpSync(dist(), site, { recursive: true });
    change(site);
    const { code, stderr } = await runMicrofiche(exportTo(join(directory, 'x.zim'), site));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(readdirSync(directory).filter((name) => !name.startsWith('site'))).toEqual([]);
  });

  it('a compact build', async () => {
    const site = await sharedSite('--compact');
    const { code, stderr } = await runMicrofiche(exportTo(join(createTestDirectory(), 'x.zim'), site));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/compact build.*Build without --compact/)]);
  });
});

it('contains nothing that the site does not list, and nothing withheld', async () => {
  const directory = createTestDirectory();
  const site = join(directory, 'site');
  const config = { withhold: [{ id: 'lica-ferry-1-1', reason: 'At the narrator’s request.', date: '2026-10-01', page: 'none' }] };
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(config));
  const snapshot = join(directory, 'snapshot'); // it remembers what is withheld
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', site], { cwd: directory });
  writeFileSync(join(site, 'canary.html'), '<title>A file of the operator</title>');
  const file = join(directory, 'x.zim');
  await runMicroficheJson(exportTo(file, site, '--fulltext'));
  await execa(programFile('zimdump'), ['dump', '--dir', join(directory, 'dump'), file]);
  const files = readFiles(join(directory, 'dump'));
  const isPrivate = /lica-ferry-1-1(?!\d)|canary|file of the operator|lica-quay-1-12(?!\d)/i;
  expect(
    [...files].filter(([path, bytes]) => isPrivate.test(path) || isPrivate.test(bytes.toString())).map(([path]) => path),
  ).toEqual([]);
  expect(readFileSync(file).toString('latin1')).not.toMatch(isPrivate);
  const withheld = [...dumped.keys()].filter((path) => /^objects\/lica-ferry-1-1(?!\d)/.test(path));
  expect(withheld.length).toBeGreaterThan(0); // they are there without "withhold"
});

describe('kiwix-serve', () => {
  let server: KiwixServer;
  let fullText: KiwixServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, fullText, browser] = await Promise.all([startKiwixServe(zim), startKiwixServe(fullTextZim), startChromium()]);
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), fullText?.stop(), browser?.close()]);
  });
  const open = async (path: string) => {
    const page = await browser.newPage();
    await page.goto(`${server.zimUrl}${path}`);
    return page;
  };

  it('lists title, language, date, counts and illustration', async () => {
    const { harvestedOn } = JSON.parse(readFileSync(join(dist(), 'microfiche.json'), 'utf8')) as { harvestedOn: string };
    const catalog = await (await fetch(`${server.url}catalog/v2/entries`)).text();
    for (const [name, value] of [
      ['title', 'Lantern Islands Community…'],
      ['name', 'lantern-islands-community-archive_eng_all'],
      ['language', 'eng'],
      ['updated', `${harvestedOn}T00:00:00Z`],
    ])
      expect(catalog).toContain(`<${name}>${value}</${name}>`);
    const [, path = ''] = /href="(\/catalog\/v2\/illustration\/[^"]*)"/.exec(catalog) ?? [];
    const image = await (await fetch(new URL(path.replaceAll('&amp;', '&'), server.url))).arrayBuffer();
    expect(await sharp(Buffer.from(image)).metadata()).toMatchObject({ format: 'png', width: 48, height: 48 });
  });

  it('opens the home page, records, images and recordings, and follows links', async () => {
    const page = await open('');
    expect(new URL(page.url()).pathname).toMatch(/\/index\.html$/);
    await page.click('nav >> text=Collections');
    await page.waitForURL('**/collections/index.html');
    await page.click('.card a >> nth=0');
    await page.waitForURL('**/objects/*.html');
    await page.goto(`${server.zimUrl}objects/lica-ferry-1-1-1.html`);
    const played = await page.evaluate(async () => {
      const player = document.querySelector('video') as HTMLVideoElement;
      player.muted = true;
      await player.play();
      await new Promise((resolve) => player.addEventListener('timeupdate', resolve, { once: true }));
      return { width: player.videoWidth, error: player.error };
    });
    expect(played).toEqual({ width: expect.any(Number), error: null });
    const broken = await page.evaluate(
      () => [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length,
    );
    expect(broken).toBe(0);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    const range = await fetch(`${server.zimUrl}media/lica-ferry-1/lica-ferry-1-1-1.video.mp4`, {
      headers: { range: 'bytes=4-7' },
    });
    expect([range.status, await range.text()]).toEqual([206, 'ftyp']);
    await page.close();
  });

  it('runs the search page, and its results open', async () => {
    const page = await open('search.html?q=ferry');
    await waitForSearch(page);
    expect(await page.locator('#results li').count()).toBe(20);
    await page.click('#results a >> nth=0');
    await page.waitForSelector('h1');
    expect(await page.title()).toMatch(/ferry/i);
    await page.close();
  });

  it('suggests titles and IDs', async () => {
    const suggest = async (term: string) =>
      (await (await fetch(`${server.url}suggest?content=site&term=${term}`)).json()) as Array<{ value: string; path?: string }>;
    expect(await suggest('Voices')).toContainEqual(expect.objectContaining({ path: 'objects/lica-ferry-1.html' }));
    expect(await suggest('lica-ferry-1-1-1')).toContainEqual(expect.objectContaining({ path: 'id/lica-ferry-1-1-1' }));
  });

  it('searches texts and titles with --fulltext', async () => {
    const found = await (await fetch(`${fullText.url}search?content=full-text&pattern=cannery+whistle`)).text();
    expect(found).toContain('/full-text/objects/lica-quay-1-5.html');
    const suggested = await (await fetch(`${fullText.url}suggest?content=full-text&term=constance`)).text();
    expect(suggested).toContain('guide/the-ferry-constance.html');
  });
});

describe('Kiwix Desktop, with the engine of Chrome 87', () => {
  let kiwix: KiwixDesktop;
  beforeAll(async () => {
    kiwix = await startKiwixDesktop(zim);
  });
  afterAll(() => kiwix?.stop());
  const style = (selector: string, property: string) =>
    kiwix.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);

  it('shows the layout', async () => {
    await kiwix.open('index.html');
    expect(await kiwix.evaluate('navigator.userAgent')).toContain('Chrome/87.');
    expect(await style('.masthead nav ul', 'display')).toBe('flex');
    expect(await style('.cards', 'display')).toBe('grid');
    expect(await style('html', 'backgroundColor')).toBe('rgb(251, 249, 244)');
    const [width, height] = await kiwix.evaluate<[number, number]>(
      `(({ width, height }) => [width, height])(document.querySelector('.card-picture').getBoundingClientRect())`,
    );
    expect(height / width).toBeCloseTo(0.75, 1);
    await kiwix.open('accessibility.html'); // has no images
    const pixels = await sharp(await kiwix.screenshot())
      .resize(1, 1)
      .removeAlpha()
      .raw()
      .toBuffer();
    expect([...pixels].every((value) => value > 200)).toBe(true); // mostly paper
    await kiwix.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    expect(await style('html', 'backgroundColor')).toBe('rgb(23, 22, 15)');
  });

  it('opens records, enlarges images and plays recordings', async () => {
    await kiwix.open('objects/lica-ferry-1-1-1.html');
    const size = await kiwix.evaluate<number>(`(async () => {
      const player = document.querySelector('video');
      await player.play();
      await new Promise((resolve) => player.addEventListener('timeupdate', resolve, { once: true }));
      return player.videoWidth;
    })()`);
    expect(size).toBeGreaterThan(0);
    await kiwix.open('objects/lica-ferry-1-1-4.html');
    await expect.poll(() => kiwix.evaluate(`document.querySelector('.zoom img').naturalWidth`)).toBeGreaterThan(0);
    const dialog = await kiwix.evaluate<number[]>(`(async () => {
      document.querySelector('.zoom').click();
      while (!document.querySelector('dialog canvas')) await new Promise((resolve) => setTimeout(resolve, 50));
      const { top, left, height } = document.querySelector('dialog').getBoundingClientRect();
      return [top, left, height - innerHeight];
    })()`);
    expect(dialog).toEqual([0, 0, 0]);
  });

  it('searches', async () => {
    await kiwix.open('search.html?q=timetable');
    const found = await kiwix.evaluate(`(async () => {
      const list = document.getElementById('results');
      while (list.ariaBusy !== 'false') await new Promise((resolve) => setTimeout(resolve, 50));
      return [document.getElementById('count').textContent, list.querySelector('a').textContent];
    })()`);
    expect(found).toEqual([expect.stringMatching(/^\d+ results/), expect.stringMatching(/timetable/i)]);
  });

  it('shows the QR codes of a kiosk, although it knows no popovers', async () => {
    await kiwix.stop();
    const kioskZim = join(shared.path, 'kiosk.zim');
    await runMicrofiche(exportTo(kioskZim, await sharedSite('--kiosk', '--site', 'https://mirror.example/')));
    kiwix = await startKiwixDesktop(kioskZim);
    const evaluate = async (script: string) => {
      await kiwix.evaluate(script);
      return kiwix.evaluate<string[]>(
        `[...document.querySelectorAll('.outside-panel')].filter((panel) => panel.offsetHeight > 0).map((panel) => panel.querySelector('.address').textContent)`,
      );
    };
    await kiwix.open('objects/lica-ferry-1-1-1.html');
    expect(await kiwix.evaluate(`'popover' in HTMLElement.prototype`)).toBe(false);
    expect(await evaluate(`document.querySelector('video').currentTime = 1`)).toEqual([]);
    const code = `document.querySelector('.for-phone button').click()`;
    const ofMoment = ['https://mirror.example/objects/lica-ferry-1-1-1.html#t=1'];
    await evaluate(code);
    await expect.poll(() => evaluate('')).toEqual(ofMoment);
    expect(await evaluate(`document.querySelector('.outside-panel[data-is-open] .address').click()`)).toEqual(ofMoment);
    for (const closing of [
      `document.querySelector('.outside-panel[data-is-open] button').click()`,
      `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))`,
      `document.querySelector('h1').click()`,
      code,
    ]) {
      expect(await evaluate(closing)).toEqual([]);
      expect(await evaluate(code)).toHaveLength(1);
    }
  });
});
