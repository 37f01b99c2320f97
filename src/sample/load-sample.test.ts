import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SAMPLE } from '../../tests/support/commands.ts';
import { UserError } from '../model/errors.ts';
import { readMediaRows } from '../snapshot/read.ts';
import { loadSample, readManifest } from './load-sample.ts';

const MANIFEST = {
  name: 'Demo',
  note: 'Invented.',
  authors_url: 'https://guide.example',
  catalog_url: 'https://archive.example',
  made_at: '2026-01-31T12:00:00Z',
  faults: [],
};

function directoryWith(manifest: unknown): string {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-sample-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'archive.json'), JSON.stringify(manifest));
  return directory;
}

it('reads the manifest of an embedded archive', () => {
  expect(readManifest(directoryWith(MANIFEST))).toEqual(MANIFEST);
});

it.each([
  ['a list', []],
  ['no name', { ...MANIFEST, name: undefined }],
  ['a number as a note', { ...MANIFEST, note: 1 }],
  ['no URL', { ...MANIFEST, catalog_url: 'archive' }],
  ['no moment', { ...MANIFEST, made_at: 'yesterday' }],
  ['faults that are not a list', { ...MANIFEST, faults: 'all' }],
])('rejects a manifest with %s, and reports it in one sentence', (_, manifest) => {
  expect(() => readManifest(directoryWith(manifest))).toThrow(UserError);
  expect(() => readManifest(directoryWith(manifest))).toThrow(/archive\.json does not describe an archive: .+\.$/);
});

it('gives media files the kinds that the records name, so that a build reads transcripts', () => {
  const kinds = new Map(readMediaRows(loadSample(SAMPLE)).map(({ path, kind }) => [path?.split('/').at(-1), kind]));
  const expected = {
    'lica-ferry-1-3-1-transcript-9f4127bb54.pdf': 'transcript',
    'lica-ferry-1-1-1-transcript-6b72dd8c24.vtt': 'transcript',
    'lica-ferry-1-1-1.mp3': 'audio',
    'lica-ferry-1-1-1.mp4': 'video',
    'lica-ferry-1-1-1.mpg': 'original',
    'lica-ferry-1-3-2.mp4': 'image', // may only be streamed: its record names no file
  };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, kinds.get(name)]))).toEqual(expected);
});
