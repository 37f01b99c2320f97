/** The index of the WARC records in a WACZ (CDXJ). */
import { DatabaseSync } from 'node:sqlite';
import { surtOf } from './warc.ts';

/** What the index says of a record. */
export interface CdxEntry {
  url: string;
  date: string;
  mime: string;
  status: number;
  /** Of the payload, hexadecimal. */
  sha256: string;
}

/** An index that is being made. */
export interface CdxIndex {
  /** Adds a record that is at `offset` in a WARC file of the directory `archive`. */
  add(entry: CdxEntry & { offset: number; length: number; filename: string }): void;
  /** Yields the lines, sorted. */
  lines(): AsyncGenerator<Buffer>;
  close(): void;
}

/** Begins an index. It is collected in `file`, since that of a large archive may exceed the memory. */
export function createCdxIndex(file: string): CdxIndex {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE line (text TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO line VALUES (?)');
  return {
    add({ url, date, mime, status, sha256, offset, length, filename }) {
      const time = date.replace(/\.\d+/, '').replace(/\D/g, '').slice(0, 14);
      const fields = {
        url,
        mime,
        status: String(status),
        digest: `sha256:${sha256}`,
        length: String(length),
        offset: String(offset),
        filename,
      };
      insert.run(`${surtOf(url)} ${time} ${JSON.stringify(fields)}`);
    },
    async *lines() {
      for (const { text } of db.prepare('SELECT text FROM line ORDER BY text').iterate()) yield Buffer.from(`${String(text)}\n`);
    },
    close: () => db.close(),
  };
}
