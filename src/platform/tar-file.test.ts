import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { afterAll, expect, it } from 'vitest';
import { createSharedDirectory } from '../../tests/support/commands.ts';
import { openTar } from './tar-file.ts';

const shared = createSharedDirectory();
afterAll(shared.remove);

it('closes a file once only', async () => {
  const tar = openTar(join(shared.path, 'once.tar'));
  await tar.finish();
  const other = openSync(join(shared.path, 'other'), 'wx'); // gets the same descriptor
  tar[Symbol.dispose]();
  writeFileSync(other, 'x');
  closeSync(other);
  expect(readFileSync(join(shared.path, 'other'), 'utf8')).toBe('x');
});

it('states a size that the first TAR files could not have in a form of POSIX', async () => {
  const [file, size] = [join(shared.path, 'large.tar'), 2 ** 33];
  const tar = openTar(file);
  await expect(tar.add('data/large.mp4', size, [])).rejects.toThrow(`data/large.mp4 has 0 bytes, not ${size}.`);
  tar[Symbol.dispose]();
  expect(readFileSync(file, 'latin1')).toContain(`size=${size}\n`);
  expect(readFileSync(file).subarray(-512).toString('latin1', 124, 135)).toMatch(/^0+$/); // the field of the size has digits only
  const reader = extract();
  const entry = new Promise((resolve) => reader.once('entry', (header) => resolve({ name: header.name, size: header.size })));
  reader.write(readFileSync(file));
  expect(await entry).toEqual({ name: 'data/large.mp4', size });
});
