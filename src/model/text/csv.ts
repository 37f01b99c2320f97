/** Formats lines of CSV (RFC 4180) that are harmless if a spreadsheet opens them. */

/** The end of each line, as RFC 4180 demands. */
export const LINE_END = '\r\n';

/** The content of a cell. */
export type CsvValue = string | number | null;

/**
 * What a spreadsheet may take for the beginning of a formula: a sign at the start of a cell, or after a semicolon, which
 * separates cells in many countries. Quotation marks and white space, which the spreadsheet removes, invisible characters, and
 * our own apostrophes may precede it.
 */
const FORMULA_START = /(^|;)(?=[\s\p{Cc}\p{Cf}'"]*[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;

/**
 * Returns text that no spreadsheet takes for a formula: with an apostrophe before what would begin one. It can be undone:
 * removing one apostrophe at each of these places gives the text again.
 */
export const disarmFormulas = (text: string): string => text.replace(FORMULA_START, "$1'");

/** Returns a line of a CSV file. */
export const formatLine = (cells: readonly CsvValue[]): string => `${cells.map(formatCell).join(',')}${LINE_END}`;

function formatCell(cell: CsvValue): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = disarmFormulas(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
