import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findInvalidLines, parseManifest } from '../formats/manifest-lines.ts';
import { MANIFEST_FILE, readManifest } from './manifest.ts';

const CHECKSUM = 'a'.repeat(64);

it.each(['..\\..\\x', '../x', '/x', 'a/../../x', 'C:/x', 'C:x', 'con', 'a/NUL.html', 'a//b', 'a/./b', 'a\u0001b', 'a:b', 'x. '])(
  'skips a line of a manifest with the path %j',
  (path) => {
    const text = `${CHECKSUM}  good.html\n${CHECKSUM}  ${path}\n`;
    expect(parseManifest(text)).toEqual([{ sha256: CHECKSUM, path: 'good.html' }]);
    expect(findInvalidLines(text)).toEqual([2]);
  },
);

it('does not read a manifest that is a symbolic link', () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-manifest-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'elsewhere'), `${CHECKSUM}  good.html\n`);
  symlinkSync(join(directory, 'elsewhere'), join(directory, MANIFEST_FILE));
  expect(readManifest(directory)).toEqual([]);
});
