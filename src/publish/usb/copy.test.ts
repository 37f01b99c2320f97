import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publish } from '../../pipeline/publish.ts';
import { copyToStick } from './copy.ts';

const PAGES = { 'index.html': '<title>T</title>', 'about.html': 'about', 'objects/a.html': 'a', 'objects/b.html': 'b' };

/** A small site, an empty stick, and a folder with canaries that links may point to. */
async function places() {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-usb-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [dir, to, outside] = ['dist', 'stick', 'outside'].map((name) => join(top, name)) as [string, string, string];
  for (const folder of [to, outside, join(top, 'from')]) mkdirSync(folder);
  for (const name of ['canary', 'a.html', 'b.html', 'index.html', 'manifest-sha256.txt'])
    writeFileSync(join(outside, name), 'canary');
  const build = async (pages: Record<string, string>) => {
    const sources = Object.entries(pages).map(([path, content], i) => {
      writeFileSync(join(top, 'from', `${i}`), content);
      return [path, join(top, 'from', `${i}`)] as const;
    });
    await publish(new Map(sources), dir);
  };
  await build(PAGES);
  const copy = (more: { force?: boolean } = {}) => copyToStick({ dir, to, force: false, ...more });
  const canaries = () => readdirSync(outside).map((name) => readFileSync(join(outside, name), 'utf8'));
  return { dir, to, outside, build, copy, canaries };
}

const CANARIES = Array.from({ length: 5 }, () => 'canary');

it.each(['mirror', 'mirror/objects'])(
  'S13: writes and deletes nothing through %s, where that is a symbolic link on the stick',
  async (link) => {
    const { to, outside, build, copy, canaries } = await places();
    await copy();
    rmSync(join(to, link), { recursive: true });
    symlinkSync(outside, join(to, link));
    await expect(copy({ force: true })).rejects.toThrow(
      new RegExp(`${link}.* is a symbolic link, and no link is followed: remove it`),
    );
    const { 'objects/a.html': a, 'objects/b.html': b, ...rest } = PAGES;
    expect([a, b]).toEqual(['a', 'b']);
    await build(rest); // now the stick's manifest names what is gone
    if (link === 'mirror') await expect(copy()).rejects.toThrow(/symbolic link/);
    else expect(await copy()).toMatchObject({ removed: 0 });
    expect(canaries()).toEqual(CANARIES);
  },
);

it.each(['mirror/manifest-sha256.txt', 'mirror/microfiche-copy.txt'])(
  'S13: refuses %s where it is a symbolic link, or no file',
  async (name) => {
    const { to, outside, copy, canaries } = await places();
    await copy();
    rmSync(join(to, name), { force: true });
    symlinkSync(join(outside, 'canary'), join(to, name));
    await expect(copy()).rejects.toThrow(/is a symbolic link, and no link is followed: remove it from the stick/);
    rmSync(join(to, name));
    mkdirSync(join(to, name));
    await expect(copy()).rejects.toThrow(/is no regular file: remove it from the stick/);
    expect(canaries()).toEqual(CANARIES);
  },
);

it('S13: puts its own files in the place of links, and leaves alone what they point to', async () => {
  const { to, outside, copy, canaries } = await places();
  await copy();
  const links = ['mirror/index.html', 'START HERE.html', 'README.txt', 'mirror/microfiche-copy.part', 'README.txt.part'];
  for (const name of links) {
    rmSync(join(to, name), { force: true });
    symlinkSync(join(outside, 'canary'), join(to, name));
  }
  expect(await copy()).toMatchObject({ copied: 1, kept: 3 });
  expect(canaries()).toEqual(CANARIES);
  expect(readFileSync(join(to, 'mirror/index.html'), 'utf8')).toBe('<title>T</title>');
  expect(readdirSync(to).sort()).toEqual(['README.txt', 'START HERE.html', 'mirror']);
});

it('S13: copies nothing that a link in the site points to', async () => {
  const { dir, to, outside, copy } = await places();
  rmSync(join(dir, 'about.html'));
  symlinkSync(join(outside, 'canary'), join(dir, 'about.html'));
  await expect(copy()).rejects.toThrow(
    /about\.html: it is a symbolic link, and no link is followed: run “microfiche build” again/,
  );
  expect(readdirSync(to)).toEqual([]);
});

it('S22: a manifest that names paths outside the site, or files of the copy, copies and deletes nothing there', async () => {
  const { dir, to, copy, canaries } = await places();
  await copy();
  const lines = ['../outside/canary', '..\\outside\\canary'].map((path) => `${'a'.repeat(64)}  ${path}\n`).join('');
  const manifest = readFileSync(join(to, 'mirror/manifest-sha256.txt'), 'utf8');
  writeFileSync(join(to, 'mirror/manifest-sha256.txt'), manifest + lines);
  writeFileSync(join(dir, 'manifest-sha256.txt'), manifest + lines);
  expect(await copy()).toMatchObject({ files: 4, removed: 0 });
  expect(canaries()).toEqual(CANARIES);
  writeFileSync(join(dir, 'manifest-sha256.txt'), `${manifest}${'a'.repeat(64)}  microfiche-copy.txt\n`);
  await expect(copy()).rejects.toThrow(/names microfiche-copy\.txt, which no site has/);
});

it('D40: says in a sentence that a folder has the name of a file, and a file that of a folder', async () => {
  const { to, copy } = await places();
  await copy();
  rmSync(join(to, 'mirror/about.html'));
  mkdirSync(join(to, 'mirror/about.html'));
  await expect(copy()).rejects.toThrow(/about\.html is in the way: remove it from the stick/);
  rmSync(join(to, 'mirror/about.html'), { recursive: true });
  rmSync(join(to, 'mirror/objects'), { recursive: true });
  writeFileSync(join(to, 'mirror/objects'), 'x');
  await expect(copy()).rejects.toThrow(/objects.* is in the way: remove it from the stick/);
});

it('leaves a README.txt of somebody else as it is, and says so', async () => {
  const { to, copy } = await places();
  writeFileSync(join(to, 'README.txt'), 'mine');
  expect((await copy({ force: true })).leftAlone).toEqual(['README.txt']);
  expect((await copy()).leftAlone).toEqual(['README.txt']);
  expect(readFileSync(join(to, 'README.txt'), 'utf8')).toBe('mine');
});

it('D32: does not replace the mirror of another archive, unless told to', async () => {
  const { to, build, copy } = await places();
  const identity = (catalogUrl: string) => JSON.stringify({ format: 1, authorsUrl: catalogUrl, catalogUrl, snapshot: 'x' });
  await build({ ...PAGES, 'microfiche.json': identity('https://one.example') });
  await copy();
  await build({ ...PAGES, 'microfiche.json': identity('https://two.example') });
  await expect(copy()).rejects.toThrow(
    /holds the mirror of https:\/\/one\.example, not of https:\/\/two\.example: name another folder with --to/,
  );
  expect(readFileSync(join(to, 'mirror/microfiche.json'), 'utf8')).toContain('one.example');
  await copy({ force: true });
  expect(readFileSync(join(to, 'mirror/microfiche.json'), 'utf8')).toContain('two.example');
});
