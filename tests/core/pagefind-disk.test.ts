/** Pagefind on a full disk. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeError } from '../../src/model/errors.ts';
import { startPagefind } from '../../src/search/pagefind-process.ts';
import { canMount, mountSmallDisk } from '../support/commands.ts';

const createDocument = (n: number) => ({
  url: `/${n}`,
  content: Array.from({ length: 300 }, (_, word) => `${n}w${word}`).join(' '),
  language: 'p0',
  meta: {},
});

it.runIf(canMount())('says that the disk is full if Pagefind cannot write its index', async () => {
  const pagefind = await startPagefind('p0');
  await Promise.all(Array.from({ length: 300 }, (_, n) => pagefind.add(createDocument(n))));
  const error = await pagefind.write(join(mountSmallDisk(100), 'index')).catch((rejection: unknown) => rejection);
  expect(describeError(error)).toMatch(/^The disk is full\. Free some disk space/);
  pagefind.close();
});
