import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { VIEWER } from '../client/compact-names.ts';
import { publish } from '../pipeline/publish.ts';
import { auditSite, type SiteAudit } from './audit.ts';
import { copyToStick } from './usb/copy.ts';

const PAGE = '<!doctype html><title>T</title><link rel="stylesheet" href="site.css"><a href="b.html#x">b</a>';
const PAGES = {
  'index.html': PAGE,
  'b.html': '<!doctype html><h1 id="x">b</h1><a href="index.html">a</a>',
  'site.css': 'a { color: red }',
};

async function site(pages: Record<string, string> = PAGES): Promise<string> {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-audit-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'from'));
  const sources = Object.entries(pages).map(([path, content], i) => {
    writeFileSync(join(top, 'from', `${i}`), content);
    return [path, join(top, 'from', `${i}`)] as const;
  });
  await publish(new Map(sources), join(top, 'dist'));
  return join(top, 'dist');
}

const findings = ({ altered, orphans, broken, network, unportable }: SiteAudit) =>
  [...altered, ...orphans, ...broken, ...network, ...unportable].map(({ what }) => what);

it('finds nothing in a sound site, and counts what it read', async () => {
  const audit = await auditSite(await site());
  expect(findings(audit)).toEqual([]);
  expect(audit).toMatchObject({
    files: 4,
    pages: 2,
    links: 3,
    onStick: false,
    manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it('D33: an empty folder, or a site without its manifest, is not sound', async () => {
  const dir = await site();
  rmSync(join(dir, 'manifest-sha256.txt'));
  expect((await auditSite(dir)).altered).toMatchObject([
    { what: 'manifest-sha256.txt', problem: expect.stringMatching(/no such file/) },
  ]);
  rmSync(dir, { recursive: true });
  mkdirSync(dir);
  expect(findings(await auditSite(dir))).toEqual(['manifest-sha256.txt']);
  writeFileSync(join(dir, 'manifest-sha256.txt'), '');
  expect(findings(await auditSite(dir))).toEqual(['manifest-sha256.txt']);
});

it('D33: names a page that was edited, and every file that the manifest does not name', async () => {
  const dir = await site();
  writeFileSync(join(dir, 'b.html'), `${PAGES['b.html']}<!-- edited -->`);
  mkdirSync(join(dir, 'objects'));
  for (const name of ['objects/page.html', 'CNAME', '.hidden']) writeFileSync(join(dir, name), 'x');
  const { altered, orphans } = await auditSite(dir);
  expect(altered.map(({ what }) => what)).toEqual(['b.html']);
  expect(orphans.map(({ what }) => what)).toEqual(['.hidden', 'CNAME', 'objects/page.html']);
});

it('D33: finds the mirror in the root of a stick, and looks at the page beside it too', async () => {
  const dir = await site();
  const stick = join(dir, '../stick');
  mkdirSync(stick);
  await copyToStick({ dir, to: stick, force: false });
  const audit = await auditSite(stick);
  expect(findings(audit)).toEqual([]);
  expect(audit).toMatchObject({ dir: join(stick, 'mirror'), onStick: true, files: 4 });
  writeFileSync(join(stick, 'START HERE.html'), '<meta http-equiv="refresh" content="0; url=https://x.example/">');
  expect((await auditSite(stick)).network.map(({ what }) => what)).toEqual(['START HERE.html']);
});

it('D16: says that a build was interrupted', async () => {
  const dir = await site();
  writeFileSync(join(dir, '.microfiche-journal.txt'), '');
  mkdirSync(join(dir, '.microfiche-new'));
  writeFileSync(join(dir, '.microfiche-new/index.html'), 'x');
  expect((await auditSite(dir)).altered).toEqual([
    { what: '.microfiche-journal.txt', problem: expect.stringMatching(/was interrupted: run “microfiche build” again/) },
  ]);
});

it('S13, S22: names links and lines of the manifest that lead out, and reads nothing through them', async () => {
  const dir = await site();
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
    { what: 'manifest-sha256.txt', problem: 'line 1 is no SHA-256 with a path below the site' },
    { what: 'folder/canary.html', problem: 'the file is lost' },
    { what: 'b.html', problem: 'the file is lost' },
  ]);
  expect(orphans.filter(({ problem }) => problem === 'it is a symbolic link').map(({ what }) => what)).toEqual([
    'b.html',
    'folder',
  ]);
  renameSync(manifest, `${manifest}.moved`);
  symlinkSync(`${manifest}.moved`, manifest);
  expect((await auditSite(dir)).manifest).toBeUndefined();
});

it('says which pack of a compact site cannot be read, and goes on', async () => {
  const pack = 'microfichePack("a",[["x","bm8gZ3ppcA=="]]);\n';
  const dir = await site({
    ...PAGES,
    [VIEWER]: '<title>v</title>',
    'pages/a.js': pack,
    'thumbs/b.js': 'nothing',
    'pages/directory.js': '',
  });
  expect((await auditSite(dir)).altered.map(({ what }) => what)).toEqual(['pages/a.js', 'thumbs/b.js']);
});

it.each([
  ['the address with a tab in it', '<img src="/\t/x.example/a.png">'],
  ['the address with a line break in its scheme', '<img src="ht\ntps://x.example/">'],
  ['the address behind a control character', '<img src="\u0001https://x.example/">'],
  ['a script in an address', '<a href="java\nscript:alert(1)">x</a>'],
  ['a page in an address', '<iframe src="data:text/html,x"></iframe>'],
  ['speculation rules', '<script type="speculationrules">{"prefetch":[{"source":"document"}]}</script>'],
])('S17: says that %s asks the network', async (_, html) => {
  const { network, broken } = await auditSite(await site({ 'index.html': html }));
  expect([network.length, broken.length]).toEqual([1, 0]);
});

it('takes pictures in addresses, and links to elsewhere, for harmless', async () => {
  const html = '<img src="data:image/gif;base64,AA=="><a href="https://x.example/">x</a><a href="mailto:x@x.example">x</a>';
  expect(findings(await auditSite(await site({ 'index.html': html })))).toEqual([]);
});

it('D20: reads a site with a file of more than 2 GiB', async () => {
  const dir = await site();
  const path = 'media/long.mp4';
  mkdirSync(join(dir, 'media'));
  writeFileSync(join(dir, path), '');
  truncateSync(join(dir, path), 2 ** 31 + 100_000_000);
  writeFileSync(join(dir, 'manifest-sha256.txt'), `${'0'.repeat(64)}  ${path}\n`, { flag: 'a' });
  const { altered, bytes } = await auditSite(dir);
  expect(altered).toMatchObject([{ what: path, problem: expect.stringMatching(/has the SHA-256 [0-9a-f]{64}, not 0/) }]);
  expect(bytes).toBeGreaterThan(2 ** 31);
}, 120_000);
