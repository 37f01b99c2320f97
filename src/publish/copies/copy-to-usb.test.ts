import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publishSite } from '../../../tests/support/publish-site.ts';
import { readManifest } from '../manifest.ts';
import { auditSite } from '../site-audit.ts';
import { copyToUsb } from './copy-to-usb.ts';

const PAGES = { 'index.html': '<title>T</title>', 'about.html': 'about', 'objects/a.html': 'a', 'objects/b.html': 'b' };

/** Creates a small site, an empty drive, and a directory with canaries as targets of symbolic links. */
async function createDirectories() {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-usb-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [dir, to, outside] = ['dist', 'drive', 'outside'].map((name) => join(top, name)) as [string, string, string];
  for (const directory of [to, outside, join(top, 'from')]) mkdirSync(directory);
  for (const name of ['canary', 'a.html', 'b.html', 'index.html', 'manifest-sha256.txt'])
    writeFileSync(join(outside, name), 'canary');
  const build = async (pages: Record<string, string>) => {
    const sources = Object.entries(pages).map(([path, content], i) => {
      writeFileSync(join(top, 'from', `${i}`), content);
      return [path, join(top, 'from', `${i}`)] as const;
    });
    await publishSite(new Map(sources), dir);
  };
  await build(PAGES);
  const copy = (options: { force?: boolean; to?: string } = {}) => copyToUsb({ dir, to, force: false, ...options });
  const canaries = () => readdirSync(outside).map((name) => readFileSync(join(outside, name), 'utf8'));
  return { dir, to, outside, build, copy, canaries };
}

/** What a site says of one record that was withheld from it. */
const WITHHOLDING = JSON.stringify({ key: '0'.repeat(64), entries: ['0'.repeat(16)] });

const CANARIES = Array.from({ length: 5 }, () => 'canary');

it('lists several archives of one drive on a page in the directory that has all of theirs', async () => {
  const { to, outside, build, copy } = await createDirectories();
  const [first, second] = ['b & c', 'a'].map((name) => join(to, name)) as [string, string];
  for (const directory of [first, second]) mkdirSync(directory);
  symlinkSync(outside, join(to, 'elsewhere'));
  expect(await copy({ to: first })).toMatchObject({ archiveList: undefined });
  expect(existsSync(join(to, 'START HERE.html'))).toBe(false);
  await build({ 'index.html': '<title>Harbor &lt;b&gt;</title>' });
  const { archiveList } = await copy({ to: second });
  expect(archiveList).toBe(join(to, 'START HERE.html'));
  const page = readFileSync(String(archiveList), 'utf8');
  expect(page.match(/<li>.*<\/li>/g)).toEqual([
    '<li><a href="a/mirror/index.html">Harbor &lt;b&gt;</a></li>',
    '<li><a href="b%20%26%20c/mirror/index.html">T</a></li>',
  ]);
  expect(page).toContain('<span lang="es">Archivos en esta unidad</span>');
  expect(readFileSync(join(first, 'mirror/about.html'), 'utf8')).toBe('about');

  writeFileSync(join(to, 'START HERE.html'), 'of someone else');
  expect(await copy({ to: second })).toMatchObject({ archiveList: undefined });
  expect(readFileSync(join(to, 'START HERE.html'), 'utf8')).toBe('of someone else');
});

it('does not replace a site from which more was withheld, unless that is confirmed', async () => {
  const { dir, to, copy } = await createDirectories();
  await copy();
  writeFileSync(join(to, 'mirror/withholding.json'), WITHHOLDING);
  await expect(copy()).rejects.toThrow(/^Less would be withheld than before from the site in .*"withhold" lacks 1 of 1 entry/);
  expect(await copyToUsb({ dir, to, force: false, withholdLess: true })).toMatchObject({ copied: 0 });
});

it.each(['mirror', 'mirror/objects'])('writes and deletes nothing through %s if it is a symbolic link', async (link) => {
  const { to, outside, build, copy, canaries } = await createDirectories();
  await copy();
  rmSync(join(to, link), { recursive: true });
  symlinkSync(outside, join(to, link));
  await expect(copy({ force: true })).rejects.toThrow(
    new RegExp(`${link}.* is a symbolic link; symbolic links are not followed\\. Remove it`),
  );
  const { 'objects/a.html': a, 'objects/b.html': b, ...rest } = PAGES;
  expect([a, b]).toEqual(['a', 'b']);
  await build(rest); // now the drive's manifest lists files that the site does not have
  if (link === 'mirror') await expect(copy()).rejects.toThrow(/symbolic link/);
  else expect(await copy()).toMatchObject({ removed: 0 });
  expect(canaries()).toEqual(CANARIES);
});

it.each(['mirror/manifest-sha256.txt', 'mirror/microfiche-copy.txt'])(
  'fails if %s is a symbolic link or a directory',
  async (name) => {
    const { to, outside, copy, canaries } = await createDirectories();
    await copy();
    rmSync(join(to, name), { force: true });
    symlinkSync(join(outside, 'canary'), join(to, name));
    await expect(copy()).rejects.toThrow(/is a symbolic link; symbolic links are not followed\. Remove it, then/);
    rmSync(join(to, name));
    mkdirSync(join(to, name));
    await expect(copy()).rejects.toThrow(/is not a regular file\. Remove it, then/);
    expect(canaries()).toEqual(CANARIES);
  },
);

it('replaces symbolic links with its own files, and does not touch their targets', async () => {
  const { to, outside, copy, canaries } = await createDirectories();
  await copy();
  const links = ['mirror/index.html', 'START HERE.html', 'README.txt', 'mirror/microfiche-copy.part', 'README.txt.part'];
  for (const name of links) {
    rmSync(join(to, name), { force: true });
    symlinkSync(join(outside, 'canary'), join(to, name));
  }
  expect(await copy()).toMatchObject({ copied: 1, unchanged: 3 });
  expect(canaries()).toEqual(CANARIES);
  expect(readFileSync(join(to, 'mirror/index.html'), 'utf8')).toBe('<title>T</title>');
  expect(readdirSync(to).sort()).toEqual(['README.txt', 'START HERE.html', 'drive-manifest-sha256.txt', 'mirror']);
});

it('fails if a file of the site is a symbolic link, and copies nothing', async () => {
  const { dir, to, outside, copy } = await createDirectories();
  rmSync(join(dir, 'about.html'));
  symlinkSync(join(outside, 'canary'), join(dir, 'about.html'));
  await expect(copy()).rejects.toThrow(
    /about\.html: it is a symbolic link; symbolic links are not followed\. Run "microfiche build" again/,
  );
  expect(readdirSync(to)).toEqual([]);
});

it('copies and deletes nothing for manifest lines with paths outside the site, or with names of its own files', async () => {
  const { dir, to, copy, canaries } = await createDirectories();
  await copy();
  const lines = ['../outside/canary', '..\\outside\\canary'].map((path) => `${'a'.repeat(64)}  ${path}\n`).join('');
  const manifest = readFileSync(join(to, 'mirror/manifest-sha256.txt'), 'utf8');
  writeFileSync(join(to, 'mirror/manifest-sha256.txt'), manifest + lines);
  writeFileSync(join(dir, 'manifest-sha256.txt'), manifest + lines);
  expect(await copy()).toMatchObject({ files: 4, removed: 0 });
  expect(canaries()).toEqual(CANARIES);
  writeFileSync(join(dir, 'manifest-sha256.txt'), `${manifest}${'a'.repeat(64)}  microfiche-copy.txt\n`);
  await expect(copy()).rejects.toThrow(/lists microfiche-copy\.txt, which is never part of a site/);
});

it('reports a directory with the name of a file, and a file with the name of a directory', async () => {
  const { to, copy } = await createDirectories();
  await copy();
  rmSync(join(to, 'mirror/about.html'));
  mkdirSync(join(to, 'mirror/about.html'));
  await expect(copy()).rejects.toThrow(/about\.html is in the way\. Remove it, then/);
  rmSync(join(to, 'mirror/about.html'), { recursive: true });
  rmSync(join(to, 'mirror/objects'), { recursive: true });
  writeFileSync(join(to, 'mirror/objects'), 'x');
  await expect(copy()).rejects.toThrow(/objects.* is in the way\. Remove it, then/);
});

it('does not replace a README.txt that it did not write, and reports it', async () => {
  const { to, copy } = await createDirectories();
  writeFileSync(join(to, 'README.txt'), 'mine');
  expect((await copy({ force: true })).leftAlone).toEqual(['README.txt']);
  expect((await copy()).leftAlone).toEqual(['README.txt']);
  expect(readFileSync(join(to, 'README.txt'), 'utf8')).toBe('mine');
});

it('does not replace the site of another archive, unless --force is set, and then also if that withheld records', async () => {
  const { to, build, copy } = await createDirectories();
  const identity = (catalogUrl: string) => JSON.stringify({ format: 1, authorsUrl: catalogUrl, catalogUrl, snapshot: 'x' });
  await build({ ...PAGES, 'microfiche.json': identity('https://one.example'), 'withholding.json': WITHHOLDING });
  await copy();
  await build({ ...PAGES, 'microfiche.json': identity('https://two.example') });
  await expect(copy()).rejects.toThrow(
    /contains the site of https:\/\/one\.example, not of https:\/\/two\.example\. Choose another directory with --to/,
  );
  expect(readFileSync(join(to, 'mirror/microfiche.json'), 'utf8')).toContain('one.example');
  await copy({ force: true });
  expect(readFileSync(join(to, 'mirror/microfiche.json'), 'utf8')).toContain('two.example');
  expect(existsSync(join(to, 'mirror/withholding.json'))).toBe(false);
});

it('does not copy compressed copies for hosts, and leaves them out of the manifest', async () => {
  const { dir, to, build, copy } = await createDirectories();
  await copy();
  await build({ ...PAGES, 'index.html.gz': 'gz', 'objects/a.html.br': 'br' });
  writeFileSync(join(dir, 'manifest-sha256.txt.sig'), 'signature');
  expect(await copy()).toMatchObject({ files: 4, copied: 0, unchanged: 4, removed: 0, leftOut: 2, isSignatureLeftOut: true });
  const paths = readManifest(join(to, 'mirror')).map(({ path }) => path);
  expect(paths).toEqual(Object.keys(PAGES).sort());
  expect(readdirSync(join(to, 'mirror')).sort()).toEqual(['about.html', 'index.html', 'manifest-sha256.txt', 'objects']);
  expect((await auditSite(to)).altered).toEqual([]);
});
