import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cacheRoot, openCache } from './caches.ts';

const DAY = 86_400_000;

function createDirectories() {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-caches-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'cache');
  const out = join(top, 'dist');
  mkdirSync(out);
  return { root, out, other: join(top, 'other') };
}

it('D38: is in the working directory, or in the one that MICROFICHE_CACHE sets', () => {
  const before = process.env['MICROFICHE_CACHE'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['MICROFICHE_CACHE'];
    else process.env['MICROFICHE_CACHE'] = before;
  });
  delete process.env['MICROFICHE_CACHE'];
  expect(cacheRoot()).toBe(join(process.cwd(), '.microfiche/cache'));
  process.env['MICROFICHE_CACHE'] = '/var/cache/microfiche';
  expect(cacheRoot()).toBe('/var/cache/microfiche');
});

it('D38: is emptied for a clean build, with the derivatives that the site has used', () => {
  const { root, out, other } = createDirectories();
  mkdirSync(other);
  const first = openCache(root, out, { clean: false });
  writeFileSync(join(first.folder, 'pages.json'), '');
  for (const name of ['aaa-1.webp', 'aaa-2.txt', 'bbb-1.webp']) writeFileSync(join(first.pictures, name), '');
  first.used(['aaa']);
  first.finish();
  const second = openCache(root, other, { clean: true });
  expect([second.folder === first.folder, second.pictures === first.pictures]).toEqual([false, true]);
  second.finish();
  expect(readdirSync(second.pictures).sort()).toEqual(['aaa-1.webp', 'aaa-2.txt', 'bbb-1.webp']);
  const clean = openCache(root, out, { clean: true });
  expect([existsSync(join(clean.folder, 'pages.json')), readdirSync(clean.pictures)]).toEqual([false, ['bbb-1.webp']]);
});

it('is emptied after an interrupted build', () => {
  const { root, out } = createDirectories();
  const first = openCache(root, out, { clean: false });
  writeFileSync(join(first.folder, 'pages.json'), '');
  expect(existsSync(join(openCache(root, out, { clean: false }).folder, 'pages.json'))).toBe(false);
});

it('D38: deletes the caches of deleted sites, and derivatives that no build has used for a long time', () => {
  const { root, out, other } = createDirectories();
  mkdirSync(other);
  const deleted = openCache(root, other, { clean: false });
  deleted.finish();
  rmSync(other, { recursive: true });
  const now = Date.now();
  const old = new Date(now - 100 * DAY);
  for (const name of ['used-1.webp', 'unused-1.webp', 'used-tiles', 'unused-tiles', 'new-1.webp', 'x-1.webp.part']) {
    const path = join(deleted.pictures, name);
    if (name.endsWith('tiles')) mkdirSync(path);
    else writeFileSync(path, '');
    if (name !== 'new-1.webp')
      utimesSync(
        path,
        name.endsWith('.part') ? new Date(now - 2 * DAY) : old,
        name.endsWith('.part') ? new Date(now - 2 * DAY) : old,
      );
  }
  const cache = openCache(root, out, { clean: false, now: now - 20 * DAY }); // no derivative is old enough yet
  cache.used(['used']);
  cache.finish();
  expect(readdirSync(deleted.pictures).sort()).toEqual([
    'new-1.webp',
    'unused-1.webp',
    'unused-tiles',
    'used-1.webp',
    'used-tiles',
    'x-1.webp.part',
  ]);
  openCache(root, out, { clean: false, now }).finish();
  expect(readdirSync(deleted.pictures).sort()).toEqual(['new-1.webp', 'used-1.webp', 'used-tiles']);
  expect(existsSync(deleted.folder)).toBe(false);
  expect(readdirSync(root)).toEqual(expect.arrayContaining(['.gitignore', 'CACHEDIR.TAG']));
});
