import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDerivativeCache } from './derivative-cache.ts';

it('D34: lets several builds create the same file or directory at the same time', async () => {
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
