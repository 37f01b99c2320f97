import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { describeError } from '../model/errors.ts';
import { lockSite } from '../publish/files/site-lock.ts';
import { lockSnapshot } from '../snapshot/store.ts';
import { createDirectories } from './create-directory.ts';
import { openStaging } from './staging.ts';

const top = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
afterAll(() => rmSync(top, { recursive: true }));

const problemOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return describeError(error);
  }
};

it('creates all missing directories, and returns the first', () => {
  expect(createDirectories(join(top, 'a/b/c'))).toBe(join(top, 'a'));
  expect(createDirectories(join(top, 'a/b/d'))).toBe(join(top, 'a/b/d'));
  expect(createDirectories(join(top, 'a/b'))).toBeUndefined();
  expect(existsSync(join(top, 'a/b/c'))).toBe(true);
});

it('reports a file or a broken link in the path', () => {
  writeFileSync(join(top, 'file'), '');
  symlinkSync('nowhere', join(top, 'link'));
  expect(problemOf(() => createDirectories(join(top, 'file')))).toMatch(/exists and is not a directory/);
  expect(problemOf(() => createDirectories(join(top, 'file/a')))).toMatch(/part of this path is a file/);
  expect(problemOf(() => createDirectories(join(top, 'link/a')))).toMatch(/link exists and is not a directory/);
});

it.runIf(existsSync('/proc/self'))('ends in /proc, in which nothing can be created', () => {
  const works: Record<string, () => unknown> = {
    '/proc/foo': () => openStaging('/proc/foo/bar', 'exporting'),
    '/proc/.bar.importing.lock': () => openStaging('/proc/bar', 'importing'),
    '/proc/snapshot': () => lockSnapshot('/proc/snapshot/below'),
    '/proc/site': () => lockSite('/proc/site/below'),
  };
  for (const [path, work] of Object.entries(works))
    expect(problemOf(work)).toBe(`No permission to write ${path}. Choose another directory, or change its permissions.`);
});
