/** Writes tables as CSV in UTF-8. */
import { formatLine } from '../../model/text/csv.ts';
import { createTextFile } from '../text-file.ts';
import type { TableInfo, Value } from './table.ts';

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
  const { add, flush, close } = createTextFile(path);
  add(formatLine(columns.map(({ name }) => name)));
  return {
    write: (row) => add(formatLine(row)),
    finish() {
      flush();
      close();
    },
    close,
  };
}
