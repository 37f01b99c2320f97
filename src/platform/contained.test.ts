import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { closing, containedIn, outsideProblem, UnsafePath } from './contained.ts';

/** Creates a directory with a canary file beside it. Inside it are a link to the canary and a link to the canary's directory. */
function createDirectories() {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-contained-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'inside/real'), { recursive: true });
  mkdirSync(join(top, 'outside'));
  writeFileSync(join(top, 'outside/canary'), 'canary');
  writeFileSync(join(top, 'inside/real/file'), 'file');
  symlinkSync(join(top, 'outside'), join(top, 'inside/folder-link'));
  symlinkSync(join(top, 'outside/canary'), join(top, 'inside/file-link'));
  return { inside: containedIn(join(top, 'inside')), canary: join(top, 'outside/canary'), top };
}

it('reads files inside the directory', () => {
  const { inside } = createDirectories();
  expect(readFileSync(inside.at('real/file'), 'utf8')).toBe('file');
  expect(inside.stat('real/file')?.size).toBe(4);
  expect(inside.stat('real/none')).toBeUndefined();
  expect(inside.stat('real/file/none')).toBeUndefined();
  expect(inside.stat('real')).toBeUndefined();
});

it('S4: lists files and links, and follows no link', () => {
  const { inside } = createDirectories();
  expect(inside.entries('real')).toEqual([{ path: 'real/file', isFile: true }]);
  symlinkSync('..', join(inside.root, 'real/loop'));
  symlinkSync('../../outside', join(inside.root, 'real/out'));
  expect(inside.entries('real')).toEqual([
    { path: 'real/file', isFile: true },
    { path: 'real/loop', isFile: false },
    { path: 'real/out', isFile: false },
  ]);
  expect(inside.entries('none')).toEqual([]);
  expect(() => inside.entries('folder-link')).toThrow(UnsafePath);
});

it.each([
  '../outside/canary',
  '/etc/passwd',
  'real/../../outside/canary',
  'a//b',
  '.',
  '',
  'a\\..\\b',
  'a\0b',
  'C:/x',
  'file-link',
  'folder-link/canary',
  'folder-link/new',
])('refuses %j', (path) => {
  const { inside } = createDirectories();
  for (const method of [inside.at, inside.stat]) expect(() => method(path)).toThrow(UnsafePath);
});

it('deletes a link but not its target, and nothing in a linked directory', () => {
  const { inside, canary, top } = createDirectories();
  inside.remove('file-link');
  expect([existsSync(join(top, 'inside/file-link')), existsSync(canary)]).toEqual([false, true]);
  expect(() => inside.remove('folder-link/canary')).toThrow(UnsafePath);
  expect(() => inside.removeEmptyFolders('folder-link')).toThrow(UnsafePath);
  expect(existsSync(canary)).toBe(true);
});

it('replaces a link by a new file, and never writes through one', () => {
  const { inside, canary, top } = createDirectories();
  closing(inside.create('file-link'), (descriptor) => writeFileSync(descriptor, 'new'));
  expect([readFileSync(join(top, 'inside/file-link'), 'utf8'), readFileSync(canary, 'utf8')]).toEqual(['new', 'canary']);
  expect(() => inside.create('folder-link/canary')).toThrow(UnsafePath);
  expect(() => inside.makeFolder('folder-link/more')).toThrow(UnsafePath);
  closing(inside.create('a/b/c'), (descriptor) => writeFileSync(descriptor, 'c'));
  inside.remove('a/b/c');
  inside.removeEmptyFolders('a/b');
  expect(existsSync(join(top, 'inside/a'))).toBe(false);
});

it('accepts no path that points outside the directory', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '\\', 'C:', '\0'), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/')),
      (path) => {
        if (outsideProblem(path) === undefined) expect(join('/root', path).startsWith('/root/')).toBe(true);
      },
    ),
  );
});
