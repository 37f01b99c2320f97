/** `microfiche move`: after the archive has moved, the snapshot is as if it had been harvested from its new URL. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { readPackage } from '../../src/export/package/package-reader.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { lockSnapshot } from '../../src/snapshot/store.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';
import { CONFIG, fillUpstream, findLeaks, INTERVIEW, SECRET_WORDS } from '../support/withheld-archive.ts';

const MEDIA = ['--kinds', 'thumb,image,audio,video,transcript,original'];
const ROOTS = ['--root', 'demo-org-1,demo-org-2,demo-org-3'];
/** Texts with URLs that only resemble the archive's own. */
const FOREIGN = (url: string) =>
  `On <a href="${url}0/x">another host</a>, in <a href="https://web.example/2020/${url}/x">a web archive</a>.`;

/** Returns the WARC records of the API in a WACZ. */
async function readApiRecords(wacz: string): Promise<string> {
  let records = '';
  await readPackage(wacz, async ({ path, read }) => {
    if (path === 'archive/api.warc.gz') records = gunzipSync(Buffer.concat(await Array.fromAsync(read()))).toString('latin1');
    return undefined;
  });
  return records;
}

describe('move', () => {
  const folder = createSharedDirectory();
  const [snapshot, whole, former, dist, formerDist] = ['snapshot', 'whole', 'former', 'dist', 'former-dist'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string, string];
  const at = { cwd: folder.path };
  let [old, fresh]: TestUpstream[] = [];
  const oldUrl = () => (old as TestUpstream).url;
  const freshUrl = () => (fresh as TestUpstream).url;
  const run = <T = Record<string, unknown>>(...args: string[]) => runMicroficheJson<T>(args, at);
  const build = (out: string, ...more: string[]) => run<BuildReport>('build', '--snapshot', snapshot, '--out', out, ...more);
  const move = (...args: string[]) => run('move', ...args, '--snapshot', snapshot);
  const fingerprint = async (dir: string) => (await run<{ fingerprint: string }>('status', '--snapshot', dir)).fingerprint;
  const harvest = (url: string) => ['harvest', ...upstreamOptions(url), '--snapshot', snapshot, ...ROOTS];
  const htmlWith = (dir: string, text: string) =>
    [...readFiles(dir)].filter(([path, bytes]) => path.endsWith('.html') && bytes.includes(text)).map(([path]) => path);

  beforeAll(async () => {
    for (const name of ['old', 'fresh'] as const) {
      const upstream = await startTestUpstream({ shared: true });
      await fillUpstream(upstream);
      const route = upstream.routes.get('/api/0.2/demo-org-3/') as { description?: string };
      // what is not the archive's own URL is the same at both
      route.description = FOREIGN(name === 'old' ? upstream.url : oldUrl());
      if (name === 'old') old = upstream;
      else fresh = upstream;
    }
    await run(...harvest(oldUrl()));
    await run('media', '--snapshot', snapshot, ...MEDIA);
    cpSync(snapshot, whole, { recursive: true });
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(CONFIG));
    await run('purge', INTERVIEW, '--snapshot', snapshot, '--yes');
    await build(dist);
    cpSync(snapshot, former, { recursive: true });
    cpSync(dist, formerDist, { recursive: true });
  });
  afterAll(async () => {
    await Promise.all([old?.close(), fresh?.close()]);
    folder.remove();
  });

  /** Every row of a snapshot but the notes of the moves, which remain. */
  function rowsOf(dir: string): Record<string, unknown[]> {
    using db = new DatabaseSync(join(dir, 'snapshot.sqlite'), { readOnly: true });
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .filter(({ key }) => key !== 'moves'),
      ]),
    );
  }

  it.each<[urls: Array<string | (() => string)>, code: number, message: () => string]>([
    [['https://other.example', 'https://new.example'], 1, () => `is of the archive at ${oldUrl()}, not https://other.example`],
    [[() => `${oldUrl()}/api2`, 'https://new.example'], 1, () => `is of the archive at ${oldUrl()}`],
    [[oldUrl, () => `${oldUrl()}/`], 1, () => 'Both URLs are the same'],
    [[oldUrl, 'https://user:secret@new.example'], 2, () => 'without a user name and password'],
    [[oldUrl, 'https://new.example/?page=1'], 2, () => 'without a query or fragment'],
    [[() => `${oldUrl()}/#top`, 'https://new.example'], 2, () => 'without a query or fragment'],
    [[oldUrl, 'ftp://new.example'], 2, () => 'begins with http:// or https://'],
  ])('refuses %s', async (urls, code, message) => {
    const before = rowsOf(snapshot);
    const args = urls.map((url) => (typeof url === 'string' ? url : url()));
    const result = await runMicrofiche(['move', ...args, '--snapshot', snapshot], at);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message()) });
    expect(rowsOf(snapshot)).toEqual(before);
  });

  it('waits for no other process, and makes no snapshot', async () => {
    using _lock = lockSnapshot(snapshot);
    const args = ['move', oldUrl(), freshUrl(), '--snapshot'];
    expect((await runMicrofiche([...args, snapshot], at)).stderr).toContain('Another Microfiche process is writing');
    expect((await runMicrofiche([...args, join(folder.path, 'none')], at)).stderr).toContain('No snapshot found');
  });

  it('names the command if a harvest or update comes from another URL, and not the site', async () => {
    for (const command of [harvest(freshUrl()), ['update', ...harvest(freshUrl()).slice(1), '--out', dist]]) {
      const { code, stderr } = await runMicrofiche(command, at);
      expect(code).toBe(1);
      expect(stderr).toContain(`contains the archive at ${oldUrl()}`);
      expect(stderr).toContain('microfiche move');
    }
  });

  it('and back gives the snapshot of before', async () => {
    const before = rowsOf(snapshot);
    await move(oldUrl(), freshUrl());
    expect(rowsOf(snapshot)).not.toEqual(before);
    await move(freshUrl(), oldUrl());
    expect(rowsOf(snapshot)).toEqual(before);
    expect(rowsOf(snapshot)).toEqual(rowsOf(former));
  });

  it('changes URLs in bodies, media and the upstream, and nothing else', async () => {
    const report = await move(oldUrl(), freshUrl());
    expect(report).toMatchObject({ from: oldUrl(), to: freshUrl(), authorsUrl: freshUrl(), catalogUrl: freshUrl() });
    expect(report['bodies']).toBeGreaterThan(10);
    expect(report['media']).toBeGreaterThan(3);
    const status = await run('status', '--snapshot', snapshot);
    expect(status).toMatchObject({ authorsUrl: freshUrl(), catalogUrl: freshUrl() });
    expect((await runMicrofiche(['verify', '--snapshot', snapshot], at)).code).toBe(0);
    const { response = [], media = [], usage = [], exchange } = rowsOf(snapshot);
    for (const body of response as Array<{ key: string; body: Uint8Array; url: string }>) {
      const text = Buffer.from(body.body).toString();
      expect(body.url.startsWith(freshUrl())).toBe(true);
      // what is not its own stays
      const foreign = JSON.stringify(FOREIGN(oldUrl())).slice(1, -1);
      expect(text.replaceAll(foreign, '')).not.toContain(oldUrl());
      if (body.key === 'object:demo-org-3') expect(text).toContain(foreign);
    }
    for (const { url } of [...media, ...usage] as Array<{ url: string }>) expect(url.startsWith(freshUrl())).toBe(true);
    // what was sent and received is history
    const [, ...kept] = ['media', 'url', 'request_headers', 'headers', 'sent_at'];
    const only = (rows: unknown[] | undefined) =>
      (rows as Array<Record<string, unknown>>).map((row) => kept.map((name) => row[name]));
    expect(only(exchange)).toEqual(only(rowsOf(former)['exchange']));
  });

  it('is in packages what was received from the old URL, and not claimed to be a response', async () => {
    const cwd = join(folder.path, 'elsewhere');
    cpSync(whole, join(cwd, 'snapshot'), { recursive: true });
    const runThere = <T>(...args: string[]) => runMicroficheJson<T>(args, { cwd });
    await runThere('move', oldUrl(), freshUrl(), '--snapshot', 'snapshot');
    const own = rowsOf(join(cwd, 'snapshot'));
    const valuesOf = (rows: unknown[] | undefined, column: string) =>
      (rows as Array<Record<string, unknown>>).map((row) => String(row[column])).sort();
    expect(own['redaction']?.length).toBeGreaterThan(10);
    for (const [format, path] of [
      ['wacz', 'a.wacz'],
      ['bagit', 'bag'],
    ] as const) {
      await runThere('export', format, '--snapshot', 'snapshot', '--to', path);
      if (format === 'wacz') {
        const archive = await readApiRecords(join(cwd, path));
        const types = [...archive.matchAll(/^WARC-Type: (\w+)/gm)].map(([, type]) => type);
        expect(types.filter((type) => type === 'response')).toHaveLength(
          (own['response']?.length ?? 0) - (own['redaction']?.length ?? 0),
        );
        expect(types.filter((type) => type === 'resource')).toHaveLength(own['redaction']?.length as number);
      }
      await runThere('import', path, '--snapshot', format);
      const imported = rowsOf(join(cwd, format));
      expect(await fingerprint(join(cwd, format))).toBe(await fingerprint(join(cwd, 'snapshot')));
      expect(valuesOf(imported['redaction'], 'received_sha256')).toEqual(valuesOf(own['redaction'], 'received_sha256'));
      for (const column of ['url', 'request_headers', 'headers', 'sent_at'])
        expect(valuesOf(imported['exchange'], column)).toEqual(valuesOf(own['exchange'], column));
      // back, it is what was received
      await runThere('move', freshUrl(), oldUrl(), '--snapshot', format);
      expect(valuesOf(rowsOf(join(cwd, format))['response'], 'sha256')).toEqual(valuesOf(rowsOf(whole)['response'], 'sha256'));
    }
  });

  it('lets the next harvest change nothing, and the next media download nothing', async () => {
    const upstream = fresh as TestUpstream;
    upstream.requests.length = 0;
    const size = rowsOf(snapshot)['response']?.length;
    const report = await run<HarvestReport>(...harvest(freshUrl()));
    expect(report.changes).toEqual({ new: 0, changed: 0, restored: 0 });
    expect(report.failures).toEqual([]);
    expect(rowsOf(snapshot)['response']).toHaveLength(size as number);
    expect(await run('media', '--snapshot', snapshot, ...MEDIA)).toMatchObject({ fetched: 0 });
    expect(upstream.requests.length).toBeGreaterThan(10);
    expect(upstream.requests.filter((url) => /\.(?:jpg|txt)$/.test(url))).toEqual([]);
    expect(upstream.requests.filter((url) => url.includes(INTERVIEW))).toEqual([]);
    expect((await run<{ media: unknown }>('status', '--snapshot', snapshot)).media).toMatchObject({ failed: 0 });
  });

  it('lets an interrupted harvest resume', async () => {
    const partial = join(folder.path, 'partial');
    const harvestPart = (url: string, ...more: string[]) =>
      run<HarvestReport>('harvest', ...upstreamOptions(url), '--snapshot', partial, ...ROOTS, ...more);
    expect((await harvestPart(oldUrl(), '--max-records', '4')).complete).toBe(false);
    expect(await run('status', '--snapshot', partial)).toMatchObject({
      queued: expect.toSatisfy((queued: number) => queued > 0),
    });
    await run('move', oldUrl(), freshUrl(), '--snapshot', partial);
    expect(await harvestPart(freshUrl())).toMatchObject({ complete: true, failures: [] });
    expect(rowsOf(partial)['run']).toHaveLength(1);
    const keys = (dir: string) => (rowsOf(dir)['response'] as Array<{ key: string }>).map(({ key }) => key).sort();
    expect(keys(partial)).toEqual(keys(whole));
  });

  it('lets the next build take the site of before, and equal a clean one without the old URL', async () => {
    expect(htmlWith(dist, oldUrl()).length).toBeGreaterThan(3);
    await build(dist);
    const clean = join(folder.path, 'clean');
    await build(clean, '--clean');
    expect(readFiles(dist)).toEqual(readFiles(clean));
    const pages = htmlWith(dist, freshUrl());
    expect(pages.length).toBeGreaterThan(3);
    const foreign = [`web.example/2020/${oldUrl()}`, `${oldUrl()}0`];
    for (const path of htmlWith(dist, oldUrl())) {
      expect(path).toMatch(/^objects\/demo-org-3(?:\/contents)?\.html$/);
      const html = readFileSync(join(dist, path), 'utf8');
      expect(foreign.reduce((rest, url) => rest.replaceAll(url, ''), html)).not.toContain(oldUrl());
    }
    expect(findLeaks(readFiles(dist), Object.values(SECRET_WORDS))).toEqual([]);
    expect((await runMicrofiche(['verify', '--dir', dist], at)).code).toBe(0);
  });

  it('lets status, update and sync know the copies of before', async () => {
    expect(await run('status', '--snapshot', snapshot, '--dir', formerDist)).toHaveProperty('site.files');
    await run('update', ...harvest(freshUrl()).slice(1), '--out', formerDist);
    const paths = (dir: string) => [...readFiles(dir).keys()];
    expect(paths(formerDist)).toEqual(paths(dist));
    const { copied, damaged } = await run('sync', snapshot, former);
    expect({ copied, damaged }).toEqual({ copied: 0, damaged: [] });
    expect(await fingerprint(former)).toBe(await fingerprint(snapshot));
  });
});
