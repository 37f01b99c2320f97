import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { containedIn } from '../platform/contained.ts';
import { explain, isExpected, UsageError, UserError } from './errors.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-errors-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('D40: says in words what the system says in codes', () => {
  const top = folder();
  const file = join(top, 'file');
  writeFileSync(file, '');
  writeFileSync(join(top, 'letter.sqlite'), 'a letter '.repeat(200));
  const said = (work: () => unknown) => {
    const error = thrownBy(work);
    expect(isExpected(error)).toBe(true);
    return explain(error).replaceAll(top, '…');
  };
  expect(said(() => readFileSync(top))).toMatch(/^A path that was named is a folder, where a file is wanted/);
  expect(said(() => readFileSync(join(top, 'none')))).toBe('There is no …/none: it may have been moved while it was needed.');
  expect(said(() => readFileSync(join(file, 'x')))).toMatch(/^…\/file\/x: a part of this path is a file/);
  expect(said(() => mkdirSync(file, { recursive: true }))).toMatch(/^…\/file is there already, and is no folder/);
  expect(said(() => new DatabaseSync(join(top, 'none/x.sqlite')))).toMatch(/folder cannot be written/);
  expect(said(() => containedIn(top).at('../x'))).toMatch(/^\.\.\/x: it leads out of its folder\. .*tampered with/);
  const cause = Object.assign(new Error('open'), { code: 'EMFILE' });
  expect(said(() => void thrower(new Error('outer', { cause })))).toMatch(/^Too many files are open/);
});

it('leaves alone what is a defect of ours', () => {
  expect(isExpected(new TypeError('x is not a function'))).toBe(false);
  expect(explain(new TypeError('x is not a function'))).toBe('x is not a function');
  expect(isExpected(Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBe(false);
  expect(isExpected(thrownBy(() => new DatabaseSync(':memory:').exec('SELECT * FROM none')))).toBe(false);
});

it('keeps a user’s own message', () => {
  expect([explain(new UserError('Do this.')), explain(new UsageError('Not that.'))]).toEqual(['Do this.', 'Not that.']);
});

function thrower(error: Error): never {
  throw error;
}
