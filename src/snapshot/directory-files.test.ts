import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listFiles } from './directory-files.ts';

it('S4: lists files without following links to other directories or in a loop', () => {
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
