import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MANIFEST, readManifest } from '../site/manifest.ts';
import { publish } from './publish.ts';

function folders() {
  const base = mkdtempSync(join(tmpdir(), 'microfiche-publish-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const from = join(base, 'from');
  mkdirSync(from);
  const sources = (files: Record<string, string>) =>
    new Map(
      Object.entries(files).map(([path, content], i) => {
        const file = join(from, `${i}`);
        writeFileSync(file, content);
        return [path, file];
      }),
    );
  return { out: join(base, 'dist'), sources };
}

it('writes what is new, leaves what is equal, removes what went away with its empty folders', async () => {
  const { out, sources } = folders();
  expect(await publish(sources({ 'a.html': 'A', 'b/c/d.html': 'D' }), out)).toMatchObject({
    files: 2,
    written: 2,
    removed: 0,
    bytes: 2,
  });
  expect(await publish(sources({ 'a.html': 'A', 'e.html': 'E' }), out)).toMatchObject({ files: 2, written: 1, removed: 1 });
  expect(existsSync(join(out, 'b'))).toBe(false);
  expect(readManifest(out).map(({ path }) => path)).toEqual(['a.html', 'e.html']);
});

it('mends a page that was changed by hand, and keeps files that its owner added', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a.html': 'A' }), out);
  writeFileSync(join(out, 'a.html'), 'X');
  writeFileSync(join(out, 'CNAME'), 'mirror.example');
  await publish(sources({ 'a.html': 'A' }), out);
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, 'CNAME'), 'utf8')).toBe('mirror.example');
});

it('refuses a folder that holds something else', async () => {
  const { out, sources } = folders();
  mkdirSync(out);
  writeFileSync(join(out, 'thesis.doc'), 'years of work');
  await expect(publish(sources({ 'a.html': 'A' }), out)).rejects.toThrow('is not empty and holds no site');
  expect(readFileSync(join(out, 'thesis.doc'), 'utf8')).toBe('years of work');
});

it('leaves the site of before untouched when a source cannot be read', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a.html': 'A' }), out);
  const manifest = readFileSync(join(out, MANIFEST), 'utf8');
  const next = sources({ 'a.html': 'A2', 'b.html': 'B' });
  next.set('c.html', '/nowhere/at/all');
  await expect(publish(next, out)).rejects.toThrow('ENOENT');
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, MANIFEST), 'utf8')).toBe(manifest);
  expect(existsSync(join(out, '.microfiche-new'))).toBe(false);
});
