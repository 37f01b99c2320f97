import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { describeError, firstError, isExpected, UsageError, UserError } from './errors.ts';

function createDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-errors-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('explains error codes of the system in words', () => {
  const top = createDirectory();
  const file = join(top, 'file');
  writeFileSync(file, '');
  writeFileSync(join(top, 'letter.sqlite'), 'a letter '.repeat(200));
  const explained = (work: () => unknown) => {
    const error = catchError(work);
    expect(isExpected(error)).toBe(true);
    return describeError(error).replaceAll(top, '…');
  };
  expect(explained(() => readFileSync(top))).toMatch(/^A given path is a directory, not a file/);
  expect(explained(() => readFileSync(join(top, 'none')))).toBe(
    '…/none does not exist. It may have been moved while the command was running.',
  );
  expect(explained(() => readFileSync(join(file, 'x')))).toMatch(/^…\/file\/x: part of this path is a file/);
  expect(explained(() => mkdirSync(file, { recursive: true }))).toMatch(/^…\/file exists and is not a directory/);
  expect(explained(() => new DatabaseSync(join(top, 'none/x.sqlite')))).toMatch(/directory cannot be written/);
  expect(explained(() => toSafeDirectory(top).resolve('../x'))).toMatch(
    /^\.\.\/x: it points outside its directory\. .*tampered with/,
  );
  const cause = Object.assign(new Error('open'), { code: 'EMFILE' });
  expect(explained(() => void thrower(new Error('outer', { cause })))).toMatch(/^Too many open files/);
});

it.each(['ENOSPC', 'EDQUOT'])('names what could not be written if the disk is full (%s)', (code) => {
  const full = (facts: object) => describeError(Object.assign(new Error('write'), { code, syscall: 'write', ...facts }));
  const fix = 'The disk is full. Free some disk space, then run the same command again to resume';
  expect(full({})).toBe(`${fix}.`);
  expect(full({ path: '/usb/site/index.html' })).toBe(`${fix}: /usb/site/index.html could not be written.`);
  expect(full({ path: '/snapshot/a.jpg', dest: '/usb/site/a.jpg' })).toBe(`${fix}: /usb/site/a.jpg could not be written.`);
});

it('does not explain our own defects', () => {
  expect(isExpected(new TypeError('x is not a function'))).toBe(false);
  expect(describeError(new TypeError('x is not a function'))).toBe('x is not a function');
  expect(isExpected(Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBe(false);
  expect(isExpected(catchError(() => new DatabaseSync(':memory:').exec('SELECT * FROM none')))).toBe(false);
});

it('keeps the message of a UserError', () => {
  expect([describeError(new UserError('Do this.')), describeError(new UsageError('Not that.'))]).toEqual([
    'Do this.',
    'Not that.',
  ]);
});

function thrower(error: Error): never {
  throw error;
}

it('says what failed first, if closing a file failed too', () => {
  const first = new UsageError('A mistake.');
  const both = new SuppressedError(new Error('closing'), new SuppressedError(new Error('another'), first));
  expect(firstError(both)).toBe(first);
  expect(describeError(both)).toBe('A mistake.');
  expect(isExpected(both)).toBe(true);
});
