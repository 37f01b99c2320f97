/** The snapshot of the sample archive, and of others in the same readable form. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { loadSample, readManifest, writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import { describeError, isExpected, UserError } from '../../src/model/errors.ts';
import { readMediaRows } from '../../src/snapshot/read.ts';
import { createTestDirectory, ROOT, runMicrofiche, SAMPLE } from '../support/commands.ts';

const MANIFEST = {
  name: 'Demo',
  note: 'Invented.',
  authors_url: 'https://guide.example',
  catalog_url: 'https://archive.example',
  made_at: '2026-01-31T12:00:00Z',
};

function directoryWith(manifest: unknown): string {
  const directory = createTestDirectory();
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

function copySample(): string {
  const archive = join(createTestDirectory(), 'sample');
  cpSync(SAMPLE, archive, { recursive: true });
  return archive;
}

it('writes the same bytes each time, and the file only if it differs', () => {
  const archive = copySample();
  const file = join(archive, 'snapshot.sqlite');
  rmSync(file);
  writeSampleSnapshot(archive);
  expect(readFileSync(file).equals(readFileSync(join(SAMPLE, 'snapshot.sqlite')))).toBe(true);
  const { ino } = statSync(file);
  writeSampleSnapshot(archive);
  expect(statSync(file).ino).toBe(ino);
  rmSync(join(archive, 'objects/lica-quay-1-1.json'));
  writeSampleSnapshot(archive);
  expect(statSync(file).ino).not.toBe(ino);
  expect(readdirSync(archive).filter((name) => name.startsWith('snapshot.sqlite'))).toEqual(['snapshot.sqlite']);
});

it('is a snapshot that passes its audit', async () => {
  expect(await runMicrofiche(['verify', '--snapshot', SAMPLE])).toMatchObject({ code: 0, stderr: '' });
});

it('reports in one sentence that npm has not written it', async () => {
  const command = ['scripts/bin.mjs', 'mirror'];
  const program = createTestDirectory();
  for (const name of ['scripts', 'src', 'content/sample', 'package.json'])
    cpSync(join(ROOT, name), join(program, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(program, 'node_modules'));
  rmSync(join(program, 'content/sample/snapshot.sqlite'));
  const { exitCode, stderr } = await execa(process.execPath, command, { cwd: program, reject: false });
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^microfiche: [^\n]+ Run "npm run prepare" [^\n]+$/)]);
  await execa('npm', ['run', 'prepare'], { cwd: program });
  expect(existsSync(join(program, 'content/sample/snapshot.sqlite'))).toBe(true);
});

const CANARY = 'canary: no command may read this';

it.each(['archive.json', 'authors.json', 'objects/lica-ferry-1-1-1.json', 'sources/ls-1-1.json'])(
  'is rejected in one sentence if %s is not JSON, and never quoted',
  (name) => {
    const archive = copySample();
    expect(existsSync(join(archive, name))).toBe(true);
    for (const text of [CANARY, 'null']) {
      writeFileSync(join(archive, name), text);
      const message = messageOf(() => writeSampleSnapshot(archive));
      expect(message).toMatch(/^[^\n]+$/);
      expect(message).not.toContain('canary');
    }
  },
);

it('is not read through a symbolic link to a file', () => {
  const archive = copySample();
  const canary = join(archive, '../canary.txt');
  writeFileSync(canary, CANARY);
  rmSync(join(archive, 'archive.json'));
  symlinkSync(canary, join(archive, 'archive.json'));
  expect(messageOf(() => writeSampleSnapshot(archive))).not.toContain('canary');
});

it.each(['objects', 'media', 'articles'])('is not read through a symbolic link at the path of %s', (name) => {
  const archive = copySample();
  const outside = join(archive, '../outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.json'), JSON.stringify({ id: 'lica-1', title: CANARY }));
  rmSync(join(archive, name), { recursive: true });
  symlinkSync(outside, join(archive, name));
  expect(messageOf(() => writeSampleSnapshot(archive))).toMatch(/^[^\n]*symbolic link[^\n]*$/);
});

/** Returns the message of the expected error that a function throws. */
function messageOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (isExpected(error)) return describeError(error);
    throw error;
  }
  throw new Error('nothing was thrown');
}
