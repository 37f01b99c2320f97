import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDerivativeCache } from './derivative-cache.ts';
import { ToolLimitError } from './tools.ts';

it('lets several builds create the same file or directory at the same time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const builds = [createDerivativeCache(directory), createDerivativeCache(directory), createDerivativeCache(directory)];
  const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const files = await Promise.all(
    builds.map((cache, i) =>
      cache.getOrCreate('checksum', 1, '.webp', async (to) => {
        writeFileSync(to, 'part');
        await delay(10 * i);
        writeFileSync(to, 'complete');
      }),
    ),
  );
  const directories = await Promise.all(
    builds.map((cache, i) =>
      cache.getOrCreate('checksum', 1, '.tiles', async (to) => {
        mkdirSync(to);
        await delay(10 * i);
        writeFileSync(join(to, 'tile'), 'complete');
      }),
    ),
  );
  for (const { file } of files) expect(readFileSync(file, 'utf8')).toBe('complete');
  for (const { file } of directories) expect(readFileSync(join(file, 'tile'), 'utf8')).toBe('complete');
  expect(readdirSync(directory)).toHaveLength(2);
});

it('does not run into a limit again with the same file and settings, in the next build either', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let attempts = 0;
  const fail = (error: Error, settings: number) =>
    createDerivativeCache(directory)
      .getOrCreate('checksum', settings, '.webp', () => {
        attempts++;
        return Promise.reject(error);
      })
      .catch((thrown: Error) => [thrown.constructor, thrown.message]);
  const limit = new ToolLimitError('pdftoppm exceeded the time limit');
  for (let i = 0; i < 2; i++) expect(await fail(limit, 1)).toEqual([ToolLimitError, limit.message]);
  expect(attempts).toBe(1);
  await fail(limit, 2);
  expect(attempts).toBe(2);
  // Another failure may have other causes than the file.
  for (let i = 0; i < 2; i++) await fail(new Error('no memory'), 3);
  expect(attempts).toBe(4);
});
