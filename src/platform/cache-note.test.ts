import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCacheNote, takeCacheNote, writeCacheNote } from './cache-note.ts';

it('returns what was noted only under the same key, and nothing of a damaged file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-note-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'note.json');
  expect(readCacheNote(file, 'key')).toBeUndefined();
  writeCacheNote(file, ['key', { part: 1 }], { files: ['a'] });
  expect(readCacheNote(file, ['key', { part: 1 }])).toEqual({ files: ['a'] });
  expect(readCacheNote(file, ['key', { part: 2 }])).toBeUndefined();
  expect(takeCacheNote(file, ['key', { part: 1 }])).toEqual({ files: ['a'] });
  expect(existsSync(file)).toBe(false);
  for (const text of ['', 'null', '[]', '{"key":"\\"key\\""', '7']) {
    writeFileSync(file, text);
    expect(readCacheNote(file, 'key')).toBeUndefined();
  }
});
