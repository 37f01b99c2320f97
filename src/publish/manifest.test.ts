import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { badLines, manifestLines } from '../client/manifest-lines.ts';
import { MANIFEST, readManifest } from './manifest.ts';

const SUM = 'a'.repeat(64);

it.each(['..\\..\\x', '../x', '/x', 'a/../../x', 'C:/x', 'C:x', 'con', 'a/NUL.html', 'a//b', 'a/./b', 'a\u0001b', 'a:b', 'x. '])(
  'S22: a line of a manifest that names %j is left out',
  (path) => {
    const text = `${SUM}  good.html\n${SUM}  ${path}\n`;
    expect(manifestLines(text)).toEqual([{ sha256: SUM, path: 'good.html' }]);
    expect(badLines(text)).toEqual([2]);
  },
);

it('reads no manifest through a symbolic link', () => {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-manifest-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  writeFileSync(join(top, 'elsewhere'), `${SUM}  good.html\n`);
  symlinkSync(join(top, 'elsewhere'), join(top, MANIFEST));
  expect(readManifest(top)).toEqual([]);
});
