import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../../tests/support/commands.ts';
import type { PackageForm } from './create-sink.ts';
import { openPackage } from './package-writer.ts';

const never = () => Promise.resolve(false);
const always = () => Promise.resolve(true);
const LARGE = Buffer.alloc(3_000_000, 'lantern ');

async function write(target: string, form: PackageForm, isOwn = never): Promise<void> {
  const writer = await openPackage(target, { form, digests: ['sha256', 'sha512'], isOwn });
  expect(await writer.add('a.txt', Buffer.from('nets'))).toEqual({
    size: 4,
    checksums: {
      sha256: createHash('sha256').update('nets').digest('hex'),
      sha512: createHash('sha512').update('nets').digest('hex'),
    },
  });
  await writer.add('media/山/large.bin', {
    size: LARGE.length,
    read: async function* () {
      yield LARGE;
    },
  });
  await writer.add(`deep/${'x'.repeat(150)}/empty.txt`, new Uint8Array());
  await writer.finish();
}

it.each([
  ['zip', 'unzip', ['-q', '-o']],
  ['tar', 'tar', ['-xf']],
] as const)('writes a %s file that %s reads, the same bytes each time', async (form, program, flags) => {
  const directory = createTestDirectory();
  await write(join(directory, `one.${form}`), form);
  process.env['TZ'] = 'Asia/Tokyo';
  await write(join(directory, `two.${form}`), form);
  delete process.env['TZ'];
  expect(readFileSync(join(directory, `one.${form}`)).equals(readFileSync(join(directory, `two.${form}`)))).toBe(true);
  const out = join(directory, 'out');
  mkdirSync(out);
  await execa(program, [...flags, join(directory, `one.${form}`)], { cwd: out });
  expect(readFileSync(join(out, 'media/山/large.bin')).equals(LARGE)).toBe(true);
  expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('nets');
  expect(readdirSync(directory).sort()).toEqual([`one.${form}`, 'out', `two.${form}`]);
});

it('writes a directory', async () => {
  const directory = createTestDirectory();
  await write(join(directory, 'bag'), 'directory');
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
  await write(target, 'zip');
  expect(readdirSync(directory)).toEqual(['bag.zip']);
});

it('replaces only what is its own, and never writes through a link', async () => {
  const directory = createTestDirectory();
  const target = join(directory, 'bag');
  mkdirSync(target);
  await write(target, 'directory'); // an empty directory can be replaced
  await expect(write(target, 'directory')).rejects.toThrow(/exists, and Microfiche did not export it/);
  await write(target, 'directory', always);
  expect(readdirSync(directory)).toEqual(['bag']);
  writeFileSync(join(directory, 'file'), 'mine');
  symlinkSync(join(directory, 'file'), join(directory, 'link'));
  await expect(write(join(directory, 'link'), 'zip', always)).rejects.toThrow(/exists/);
  expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('mine');
});

it('rejects a second export to the same target', async () => {
  const target = join(createTestDirectory(), 'bag');
  const writer = await openPackage(target, { form: 'directory', isOwn: never });
  await expect(write(target, 'directory')).rejects.toThrow(/Another process is exporting/);
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
