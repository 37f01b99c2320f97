/** A column is read as what it should hold, or not at all. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { UserError } from '../model/errors.ts';
import { readBytes, readInteger, readIntegerOrNull, readText, readTextOrNull, WrongColumn } from './rows.ts';

const db = new DatabaseSync(':memory:');
const row = db.prepare(`SELECT 'a' AS text, 7 AS number, 0.5 AS real, x'00ff' AS bytes, NULL AS none`).get();

it('reads columns that hold what they should', () => {
  expect([readText(row, 'text'), readInteger(row, 'number'), [...readBytes(row, 'bytes')]]).toEqual(['a', 7, [0, 255]]);
  expect([readTextOrNull(row, 'none'), readIntegerOrNull(row, 'none'), readTextOrNull(row, 'text')]).toEqual([null, null, 'a']);
});

it.each([
  [readText, 'number', 'a number is not text'],
  [readText, 'none', 'NULL is not text'],
  [readInteger, 'text', 'text is no number'],
  [readInteger, 'real', 'a fraction is no whole number'],
  [readBytes, 'text', 'text is not bytes'],
  [readTextOrNull, 'bytes', 'bytes are neither text nor NULL'],
  [readIntegerOrNull, 'elsewhere', 'there is no such column'],
] as const)('throws an error with a name and a sentence: %o of %s, since %s', (read, column, _) => {
  expect(() => read(row, column)).toThrow(WrongColumn);
  expect(() => read(row, column)).toThrow(UserError);
  expect(() => read(row, column)).toThrow(`The column ${column} of a database holds `);
  expect(() => read(undefined, column)).toThrow(WrongColumn);
});
