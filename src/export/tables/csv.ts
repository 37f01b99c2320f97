/** Writes tables as CSV (RFC 4180) in UTF-8, harmless if a spreadsheet opens them. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { TableInfo, Value } from './table.ts';

/** The end of each line, as RFC 4180 demands. */
export const LINE_END = '\r\n';
const BUFFERED_LENGTH = 64 * 1024;

/**
 * What a spreadsheet may take for the beginning of a formula: a sign at the start of a cell, or after a semicolon, which separates cells in
 * many countries. Quotation marks, which the spreadsheet removes, and our own apostrophes may precede it.
 */
const FORMULA_START = /(^|;)(?=['"]*[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

/**
 * Returns text that no spreadsheet takes for a formula: with an apostrophe before each sign that would begin one. It can be undone: removing
 * one apostrophe at each of these places gives the text again.
 */
export function disarmFormulas(text: string): string {
  return text.replace(FORMULA_START, "$1'");
}

/** Returns a line of a CSV file. */
export function formatLine(cells: readonly Value[]): string {
  return `${cells.map(formatCell).join(',')}${LINE_END}`;
}

function formatCell(cell: Value): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = disarmFormulas(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A file that gets rows. */
export interface RowFile {
  write(row: readonly Value[]): void;
  /** Completes and closes the file. */
  finish(): void;
  /** Closes the file if it is open. */
  close(): void;
}

/** Creates a CSV file with a header. */
export function createCsvFile(path: string, { columns }: TableInfo): RowFile {
  const descriptor = openSync(path, 'wx');
  let isOpen = true;
  let buffered = formatLine(columns.map(({ name }) => name));
  const flush = () => {
    writeFully(descriptor, Buffer.from(buffered));
    buffered = '';
  };
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write(row) {
      buffered += formatLine(row);
      if (buffered.length >= BUFFERED_LENGTH) flush();
    },
    finish() {
      flush();
      close();
    },
    close,
  };
}

/**
 * Writes all bytes to an open file. One call of the system may write only some of them.
 * @throws {Error} of the file system.
 */
export function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}
