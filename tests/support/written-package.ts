/** A package of a small file, a large one that arrives in pieces, and an empty one with a long path. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { PackageForm } from '../../src/export/package/create-sink.ts';
import { openPackage } from '../../src/export/package/package-writer.ts';

/** Of a target that Microfiche did not export. */
export const never = () => Promise.resolve(false);
/** The content of the large file. */
export const LARGE = Buffer.alloc(3_000_000, 'lantern ');

/** Writes the package. */
export async function writePackage(target: string, form: PackageForm, isOwn = never): Promise<void> {
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
