import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCache } from './cache.ts';

it('D34: two builds may make the same file or folder at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'microfiche-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const builds = [createCache(folder), createCache(folder), createCache(folder)];
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const files = await Promise.all(
    builds.map((cache, i) =>
      cache.keep('sum', 1, '.webp', async (to) => {
        writeFileSync(to, 'half');
        await later(10 * i);
        writeFileSync(to, 'whole');
      }),
    ),
  );
  const folders = await Promise.all(
    builds.map((cache, i) =>
      cache.keep('sum', 1, '.tiles', async (to) => {
        mkdirSync(to);
        await later(10 * i);
        writeFileSync(join(to, 'tile'), 'whole');
      }),
    ),
  );
  for (const { file } of files) expect(readFileSync(file, 'utf8')).toBe('whole');
  for (const { file } of folders) expect(readFileSync(join(file, 'tile'), 'utf8')).toBe('whole');
  expect(readdirSync(folder)).toHaveLength(2);
});
