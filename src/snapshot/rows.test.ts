/** Tests that a column is read with the expected type or rejected. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { UserError } from '../model/errors.ts';
import { MAX_VALUE_BYTES } from '../model/text/limits.ts';
import { blob, readBytes, readInteger, readText, text, WrongColumn } from './rows.ts';

const db = new DatabaseSync(':memory:');
const row = db.prepare(`SELECT 'a' AS text, 7 AS number, 0.5 AS real, x'00ff' AS bytes, NULL AS none`).get();

it('reads columns of the expected type', () => {
  expect([readText(row, 'text'), readInteger(row, 'number'), [...readBytes(row, 'bytes')]]).toEqual(['a', 7, [0, 255]]);
});

it.each([
  [readText, 'number', 'a number is not text'],
  [readText, 'none', 'NULL is not text'],
  [readInteger, 'text', 'text is not a number'],
  [readInteger, 'real', 'a fraction is not an integer'],
  [readBytes, 'text', 'text is not bytes'],
  [readInteger, 'elsewhere', 'the column does not exist'],
] as const)('throws WrongColumn, a UserError that names the column: %o of %s, since %s', (read, column, _) => {
  expect(() => read(row, column)).toThrow(WrongColumn);
  expect(() => read(row, column)).toThrow(UserError);
  expect(() => read(row, column)).toThrow(`The database column ${column} contains `);
  expect(() => read(undefined, column)).toThrow(WrongColumn);
});

it.each([
  ['bytes', "x'00'", [new Uint8Array([0]), null]],
  ['text', "'é'", [null, 'é']],
  ['bytes that are too large for a string', `zeroblob(${MAX_VALUE_BYTES + 1})`, [null, null]],
  ['text that is too large for a string', `CAST(zeroblob(${MAX_VALUE_BYTES + 1}) AS TEXT)`, [null, null]],
])('reads %s, or not', (_, value, expected) => {
  const db = new DatabaseSync(':memory:');
  const row = db.prepare(`SELECT ${blob('value')}, ${text('value', 'words')} FROM (SELECT ${value} AS value)`).get();
  expect([row?.['value'], row?.['words']]).toEqual(expected);
  db.close();
});
