/** Hosting: compressed copies, nginx and Caddy as configured in docs/examples, and copies to object storage with rclone. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { readWithholding } from '../../src/catalogue/read/withholding.ts';
import { openSite } from '../../src/export/site-files.ts';
import { originalOfCopy } from '../../src/formats/compressed-names.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { collectPageErrors, startChromium, waitForSearch } from '../support/chromium.ts';
import { createSharedDirectory, ROOT, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';
import { startWebServer, WEB_SERVERS, type WebServer } from '../support/web-servers.ts';

const run = promisify(execFile);
const shared = createSharedDirectory();
const at = (name: string) => join(shared.path, name);
const [snapshot, dist] = [at('snapshot'), at('www/archive')];
const build = (options: readonly string[] = [], cwd = shared.path) =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...options], {
    cwd,
    env: { MICROFICHE_CACHE: at('cache') },
  });
/** Of later builds, in `shared.path`. */
const SETTINGS = { compress: ['gz', 'br', 'zst'] };

let first: BuildReport;
beforeAll(async () => {
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  createCache(at('cache'));
  mkdirSync(at('www'));
  writeFileSync(at('microfiche.config.json'), JSON.stringify(SETTINGS));
  writeFileSync(at('secret.txt'), 'canary');
  first = await build(['--compress', SETTINGS.compress.join()], ROOT);
});
afterAll(shared.remove);

const DECODERS = { gz: gunzipSync, br: brotliDecompressSync, zst: zstdDecompressSync };

/** Returns the compressed copies of a site that do not decompress to their files, and the encodings of the others. */
function checkCopies(site: string) {
  const files = readFiles(site);
  const wrong: string[] = [];
  const encodings = new Map<string, string[]>();
  for (const [path, bytes] of files) {
    const original = originalOfCopy(path);
    if (original === undefined) continue;
    const encoding = path.slice(original.length + 1) as keyof typeof DECODERS;
    if (!files.get(original)?.equals(DECODERS[encoding](bytes)) || bytes.length > 0.9 * (files.get(original)?.length ?? 0))
      wrong.push(path);
    encodings.set(original, [...(encodings.get(original) ?? []), encoding]);
  }
  return { wrong, encodings };
}

describe('compressed copies', () => {
  it('are beside each file of text that becomes smaller, and no other', () => {
    const { wrong, encodings } = checkCopies(dist);
    expect(wrong).toEqual([]);
    const files = readFiles(dist);
    const pages = [...files.keys()].filter((path) => path.endsWith('.html'));
    expect(pages.filter((path) => encodings.get(path)?.join() !== 'br,gz,zst')).toEqual([]);
    const words = [...files.keys()].find((path) => /^assets\/index\/\w+\/w0\.js$/.test(path)) as string;
    for (const path of ['assets/site.css', 'assets/search-page.js', words, 'feed.xml'])
      expect(encodings.get(path), path).toEqual(['br', 'gz', 'zst']);
    // Small files, and files that are compressed already.
    for (const path of ['offline.json', 'robots.txt'])
      expect([path, files.has(path), encodings.has(path)]).toEqual([path, true, false]);
    expect([...encodings.keys()].filter((path) => /\.(?:webp|jpg|mp[34]|pdf|woff2?)$/.test(path))).toEqual([]);
    const copies = [...files].filter(([path]) => originalOfCopy(path) !== undefined);
    const bytes = copies.reduce((total, [, { length }]) => total + length, 0);
    expect(first.compressed).toEqual({ files: copies.length, bytes, made: copies.length });
  });

  it('are not in packages', () => {
    const paths = openSite(dist, readWithholding([]), 'no-snapshot').files.map(({ path }) => path);
    expect(paths).toContain('index.html');
    expect(paths.filter((path) => originalOfCopy(path) !== undefined)).toEqual([]);
  });

  it('are not counted for offline use', () => {
    const { files } = JSON.parse(readFileSync(join(dist, 'offline.json'), 'utf8')) as { files: number };
    expect(files).toBeLessThan(first.files - first.compressed.files);
  });
});

describe.each(WEB_SERVERS)('%s with its example', (name) => {
  let server: WebServer;
  beforeAll(async () => {
    mkdirSync(at(name));
    server = await startWebServer(name, at('www'), at(name));
  });
  afterAll(() => server?.stop());

  /** Sends a request with curl, which does not change the path. */
  async function request(
    path: string,
    { headers = {}, head = false }: { headers?: Record<string, string>; head?: boolean } = {},
  ) {
    const given = Object.entries(headers).flatMap(([header, value]) => ['-H', `${header}: ${value}`]);
    const args = ['-s', '--path-as-is', ...(head ? ['-I'] : ['-i']), ...given, `${server.url}${path}`];
    const { stdout } = await run(programFile('curl'), args, { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 });
    const end = stdout.indexOf('\r\n\r\n');
    const [status = '', ...lines] = stdout.subarray(0, end).toString().split('\r\n');
    const fields = lines.map(
      (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
    );
    return { status: Number(status.split(' ')[1]), headers: Object.fromEntries(fields), body: stdout.subarray(end + 4) };
  }

  const read = (path: string) => readFileSync(join(dist, path));
  const find = (ending: string) => {
    const path = [...readFiles(dist).keys()].find((each) => each.endsWith(ending));
    if (path === undefined) throw new Error(`The site has no file ${ending}`);
    return path;
  };

  it('sends pages and files with their types, and headers for caching and security', async () => {
    const types: ReadonlyArray<readonly [path: string, type: RegExp, cache?: string]> = [
      ['', /^text\/html/],
      ['objects/lica-quay-1-1.html', /^text\/html/],
      ['assets/site.css', /^text\/css/],
      ['assets/search-page.js', /^(?:text|application)\/javascript/],
      ['assets/icon.svg', /^image\/svg\+xml/],
      ['app.webmanifest', /^application\/manifest\+json$/],
      ['feed.xml', /^(?:text|application)\/(?:atom\+)?xml/],
      ['manifest-sha256.txt', /^text\/plain/],
      ['assets/index/start.js', /^(?:text|application)\/javascript/],
      [find('.vtt'), /^text\/vtt/, 'max-age=3600'],
      [find('.webp'), /^image\/webp$/, 'max-age=3600'],
      [find('.pdf'), /^application\/pdf$/, 'max-age=3600'],
      [find('.mp4'), /^video\/mp4$/, 'max-age=3600'],
      [find('.mp3'), /^audio\/mpeg$/, 'max-age=3600'],
    ];
    for (const [path, type, cache = 'no-cache'] of types) {
      const { status, headers, body } = await request(`/archive/${path}`);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, cache]);
      expect(headers['content-type'], path).toMatch(type);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "frame-ancestors 'self'",
      });
      expect(headers['access-control-allow-origin'], path).toBe(cache === 'no-cache' ? undefined : '*');
      expect(body.equals(read(path === '' ? 'index.html' : path)), path).toBe(true);
    }
  });

  it('sends the page not found with status 404, and lists no directory', async () => {
    const missing = [
      'nowhere.html',
      'objects/a/b/c/nowhere.html',
      'media/none.mp4',
      'thumbs/none.vtt',
      'thumbs/',
      '.microfiche-lock',
    ];
    for (const path of missing) {
      const { status, headers, body } = await request(`/archive/${path}`);
      expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-cache']);
      expect(headers['content-type'], path).toMatch(/^text\/html/);
      expect(body.equals(read('404.html')), path).toBe(true);
    }
  });

  it('sends nothing outside the site', async () => {
    const outside = [
      '../secret.txt',
      '../../secret.txt',
      '%2e%2e/%2e%2e/secret.txt',
      '..%2f..%2fsecret.txt',
      '..%5c..%5csecret.txt',
    ];
    for (const path of outside) {
      const { status, body } = await request(`/archive/${path}`);
      expect([path, [400, 403, 404].includes(status), body.includes('canary')]).toEqual([path, true, false]);
    }
  });

  it('redirects to the directory', async () => {
    const { status, headers } = await request('/archive');
    expect([status, headers['location']]).toEqual([301, '/archive/']);
  });

  it('responds to HEAD without a body, and 304 if the file did not change', async () => {
    const { status, headers, body } = await request('/archive/index.html', { head: true });
    expect([status, headers['content-length'], body.length]).toEqual([200, String(read('index.html').length), 0]);
    const again = await request('/archive/index.html', { headers: { 'If-None-Match': String(headers['etag']) } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it.each(['.mp4', '.mp3', '.pdf'])('sends ranges of a file *%s', async (ending) => {
    const path = find(ending);
    const all = read(path);
    const { status, headers, body } = await request(`/archive/${path}`, {
      headers: { Range: 'bytes=100-199', 'Accept-Encoding': 'gzip' },
    });
    expect([status, headers['content-range'], headers['content-encoding']]).toEqual([
      206,
      `bytes 100-199/${all.length}`,
      undefined,
    ]);
    expect(body.equals(all.subarray(100, 200))).toBe(true);
    expect((await request(`/archive/${path}`, { headers: { Range: `bytes=${all.length}-` } })).status).toBe(416);
  });

  it('sends the compressed copies, and compresses nothing twice', async () => {
    const encodings = name === 'nginx' ? (['gz'] as const) : (['gz', 'br', 'zst'] as const);
    const names = { gz: 'gzip', br: 'br', zst: 'zstd' };
    for (const path of ['objects/lica-quay-1-1.html', 'assets/search-page.js']) {
      for (const encoding of encodings) {
        const { headers, body } = await request(`/archive/${path}`, { headers: { 'Accept-Encoding': names[encoding] } });
        expect([headers['content-encoding'], headers['vary']]).toEqual([names[encoding], 'Accept-Encoding']);
        expect(headers['content-type']).toBe((await request(`/archive/${path}`)).headers['content-type']);
        expect(body.equals(read(`${path}.${encoding}`)), `${path} ${encoding}`).toBe(true);
      }
      const plain = await request(`/archive/${path}`);
      expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'Accept-Encoding']);
    }
    const every = { 'Accept-Encoding': 'gzip, br, zstd' };
    const notFound = await request('/archive/nowhere.html', { headers: { 'Accept-Encoding': 'gzip' } });
    expect([notFound.status, gunzipSync(notFound.body).equals(read('404.html'))]).toEqual([404, true]);
    for (const path of [find('.webp'), find('.mp4')]) {
      const { headers, body } = await request(`/archive/${path}`, { headers: every });
      expect([path, headers['content-encoding'], body.equals(read(path))]).toEqual([path, undefined, true]);
    }
  });

  it('serves search, also from the page not found', async () => {
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const problems = collectPageErrors(page, server.url);
      await page.goto(`${server.url}/archive/search.html?q=quillmarrow`);
      await waitForSearch(page);
      const links = await page.locator('#results a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(links.some((link) => link.startsWith(`${server.url}/archive/objects/`))).toBe(true);
      expect(problems).toEqual([]);
      await page.goto(`${server.url}/archive/objects/a/b/nowhere.html`);
      await page.waitForFunction(
        (home) => document.querySelector<HTMLAnchorElement>('main a')?.href === home,
        `${server.url}/archive/index.html`,
      );
      await page.locator('main input[type=search]').fill('quillmarrow');
      await page.locator('main form button').click();
      await page.waitForURL(`${server.url}/archive/search.html?q=quillmarrow`);
      await waitForSearch(page);
      expect(await page.locator('#results li').count()).toBeGreaterThan(0);
    } finally {
      await browser.close();
    }
  });
});

describe('after a record changed', () => {
  const bucket = at('bucket');
  /** Copies the site as docs/publishing.md says, to a directory instead of a bucket. Returns what was copied and deleted. */
  async function sync(): Promise<{ copied: string[]; deleted: string[] }> {
    const documented = readFileSync(join(ROOT, 'docs/publishing.md'), 'utf8');
    const [, options = ''] = /^rclone sync dist-archive remote:bucket\/archive (.+)$/m.exec(documented) ?? [];
    const args = [...options.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? String(plain));
    const command = ['sync', dist, bucket, ...args, '-v', '--use-json-log', '--config', '/dev/null'];
    const { stderr } = await run(programFile('rclone'), command, { maxBuffer: 64 * 1024 ** 2 });
    const entries = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; object?: string });
    const paths = (message: RegExp) =>
      entries
        .filter(({ msg }) => message.test(msg))
        .map(({ object }) => String(object))
        .sort();
    return { copied: paths(/^Copied/), deleted: paths(/^Deleted/) };
  }
  const withoutCopies = (site: string) =>
    [...readFiles(site)].filter(([path]) => originalOfCopy(path) === undefined && !path.startsWith('.'));

  it('makes only the copies of files that changed, and rclone copies only these files', async () => {
    expect((await sync()).copied).toHaveLength(withoutCopies(dist).length);
    expect(await sync()).toEqual({ copied: [], deleted: [] });
    const before = readFiles(dist);

    changeSnapshot(snapshot, (db) =>
      rewriteBody(db, 'object:lica-quay-1-1', (body) => ({ ...body, title: 'Nets drying at the quay' })),
    );
    const { compressed, rebuilt } = await build();
    expect(rebuilt.pages).toBeLessThan(200);
    const after = readFiles(dist);
    const changed = [...after].filter(([path, bytes]) => !before.get(path)?.equals(bytes)).map(([path]) => path);
    const changedCopies = changed.filter((path) => originalOfCopy(path) !== undefined);
    expect(changedCopies).toContain('objects/lica-quay-1-1.html.gz');
    expect(compressed.made).toBe(changedCopies.length);
    expect(checkCopies(dist).wrong).toEqual([]);

    const { copied, deleted } = await sync();
    expect(copied).toEqual(changed.filter((path) => originalOfCopy(path) === undefined).sort());
    expect(deleted).toEqual([...before.keys()].filter((path) => !after.has(path) && originalOfCopy(path) === undefined).sort());
    expect(withoutCopies(bucket)).toEqual(withoutCopies(dist));
  });

  it('makes no copies if nothing changed, again one that was edited, and deletes all if they are no longer wanted', async () => {
    expect((await build()).compressed).toMatchObject({ made: 0 });
    const copy = join(dist, 'about.html.gz');
    const bytes = readFileSync(copy);
    writeFileSync(copy, 'edited');
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('about.html.gz')]);
    expect((await build()).compressed).toMatchObject({ made: 1 });
    expect(readFileSync(copy)).toEqual(bytes);
    expect((await runMicrofiche(['verify', '--dir', dist])).code).toBe(0);

    const only = await build(['--compress', 'gz']);
    expect(only.compressed.made).toBe(0);
    expect(new Set([...checkCopies(dist).encodings.values()].flat())).toEqual(new Set(['gz']));
    writeFileSync(at('microfiche.config.json'), '{}');
    expect((await build()).compressed).toEqual({ files: 0, bytes: 0, made: 0 });
    expect([...readFiles(dist).keys()].filter((path) => originalOfCopy(path) !== undefined)).toEqual([]);
  });
});
