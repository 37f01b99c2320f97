import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type KeyedPage, openPageCache } from './page-cache.ts';

const page = (path: string, key: string | undefined): KeyedPage => ({ path, route: 'objects/[id]', params: {}, key });

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-page-cache-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it('renders pages that are new, have another key or none, failed in the last build, or have no file', () => {
  const dir = directory();
  const pages = [page('same', 'a'), page('changed', 'b'), page('failed', 'c'), page('lost', 'd'), page('every-time', undefined)];
  openPageCache(dir, 'build key', () => false).store(pages, (path) => path === 'failed');
  const next = openPageCache(dir, 'build key', (path) => path !== 'lost');
  const now = [...pages.filter(({ path }) => path !== 'changed'), page('changed', 'B'), page('new', 'e')];
  expect(now.filter((one) => next.isStale(one)).map(({ path }) => path)).toEqual([
    'failed',
    'lost',
    'every-time',
    'changed',
    'new',
  ]);
});

it('renders all pages if the build key has changed', () => {
  const dir = directory();
  openPageCache(dir, 'one', () => true).store([page('same', 'a')], () => false);
  expect(openPageCache(dir, 'one', () => true).isStale(page('same', 'a'))).toBe(false);
  expect(openPageCache(dir, 'two', () => true).isStale(page('same', 'a'))).toBe(true);
});
