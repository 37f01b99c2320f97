/** WACZ of a site: ReplayWeb.page shows it, its search works there, and no snapshot is imported from it. */
import { createHash } from 'node:crypto';
import { cpSync, createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { WARCParser } from 'warcio';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { checkSignatureOf, findWaczProblem, identityOf, readWacz } from '../../../src/export/wacz/wacz-check.ts';
import { startChromium } from '../../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
} from '../../support/commands.ts';
import { type Replay, startReplay } from '../../support/replay.ts';
import { sharedSite } from '../../support/shared-sites.ts';

const SITE = 'https://mirror.example/archive/';
const { snapshot, dist, upstream } = inject('mirror');
const shared = createSharedDirectory();
const inShared = (path: string) => join(shared.path, path);
const file = (path: string) => inShared(join('unpacked', path));
const lines = (path: string) => readFileSync(file(path), 'utf8').trim().split('\n');
const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const exportSite = (to: string, ...more: string[]) =>
  runMicroficheJson<ExportReport>(['export', 'wacz', '--dir', dist, '--to', to, ...more]);

beforeAll(async () => {
  await execa('ssh-keygen', ['-q', '-t', 'ecdsa', '-b', '384', '-N', '', '-C', '', '-f', inShared('key')]);
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', inShared('other-key')]);
  writeFileSync(inShared('signers'), `archive@demo.example ${readFileSync(inShared('key.pub'), 'utf8')}`);
  await exportSite(inShared('site.wacz'), '--site', SITE, '--sign', inShared('key'));
  await runMicroficheJson([
    'export',
    'wacz',
    '--snapshot',
    snapshot,
    '--to',
    inShared('api.wacz'),
    '--sign',
    inShared('other-key'),
  ]);
  await execa('unzip', ['-q', inShared('site.wacz'), '-d', inShared('unpacked')]);
});
afterAll(shared.remove);

describe('the files', () => {
  it('are each a resource record with the bytes of the site; the service worker is none of them', async () => {
    const records = new Map<string, { type: string | null; mime: string | undefined; payload: Uint8Array }>();
    for await (const record of new WARCParser(createReadStream(file('archive/site.warc.gz')), { keepHeadersCase: true })) {
      const payload = await record.readFully(false);
      const headers = new Map<unknown, unknown>([...record.warcHeaders.headers.entries()]);
      expect(headers.get('WARC-Block-Digest')).toBe(sha256(payload));
      const mime = String(headers.get('Content-Type'));
      if (record.warcTargetURI)
        records.set(record.warcTargetURI.slice(SITE.length), { type: record.warcType ?? null, mime, payload });
    }
    const paths = [...readFiles(dist).keys()].filter((path) => /^(?:media|thumbs|objects|assets\/(?:index|words))\//.test(path));
    expect(paths.length).toBeGreaterThan(500);
    for (const path of paths) {
      const { type, payload } = records.get(path) ?? {};
      expect([path, type]).toEqual([path, 'resource']);
      if (!path.endsWith('.html')) expect(sha256(payload as Uint8Array), path).toBe(sha256(readFileSync(join(dist, path))));
    }
    expect(records.get('assets/site.css')?.mime).toBe('text/css;charset=utf-8');
    expect(records.get('assets/index/start.js')?.mime).toBe('text/javascript;charset=utf-8');
    for (const path of ['sw.js', 'manifest-sha256.txt', 'feed.xml']) expect(records.has(path), path).toBe(false);
  });

  it('have the index that Webrecorder’s program makes', async () => {
    const { stdout } = await execa('npx', ['--no-install', 'warcio', 'cdx-index', file('archive/site.warc.gz')], {
      maxBuffer: 100_000_000,
    });
    const entriesOf = (text: readonly string[]) =>
      text.map((line) => {
        const [key, time, ...json] = line.split(' ');
        const { url, offset, length, mime } = JSON.parse(json.join(' ')) as Record<string, string>;
        return { key, time, url, offset: Number(offset), length: Number(length), mime: mime?.split(';')[0] };
      });
    const theirs = entriesOf(stdout.trim().split('\n')).sort((a, b) => a.offset - b.offset);
    const ours = entriesOf(lines('indexes/index.cdxj')).sort((a, b) => a.offset - b.offset);
    expect(ours.length).toBeGreaterThan(1_000);
    expect(ours).toEqual(theirs);
  });

  it('are described, with the home page first', () => {
    const description = JSON.parse(readFileSync(file('datapackage.json'), 'utf8')) as {
      title: string;
      mainPageUrl: string;
      resources: Array<{ path: string; hash: string; bytes: number }>;
    };
    expect(description).toMatchObject({ title: 'Lantern Islands Community Archive', mainPageUrl: SITE });
    const listed = new Map(description.resources.map(({ path, hash, bytes }) => [path, { hash, bytes }]));
    for (const path of readFiles(inShared('unpacked')).keys()) {
      if (/^datapackage(?:-digest)?\.json$/.test(path)) continue;
      const content = readFileSync(file(path));
      expect([path, listed.get(path)]).toEqual([path, { hash: sha256(content), bytes: content.length }]);
    }
    const [header, first, ...pages] = lines('pages/pages.jsonl').map((line) => JSON.parse(line) as Record<string, string>);
    expect(header).toMatchObject({ format: 'json-pages-1.0', hasText: true });
    expect(first).toMatchObject({ url: SITE, title: 'Lantern Islands Community Archive' });
    const record = pages.find(({ url }) => url === `${SITE}objects/lica-quay-1-1.html`);
    expect(record).toMatchObject({ title: 'Nets drying on the quay', text: expect.stringContaining('Date c. 1942') as string });
    expect(record?.['text']).not.toContain('howpublished');
  });
});

describe('in ReplayWeb.page', () => {
  let browser: Browser;
  let replay: Replay;
  beforeAll(async () => {
    browser = await startChromium();
    replay = await startReplay(browser, { 'site.wacz': inShared('site.wacz'), 'api.wacz': inShared('api.wacz') });
  });
  afterAll(async () => {
    await browser?.close();
    await replay?.stop();
  });

  it('the site opens at its home page, from which search, records, images and recordings are reached', async () => {
    const page = await replay.open('site.wacz', { query: '' });
    const [first, second] = [page.locator('wr-page-entry').nth(0), page.locator('wr-page-entry').nth(1)];
    await second.filter({ hasText: `${SITE}about.html` }).waitFor();
    await first.filter({ hasText: 'Lantern Islands Community Archive' }).locator('a').first().click();
    const home = await replay.frame(page, SITE);
    await home.fill('input[type=search]', 'whistle');
    await home.press('input[type=search]', 'Enter');
    const search = await replay.frame(page, `${SITE}search.html?q=whistle`);
    await search.locator('#results a').first().waitFor();
    expect(await search.locator('#results').innerText()).toContain('The cannery whistle');

    await search.evaluate((url) => location.assign(url), 'objects/lica-quay-1-1.html');
    const record = await replay.frame(page, `${SITE}objects/lica-quay-1-1.html`);
    await record.waitForFunction(() => (document.querySelector<HTMLImageElement>('.object-picture img')?.naturalWidth ?? 0) > 0);
    expect(await record.locator('h1').innerText()).toBe('Nets drying on the quay');

    await record.evaluate((url) => location.assign(url), '../objects/lica-ferry-1-1-1.html');
    const segment = await replay.frame(page, `${SITE}objects/lica-ferry-1-1-1.html`);
    const position = await segment.locator('video').evaluate(async (video: HTMLVideoElement) => {
      video.preload = 'auto';
      video.load();
      await new Promise((resolve) => video.addEventListener('canplay', resolve, { once: true }));
      video.currentTime = video.duration / 2;
      await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      return video.currentTime;
    });
    expect(position).toBe(1);
    await page.context().close();
  });

  it.each([
    ['site.wacz', `${SITE}objects/lica-ferry-1-1-1-transcript-6b72dd8c24.html`],
    ['api.wacz', `${upstream}/api/0.2/lica-ferry-1-1-1-transcript-6b72dd8c24/`],
  ])('its search finds what is said in a recording of %s, whose signature is valid', async (name, url) => {
    const page = await replay.open(name, { query: 'gulls' });
    await page.locator('wr-page-entry', { hasText: url }).waitFor();
    expect(await page.locator('wr-page-entry').count()).toBeLessThan(40);
    await expect.poll(() => readChecks(page)).toContainEqual({ id: 'signature', expected: true, matched: true });
    await page.context().close();
  });

  it('the snapshot opens at a record and an image', async () => {
    const url = `${upstream}/api/0.2/lica-quay-1-1/`;
    const page = await replay.open('api.wacz', { url });
    expect(await (await replay.frame(page, url)).evaluate(() => document.body.innerText)).toContain('Nets drying on the quay');
    await page.context().close();
    const image = `${upstream}/media/lica-quay-1/lica-quay-1-1-mezzanine-c8476c1261-a.jpg`;
    const other = await replay.open('api.wacz', { url: image });
    await (await replay.frame(other, image)).waitForFunction(() => (document.images[0]?.naturalWidth ?? 0) > 0);
    await other.context().close();
  });

  it('the signature of another description is not valid', async () => {
    const directory = createTestDirectory();
    cpSync(inShared('unpacked'), join(directory, 'x'), { recursive: true });
    const digest = join(directory, 'x/datapackage-digest.json');
    const [own = ''] = /sha256:\w+/.exec(readFileSync(digest, 'utf8')) ?? [];
    const description = Buffer.from(readFileSync(join(directory, 'x/datapackage.json'), 'utf8').replace('Lantern', 'Lampern'));
    writeFileSync(join(directory, 'x/datapackage.json'), description);
    writeFileSync(digest, readFileSync(digest, 'utf8').replaceAll(own, sha256(description)));
    await execa('zip', ['-q', '-0', '-r', '../x.wacz', '.'], { cwd: join(directory, 'x') });
    const altered = await startReplay(browser, { 'x.wacz': join(directory, 'x.wacz') });
    const page = await altered.open('x.wacz', { query: '' });
    await page.locator('wr-page-entry').first().waitFor();
    await expect.poll(() => readChecks(page)).toContainEqual({ id: 'signature', expected: true, matched: false });
    await page.context().close();
    await altered.stop();
    expect(await checkWacz(join(directory, 'x.wacz'), inShared('signers'))).toMatchObject({
      problem: 'its WACZ signature does not match',
      signature: { problem: 'its WACZ signature does not match' },
    });
  });
});

/** Checks a WACZ as `verify` does. */
async function checkWacz(path: string, signers: string) {
  const wacz = await readWacz(path);
  return { identity: identityOf(wacz), problem: findWaczProblem(wacz), signature: await checkSignatureOf(wacz, signers) };
}

/** Reads what ReplayWeb.page found when it checked a WACZ. */
function readChecks(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const { name = '' } = (await indexedDB.databases()).find((database) => database.name?.startsWith('db:')) ?? {};
    const opened = indexedDB.open(name);
    await new Promise((resolve) => opened.addEventListener('success', resolve));
    const checks = opened.result.transaction('verification').objectStore('verification').getAll();
    await new Promise((resolve) => checks.addEventListener('success', resolve));
    return checks.result as unknown;
  });
}

describe('signatures', () => {
  it('are checked by OpenSSH alone, and made with the own key if it can be used', async () => {
    const digest = JSON.parse(readFileSync(file('datapackage-digest.json'), 'utf8')) as {
      sshSignature: string;
      signedData: { publicKey: string };
    };
    const signature = inShared('datapackage.json.sig');
    writeFileSync(signature, digest.sshSignature);
    const verify = (input: Buffer) =>
      execa(
        'ssh-keygen',
        ['-Y', 'verify', '-f', inShared('signers'), '-I', 'archive@demo.example', '-n', 'microfiche-wacz', '-s', signature],
        {
          input,
          reject: false,
        },
      );
    const description = readFileSync(file('datapackage.json'));
    expect((await verify(description)).stdout).toContain('Good "microfiche-wacz" signature for archive@demo.example');
    description[20] = (description[20] as number) ^ 1;
    expect((await verify(description)).exitCode).not.toBe(0);
    const { stdout: pem } = await execa('ssh-keygen', ['-e', '-m', 'PKCS8', '-f', inShared('key.pub')]);
    expect(pem.replaceAll(/-.*-|\s/g, '')).toBe(digest.signedData.publicKey);
  });

  it('are checked by verify', async () => {
    const check = (path: string) => checkWacz(path, inShared('signers'));
    expect(await check(inShared('site.wacz'))).toMatchObject({
      problem: undefined,
      identity: { format: 'wacz-site' },
      signature: { signer: 'archive@demo.example' },
    });
    expect(await check(inShared('api.wacz'))).toMatchObject({
      problem: undefined,
      identity: { format: 'wacz' },
      signature: { problem: 'its key is not one of the signers' },
    });
    const altered = join(createTestDirectory(), 'altered.wacz');
    const bytes = readFileSync(inShared('site.wacz'));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(altered, bytes);
    expect((await check(altered)).problem).toMatch(/^\S+ was changed: its checksum is not that of datapackage\.json$/);
  });
});

it('has the same bytes each time, but for the signatures', async () => {
  const second = join(createTestDirectory(), 'second.wacz');
  const args = ['scripts/bin.mjs', 'export', 'wacz', '--dir', dist, '--site', SITE, '--to', second];
  await execa('sh', ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, ...args], { env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
  const [signed, unsigned] = [readFileSync(inShared('site.wacz')), readFileSync(second)];
  const end = signed.indexOf('datapackage-digest.json'); // the last file of the package
  expect(end).toBeGreaterThan(1_000_000);
  expect(sha256(unsigned.subarray(0, end))).toBe(sha256(signed.subarray(0, end)));
  const check = await checkWacz(second, inShared('signers'));
  expect(check).toMatchObject({ problem: undefined, signature: { problem: 'it has not been signed' } });
});

it('replaces a WACZ of the snapshot, and has URLs of its own without --site', async () => {
  const target = join(createTestDirectory(), 'archive.wacz');
  cpSync(inShared('api.wacz'), target);
  await exportSite(target);
  const { stdout } = await execa('unzip', ['-p', target, 'datapackage.json']);
  expect(stdout).toContain('"mainPageUrl": "https://lantern-islands-community-archive.invalid/"');
  writeFileSync(target, 'mine');
  expect((await runMicrofiche(['export', 'wacz', '--dir', dist, '--to', target])).code).toBe(1);
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

it('gives one sentence for a site of some collections only', async () => {
  const { code, stderr } = await runMicrofiche([
    'export',
    'wacz',
    '--dir',
    dist,
    '--to',
    'x.wacz',
    '--collection',
    'lica-quay-1',
  ]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^[^\n]*A WACZ of a site has all of its pages\. Build the site with --collection[^\n]*\n$/),
  ]);
});

it('is not imported, under any name, and not made of a compact build', async () => {
  const directory = createTestDirectory();
  for (const name of ['site.wacz', 'site.zip']) {
    cpSync(inShared('site.wacz'), join(directory, name));
    const { code, stderr } = await runMicrofiche(['import', join(directory, name), '--snapshot', join(directory, 'imported')]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/was not imported: it is not a WACZ of a snapshot\. A WACZ of a site/),
    ]);
  }
  const compact = await sharedSite('--compact');
  const { code, stderr } = await runMicrofiche(['export', 'wacz', '--dir', compact, '--to', join(directory, 'compact.wacz')]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('contains a compact build, which has its pages in packs.')]);
});
