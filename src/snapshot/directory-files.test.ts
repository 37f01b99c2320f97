import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listFiles, sha256OfFile } from './directory-files.ts';

it('lists files without following links to other directories or in a loop', () => {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-files-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'in/a'), { recursive: true });
  mkdirSync(join(top, 'out'));
  for (const name of ['in/b', 'in/a/c', 'out/canary']) writeFileSync(join(top, name), '');
  symlinkSync('..', join(top, 'in/a/loop'));
  symlinkSync('../../out', join(top, 'in/a/out'));
  expect(listFiles(join(top, 'in'))).toEqual([
    ['a/c', join(top, 'in/a/c')],
    ['b', join(top, 'in/b')],
  ]);
  expect(listFiles(join(top, 'none'))).toEqual([]);
});

it.each([0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20 + 7])(
  'hashes a file of %i bytes after another file',
  async (size) => {
    const top = mkdtempSync(join(tmpdir(), 'microfiche-files-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const bytes = Buffer.alloc(size, 'microfiche');
    writeFileSync(join(top, 'other'), Buffer.alloc(2 ** 20, 'x'));
    writeFileSync(join(top, 'file'), bytes);
    await sha256OfFile(join(top, 'other'));
    let read = 0;
    const sha256 = await sha256OfFile(join(top, 'file'), (more) => {
      read += more;
    });
    expect([sha256, read]).toEqual([hash('sha256', bytes), size]);
  },
);
