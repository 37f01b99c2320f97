/** Reads everything in a catalogue file, in a form that can be compared: with IDs instead of the numbers of records. */
import type { DatabaseSync } from 'node:sqlite';
import { NO_NUMBER, numbersIn } from '../../src/catalogue/catalogue-schema.ts';

/** Returns all rows of a catalogue file by table, without the stamp of the snapshot. */
export function contentOf(db: DatabaseSync): Record<string, unknown> {
  const all = (sql: string): Array<Record<string, unknown>> => db.prepare(sql).all();
  const ids = new Map(all('SELECT number, id FROM record').map(({ number, id }) => [Number(number), String(id)]));
  const named = (blob: unknown) => Array.from(numbersIn(blob), (number) => ids.get(number) ?? 'none');
  const lists = (table: string) => all(`SELECT * FROM ${table}`).map((row) => ({ ...row, numbers: named(row['numbers']) }));
  const attribute = (name: string) => all(`SELECT numbers FROM attribute WHERE name = '${name}'`)[0]?.['numbers'];
  const [models, media, parents, ranks] = [
    attribute('models'),
    attribute('media'),
    numbersIn(attribute('parents')),
    numbersIn(attribute('ranks')),
  ];
  const parentOf = (number: number) => (parents[number] === NO_NUMBER ? undefined : ids.get(parents[number] as number));
  return {
    ...Object.fromEntries(['body', 'live_page', 'lookup'].map((table) => [table, all(`SELECT * FROM ${table}`)])),
    ...Object.fromEntries(['below', 'term'].map((table) => [table, lists(table)])),
    record: all('SELECT * FROM record LEFT JOIN people USING (number) ORDER BY id').map((row) => ({ ...row, number: undefined })),
    people: all('SELECT count(*) AS count FROM people'),
    narrator: all('SELECT key, id FROM narrator JOIN record USING (number) ORDER BY key, id'),
    narrators: all('SELECT count(*) AS count FROM narrator'),
    state: all("SELECT * FROM state WHERE name <> 'stamp'"),
    attributes: [...ids]
      .sort(([a], [b]) => (ranks[a] as number) - (ranks[b] as number))
      .map(([number, id]) => {
        return {
          id,
          rank: ranks[number],
          model: (models as Uint8Array)[number],
          media: (media as Uint8Array)[number],
          parent: parentOf(number),
        };
      }),
  };
}
