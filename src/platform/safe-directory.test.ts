import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { pathTraversalProblem, toSafeDirectory, UnsafePathError, usingDescriptor } from './safe-directory.ts';

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
  return { safeDir: toSafeDirectory(join(top, 'inside')), canary: join(top, 'outside/canary'), top };
}

it('reads files inside the directory', () => {
  const { safeDir } = createDirectories();
  expect(readFileSync(safeDir.resolve('real/file'), 'utf8')).toBe('file');
  expect(safeDir.stat('real/file')?.size).toBe(4);
  expect(safeDir.stat('real/none')).toBeUndefined();
  expect(safeDir.stat('real/file/none')).toBeUndefined();
  expect(safeDir.stat('real')).toBeUndefined();
});

it('lists files and links, and follows no link', () => {
  const { safeDir } = createDirectories();
  expect(safeDir.listEntries('real')).toEqual([{ path: 'real/file', isFile: true }]);
  symlinkSync('..', join(safeDir.root, 'real/loop'));
  symlinkSync('../../outside', join(safeDir.root, 'real/out'));
  expect(safeDir.listEntries('real')).toEqual([
    { path: 'real/file', isFile: true },
    { path: 'real/loop', isFile: false },
    { path: 'real/out', isFile: false },
  ]);
  expect(safeDir.listEntries('none')).toEqual([]);
  expect(() => safeDir.listEntries('folder-link')).toThrow(UnsafePathError);
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
])('rejects %j', (path) => {
  const { safeDir } = createDirectories();
  for (const method of [safeDir.resolve, safeDir.stat]) expect(() => method(path)).toThrow(UnsafePathError);
});

it('deletes a link but not its target, and nothing in a linked directory', () => {
  const { safeDir, canary, top } = createDirectories();
  safeDir.delete('file-link');
  expect([existsSync(join(top, 'inside/file-link')), existsSync(canary)]).toEqual([false, true]);
  expect(() => safeDir.delete('folder-link/canary')).toThrow(UnsafePathError);
  expect(() => safeDir.deleteEmptyDirectories('folder-link')).toThrow(UnsafePathError);
  expect(existsSync(canary)).toBe(true);
});

it('replaces a link by a new file, and never writes through one', () => {
  const { safeDir, canary, top } = createDirectories();
  usingDescriptor(safeDir.create('file-link'), (descriptor) => writeFileSync(descriptor, 'new'));
  expect([readFileSync(join(top, 'inside/file-link'), 'utf8'), readFileSync(canary, 'utf8')]).toEqual(['new', 'canary']);
  expect(() => safeDir.create('folder-link/canary')).toThrow(UnsafePathError);
  expect(() => safeDir.createDirectory('folder-link/more')).toThrow(UnsafePathError);
  usingDescriptor(safeDir.create('a/b/c'), (descriptor) => writeFileSync(descriptor, 'c'));
  safeDir.delete('a/b/c');
  safeDir.deleteEmptyDirectories('a/b');
  expect(existsSync(join(top, 'inside/a'))).toBe(false);
});

it('accepts no path that points outside the directory', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '\\', 'C:', '\0'), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/')),
      (path) => {
        if (pathTraversalProblem(path) === undefined) expect(join('/root', path).startsWith('/root/')).toBe(true);
      },
    ),
  );
});
