import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../../tests/support/commands.ts';
import { LARGE, never, writePackage } from '../../../tests/support/written-package.ts';
import { openPackage } from './package-writer.ts';

const always = () => Promise.resolve(true);
it('writes a directory', async () => {
  const directory = createTestDirectory();
  await writePackage(join(directory, 'bag'), 'directory');
  expect(readFileSync(join(directory, 'bag/media/山/large.bin')).equals(LARGE)).toBe(true);
  expect(readdirSync(directory)).toEqual(['bag']);
});

it.each([
  ['is aborted', 'a.bin', true],
  ['cannot be written', `${'x'.repeat(300)}.bin`, false],
])('closes what a file is read from if it %s', async (_, path, isAborted) => {
  const writer = await openPackage(join(createTestDirectory(), 'bag'), { form: 'directory', isOwn: never });
  let [isOpen, isClosed] = [false, false];
  const read = async function* () {
    try {
      for (;;) {
        isOpen = true;
        yield LARGE;
      }
    } finally {
      isClosed = true;
    }
  };
  const added = writer.add(path, { size: 1e12, read });
  const failed = expect(added).rejects.toThrow();
  await expect.poll(() => isOpen).toBe(true);
  if (isAborted) await writer.abort();
  await failed;
  expect(isClosed).toBe(true);
  if (!isAborted) await writer.abort();
});

it('leaves nothing behind if it is aborted, and deletes what an interrupted export left', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'bag.zip');
  const writer = await openPackage(target, { form: 'zip', isOwn: never });
  await writer.add('a.txt', Buffer.from('nets'));
  expect(existsSync(target)).toBe(false);
  await writer.abort();
  expect(readdirSync(directory)).toEqual([]);
  mkdirSync(join(directory, '.bag.zip.exporting-abc123'));
  await writePackage(target, 'zip');
  expect(readdirSync(directory)).toEqual(['bag.zip']);
});

it('replaces only what is its own, and never writes through a link', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'bag');
  mkdirSync(target);
  await writePackage(target, 'directory'); // an empty directory can be replaced
  await expect(writePackage(target, 'directory')).rejects.toThrow(/exists, and Microfiche did not export it/);
  await writePackage(target, 'directory', always);
  expect(readdirSync(directory)).toEqual(['bag']);
  writeFileSync(join(directory, 'file'), 'mine');
  symlinkSync(join(directory, 'file'), join(directory, 'link'));
  await expect(writePackage(join(directory, 'link'), 'zip', always)).rejects.toThrow(/exists/);
  expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('mine');
});

it('rejects a second export to the same target', async () => {
  const target = join(createTestDirectory(), 'bag');
  const writer = await openPackage(target, { form: 'directory', isOwn: never });
  await expect(writePackage(target, 'directory')).rejects.toThrow(/Another process is exporting/);
  await writer.abort();
});

it.each([0, 1, 1024 * 1024, 2_500_001])('copies a file of %i bytes into a directory, with its checksum', async (size) => {
  const directory = createTestDirectory();
  const source = join(directory, 'source.bin');
  const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 12)) % 251));
  writeFileSync(source, bytes);
  const target = join(directory, 'package');
  let written = 0;
  const onBytes = (more: number) => {
    written += more;
  };
  const writer = await openPackage(target, { form: 'directory', isOwn: never, onBytes });
  const digest = await writer.add('media/copy.bin', { file: source });
  await writer.finish();
  expect(digest).toEqual({ size, checksums: { sha256: createHash('sha256').update(bytes).digest('hex') } });
  expect(readFileSync(join(target, 'media/copy.bin')).equals(bytes)).toBe(true);
  expect(written).toBe(size);
});
