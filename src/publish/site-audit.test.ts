import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publishSite } from '../../tests/support/publish-site.ts';
import { VIEWER_PAGE } from '../formats/compact-names.ts';
import { copyToUsb } from './copies/copy-to-usb.ts';
import { auditSite, type SiteAudit } from './site-audit.ts';

const PAGE = '<!doctype html><title>T</title><link rel="stylesheet" href="site.css"><a href="b.html#x">b</a>';
const PAGES = {
  'index.html': PAGE,
  'b.html': '<!doctype html><h1 id="x">b</h1><a href="index.html">a</a>',
  'site.css': 'a { color: red }',
};

async function createSite(pages: Record<string, string | Buffer> = PAGES): Promise<string> {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-audit-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'from'));
  const sources = Object.entries(pages).map(([path, content], i) => {
    writeFileSync(join(top, 'from', `${i}`), content);
    return [path, join(top, 'from', `${i}`)] as const;
  });
  await publishSite(new Map(sources), join(top, 'dist'));
  return join(top, 'dist');
}

const findings = ({ altered, orphans, broken, network, unportable }: SiteAudit) =>
  [...altered, ...orphans, ...broken, ...network, ...unportable].map(({ what }) => what);

it('reports no findings for an intact site, and counts what it read', async () => {
  const audit = await auditSite(await createSite());
  expect(findings(audit)).toEqual([]);
  expect(audit).toMatchObject({
    files: 4,
    pages: 2,
    links: 3,
    isUsbDrive: false,
    manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it('accepts addresses of moments of a recording, where the page has a player', async () => {
  const pages = {
    'index.html': '<!doctype html><a href="a.html#t=83.5">a</a><a href="b.html#t=83,97">b</a><a href="a.html#t=x">c</a>',
    'a.html': '<!doctype html><video id="play"></video>',
    'b.html': '<!doctype html><h1>b</h1>',
  };
  const { broken } = await auditSite(await createSite(pages));
  expect(broken.map(({ cause }) => cause).sort()).toEqual(['a.html has no #t=x', 'b.html has no #t=83,97']);
});

it('reports a missing or empty manifest, and an empty directory', async () => {
  const dir = await createSite();
  rmSync(join(dir, 'manifest-sha256.txt'));
  expect((await auditSite(dir)).altered).toMatchObject([
    { what: 'manifest-sha256.txt', problem: expect.stringMatching(/the manifest is missing/) },
  ]);
  rmSync(dir, { recursive: true });
  mkdirSync(dir);
  expect(findings(await auditSite(dir))).toEqual(['manifest-sha256.txt']);
  writeFileSync(join(dir, 'manifest-sha256.txt'), '');
  expect(findings(await auditSite(dir))).toEqual(['manifest-sha256.txt']);
});

it('reports a page that was edited, and every file that the manifest does not list', async () => {
  const dir = await createSite();
  writeFileSync(join(dir, 'b.html'), `${PAGES['b.html']}<!-- edited -->`);
  mkdirSync(join(dir, 'objects'));
  for (const name of ['objects/page.html', 'CNAME', '.hidden']) writeFileSync(join(dir, name), 'x');
  const { altered, orphans } = await auditSite(dir);
  expect(altered.map(({ what }) => what)).toEqual(['b.html']);
  expect(orphans.map(({ what }) => what)).toEqual(['.hidden', 'CNAME', 'objects/page.html']);
});

describe('compressed copies', () => {
  const bytes = Buffer.from(PAGES['b.html']);
  const COPIES = {
    'b.html.gz': gzipSync(bytes),
    'b.html.br': brotliCompressSync(bytes),
    'b.html.zst': zstdCompressSync(bytes),
  };

  it('are accepted if they decompress to their files', async () => {
    expect(findings(await auditSite(await createSite({ ...PAGES, ...COPIES })))).toEqual([]);
  });

  it.each([
    ['other content of the same length', Buffer.from(PAGES['b.html'].replace('>b<', '>c<'))],
    ['less', bytes.subarray(1)],
    ['more', Buffer.concat([bytes, bytes])],
  ])('are reported if they decompress to %s, although the manifest lists them', async (_, other) => {
    const copies = {
      'b.html.gz': gzipSync(other),
      'b.html.br': brotliCompressSync(other),
      'b.html.zst': zstdCompressSync(other),
    };
    const { altered } = await auditSite(await createSite({ ...PAGES, ...copies }));
    expect(altered.map(({ what, problem }) => [what, problem])).toEqual(
      ['b.html.br', 'b.html.gz', 'b.html.zst'].map((path) => [path, 'the file does not decompress to b.html']),
    );
  });

  it('are reported if they are damaged, empty, or without their file', async () => {
    const copies = {
      'b.html.gz': COPIES['b.html.gz'].subarray(0, 20),
      'b.html.br': Buffer.alloc(0),
      'b.html.zst': 'not compressed',
    };
    const { altered } = await auditSite(await createSite({ ...PAGES, ...copies, 'lost.html.gz': COPIES['b.html.gz'] }));
    expect(altered.map(({ what }) => what)).toEqual(['b.html.br', 'b.html.gz', 'b.html.zst', 'lost.html.gz']);
    expect(altered.at(-1)?.problem).toBe('hosts send the file instead of lost.html, which is not in the site');
  });
});

it('finds the site on a USB drive, and audits the page in the root too', async () => {
  const dir = await createSite();
  const drive = join(dir, '../drive');
  mkdirSync(drive);
  await copyToUsb({ dir, to: drive, force: false });
  const audit = await auditSite(drive);
  expect(findings(audit)).toEqual([]);
  expect(audit).toMatchObject({ dir: join(drive, 'mirror'), isUsbDrive: true, files: 4 });
  writeFileSync(join(drive, 'START HERE.html'), '<meta http-equiv="refresh" content="0; url=https://x.example/">');
  expect((await auditSite(drive)).network.map(({ what }) => what)).toEqual(['START HERE.html']);
});

it('reports that a build was interrupted', async () => {
  const dir = await createSite();
  writeFileSync(join(dir, '.microfiche-journal.txt'), '');
  mkdirSync(join(dir, '.microfiche-new'));
  writeFileSync(join(dir, '.microfiche-new/index.html'), 'x');
  expect((await auditSite(dir)).altered).toEqual([
    { what: '.microfiche-journal.txt', problem: expect.stringMatching(/was interrupted; run "microfiche build" again/) },
  ]);
});

it('reports symbolic links and manifest lines that point outside, and reads nothing there', async () => {
  const dir = await createSite();
  const canary = join(dir, '../canary.html');
  writeFileSync(canary, '<img src="https://canary.example/">');
  rmSync(join(dir, 'b.html'));
  symlinkSync(canary, join(dir, 'b.html'));
  mkdirSync(join(dir, '../folder'));
  cpSync(canary, join(dir, '../folder/canary.html'));
  symlinkSync(join(dir, '../folder'), join(dir, 'folder'));
  const manifest = join(dir, 'manifest-sha256.txt');
  writeFileSync(
    manifest,
    `${'a'.repeat(64)}  ../canary.html\n${'a'.repeat(64)}  folder/canary.html\n${'b'.repeat(64)}  b.html\n`,
  );
  const { altered, orphans, network } = await auditSite(dir);
  expect(network).toEqual([]);
  expect(altered).toMatchObject([
    { what: 'manifest-sha256.txt', problem: 'line 1 is not a SHA-256 and a path in the site' },
    { what: 'folder/canary.html', problem: 'the file is missing' },
    { what: 'b.html', problem: 'the file is missing' },
  ]);
  expect(orphans.filter(({ problem }) => problem === 'it is a symbolic link').map(({ what }) => what)).toEqual([
    'b.html',
    'folder',
  ]);
  renameSync(manifest, `${manifest}.moved`);
  symlinkSync(`${manifest}.moved`, manifest);
  expect((await auditSite(dir)).manifest).toBeUndefined();
});

it('reports packs of a compact build that cannot be read', async () => {
  const pack = 'microfichePack("a",[["x","bm8gZ3ppcA=="]]);\n';
  const dir = await createSite({
    ...PAGES,
    [VIEWER_PAGE]: '<title>v</title>',
    'pages/a.js': pack,
    'thumbs/b.js': 'nothing',
    'pages/directory.js': '',
  });
  expect((await auditSite(dir)).altered.map(({ what }) => what)).toEqual(['pages/a.js', 'thumbs/b.js']);
});

it.each([
  ['a URL with a tab in it', '<img src="/\t/x.example/a.png">'],
  ['a URL with a line break in its scheme', '<img src="ht\ntps://x.example/">'],
  ['a URL after a control character', '<img src="\u0001https://x.example/">'],
  ['a script in a URL', '<a href="java\nscript:alert(1)">x</a>'],
  ['a page in a URL', '<iframe src="data:text/html,x"></iframe>'],
  ['speculation rules', '<script type="speculationrules">{"prefetch":[{"source":"document"}]}</script>'],
])('reports %s as a network reference', async (_, html) => {
  const { network, broken } = await auditSite(await createSite({ 'index.html': html }));
  expect([network.length, broken.length]).toEqual([1, 0]);
});

it('accepts images in data: URLs and external links', async () => {
  const html = '<img src="data:image/gif;base64,AA=="><a href="https://x.example/">x</a><a href="mailto:x@x.example">x</a>';
  expect(findings(await auditSite(await createSite({ 'index.html': html })))).toEqual([]);
});

it('reads a site with a file of more than 2 GiB', async () => {
  const dir = await createSite();
  const path = 'media/long.mp4';
  mkdirSync(join(dir, 'media'));
  writeFileSync(join(dir, path), '');
  truncateSync(join(dir, path), 2 ** 31 + 100_000_000);
  writeFileSync(join(dir, 'manifest-sha256.txt'), `${'0'.repeat(64)}  ${path}\n`, { flag: 'a' });
  const { altered, bytes } = await auditSite(dir);
  expect(altered).toMatchObject([
    { what: path, problem: expect.stringMatching(/has the SHA-256 [0-9a-f]{64}, but the manifest lists 0/) },
  ]);
  expect(bytes).toBeGreaterThan(2 ** 31);
});
