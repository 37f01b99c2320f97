/** Writes tables as Parquet, one row group after the other. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { VERSION } from '../../model/version.ts';
import { daysSince1970 } from './dates.ts';
import type { ColumnType, RowFile, TableInfo, Value } from './table.ts';

/** Rows of a row group, and characters of their texts: what is in memory at a time. */
const [MAX_ROWS, MAX_CHARACTERS] = [10_000, 4_000_000];

type Element = Omit<ConstructorParameters<typeof ParquetWriter>[0]['schema'][number], 'name' | 'repetition_type'>;

const ELEMENTS: Readonly<Record<ColumnType, Element>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE' },
};

/** Creates a Parquet file. */
export function createParquetFile(path: string, { columns, primaryKey }: TableInfo): RowFile {
  const open = new DisposableStack();
  const descriptor = open.adopt(openSync(path, 'wx'), closeSync);
  const parquet = new ParquetWriter({
    writer: createOutput(descriptor),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({
        name,
        ...ELEMENTS[type],
        repetition_type: primaryKey.includes(name) ? ('REQUIRED' as const) : ('OPTIONAL' as const),
      })),
    ],
    createdBy: `Microfiche version ${VERSION}`,
  });
  let rows: Array<readonly Value[]> = [];
  let characters = 0;
  const flush = () => {
    if (rows.length === 0) return;
    const columnData = columns.map(({ name, type }, i) => ({
      name,
      data: rows.map((row) => encode(row[i] as Value, type)),
    }));
    void parquet.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    characters = 0;
  };
  const close = () => open.dispose();
  return {
    write(row) {
      rows.push(row);
      for (const cell of row) characters += typeof cell === 'string' ? cell.length : 8;
      if (rows.length >= MAX_ROWS || characters >= MAX_CHARACTERS) flush();
    },
    finish() {
      flush();
      void parquet.finish();
      close();
    },
    close,
  };
}

/** Returns a writer that holds only what was written since the last row group. It is synchronous. */
function createOutput(descriptor: number): ByteWriter & { flush: () => void } {
  const writer = new ByteWriter();
  const flush = () => {
    writeFileSync(descriptor, writer.getBytes());
    writer.index = 0;
  };
  return Object.assign(writer, { flush, finish: flush });
}

function encode(cell: Value, type: ColumnType): Value | bigint {
  if (cell === null) return null;
  if (type === 'integer') return BigInt(cell);
  return type === 'date' ? daysSince1970(String(cell)) : cell;
}
