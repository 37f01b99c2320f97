/** Writes tables as CSV in UTF-8. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { formatLine } from '../../model/text/csv.ts';
import type { TableInfo, Value } from './table.ts';

const BUFFERED_LENGTH = 64 * 1024;

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
