/** Updates the records in a catalogue file one by one, and notes what differs from the earlier catalogue. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { compareIds } from '../model/ids.ts';
import { bytesOf, NO_NUMBER, type Order, readOrder } from './catalogue-schema.ts';
import type { ObjectEntry } from './entries.ts';
import { formatPeople, parsePeople, peopleOf } from './named-people.ts';
import { identifyPeople, type NamedPeople } from './people.ts';
import { createDifferences, type Differences, type EarlierRow } from './record-differences.ts';
import { RECORD_COLUMNS, toColumns } from './record-rows.ts';

/** An update of the records in a catalogue file. */
export interface RecordUpdate {
  db: DatabaseSync;
  /** Whether the file had no catalogue, so that nothing is compared. */
  isNew: boolean;
  /** What differs from the earlier catalogue. */
  differences: Differences;
  /** Whether the earlier catalogue had the entry of a record that was made from its own body. */
  hadBody(id: string): boolean;
  /**
   * Writes an entry, unless the file has the same one. Called once for each ID. The people of the entry are those whom its own body names.
   */
  put(entry: ObjectEntry): void;
  /** Removes all other entries. Called after all were written, so that no new record has the number of a removed one, and before `identify`. */
  removeOthers(isShown: (id: string) => boolean): void;
  /** Identifies the people of all entries, if any of them names other people than before. */
  identify(): void;
  /** Writes what is known of each record by its number. Called when the entries are complete. */
  rank(): Order;
}

/** Begins the update of a catalogue file. */
export function openRecordUpdate(db: DatabaseSync, isNew: boolean): RecordUpdate {
  const known = readKnown(db);
  const { select, write, remove } = prepareStatements(db);
  const differences = createDifferences(isNew);
  const people = createPeopleUpdate(db, isNew, differences);
  return {
    ...{ db, isNew, differences },
    hadBody: (id) => known.get(id) === 0,
    put(entry) {
      const { id } = entry;
      const row = known.has(id) ? (select.get(id) as unknown as EarlierRow) : undefined;
      const now = toColumns(entry);
      const isWritten = differences.compare(id, row, now);
      const number = isWritten ? numberIn(write.get(id, ...RECORD_COLUMNS.map((name) => now[name]))) : (row?.number as number);
      differences.noteNumber(number, row, now);
      if (row && row.is_partial !== now.is_partial && row.named !== null) people.noteOrder();
      people.put(id, number, formatPeople(peopleOf(entry)), row);
    },
    removeOthers(isShown) {
      const ids = Iterator.from(db.prepare('SELECT id FROM record').iterate()).map((row) => String(row['id']));
      for (const id of ids.filter((each) => !isShown(each)).toArray()) {
        const row = select.get(id) as unknown as EarlierRow;
        people.remove(row);
        differences.noteRemoved(id, row);
        remove.run(row.number);
      }
    },
    identify: people.identify,
    rank: () => (differences.isReordered() ? writeOrder(db) : readOrder(db)),
  };
}

function numberIn(row: Record<string, unknown> | undefined): number {
  return Number(row?.['number']);
}

/** Returns whether each record of the earlier catalogue is partial: 0 or 1, by ID. */
function readKnown(db: DatabaseSync): ReadonlyMap<string, unknown> {
  const rows = db.prepare('SELECT id, is_partial FROM record').iterate();
  return new Map(Array.from(rows, ({ id, is_partial: isPartial }) => [String(id), isPartial]));
}

function prepareStatements(db: DatabaseSync): Record<'select' | 'write' | 'remove', StatementSync> {
  const names = RECORD_COLUMNS.join(', ');
  const values = RECORD_COLUMNS.map(() => '?').join(', ');
  const replaced = RECORD_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ');
  return {
    select: db.prepare(`SELECT number, ${names}, named, identified FROM record LEFT JOIN people USING (number) WHERE id = ?`),
    write: db.prepare(
      `INSERT INTO record (id, ${names}) VALUES (?, ${values}) ON CONFLICT (id) DO UPDATE SET ${replaced} RETURNING number`,
    ),
    remove: db.prepare('DELETE FROM record WHERE number = ?'),
  };
}

/** Records whose people are identified at a time. */
const BATCH = 10_000;

/** Returns what updates the people of records. */
function createPeopleUpdate(db: DatabaseSync, isNew: boolean, { notePeople }: Differences) {
  const write = db.prepare('INSERT OR REPLACE INTO people (number, named, identified) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM people WHERE number = ?');
  /** Whether anyone is named otherwise than before, or in another order. */
  let isDifferent = false;
  /** What the earlier catalogue showed of the people of records that name others now, by number. */
  const shownBefore = new Map<number, string | null>();
  return {
    noteOrder() {
      isDifferent = true;
    },
    put(id: string, number: number, now: string | null, row: EarlierRow | undefined): void {
      const before = row?.identified ?? null;
      // Whom other records show is known after `identify`.
      if (now === null && before !== null) notePeople(id);
      if (now === (row?.named ?? null)) return;
      isDifferent = true;
      if (now === null) remove.run(number);
      else write.run(number, now, '');
      if (!isNew) shownBefore.set(number, before);
    },
    remove({ number, named }: EarlierRow): void {
      isDifferent ||= named !== null;
      remove.run(number);
    },
    identify(): void {
      if (!isDifferent) return;
      const identified = identifyPeople(namedPeople(db));
      const next = db.prepare(
        `SELECT number, id, named, identified FROM people JOIN record USING (number) WHERE number > ? ORDER BY number LIMIT ${BATCH}`,
      );
      let rows = next.all(-1);
      for (; rows.length > 0; rows = next.all(numberIn(rows.at(-1)))) {
        for (const row of rows) {
          const [number, named] = [numberIn(row), String(row['named'])];
          const now = formatPeople(identified(parsePeople(named))) as string;
          if (now === row['identified']) continue;
          write.run(number, named, now);
          const before = shownBefore.get(number) ?? row['identified'];
          if (now !== before) notePeople(String(row['id']));
        }
      }
    },
  };
}

/** Yields the people whom records name, in the order of records in a catalogue. */
function* namedPeople(db: DatabaseSync): Generator<NamedPeople> {
  const rows = db.prepare('SELECT named FROM people JOIN record USING (number) ORDER BY is_partial, id').iterate();
  for (const { named } of rows) yield parsePeople(String(named));
}

/** Orders records by ID. Writes what is known of each by its number. */
function writeOrder(db: DatabaseSync): Order {
  const { ranks: before } = readOrder(db);
  const records = Array.from(db.prepare('SELECT number, id, model, parent, has_media FROM record').iterate(), (row) => ({
    number: numberIn(row),
    id: String(row['id']),
    model: Number(row['model']),
    parent: row['parent'] as string | null,
    hasMedia: Number(row['has_media']),
  }));
  const rankBefore = ({ number }: { number: number }) => before[number] ?? NO_NUMBER;
  // Most are in the order of before already, which makes sorting fast.
  records.sort((a, b) => rankBefore(a) - rankBefore(b)).sort((a, b) => compareIds(a.id, b.id));
  const length = records.reduce((max, { number }) => Math.max(max, number + 1), 0);
  const numbers = new Map(records.map(({ id, number }) => [id, number]));
  const [models, media] = [new Uint8Array(length), new Uint8Array(length)];
  const [parents, ranks] = [new Uint32Array(length).fill(NO_NUMBER), new Uint32Array(length).fill(NO_NUMBER)];
  for (const [rank, { number, model, parent, hasMedia }] of records.entries()) {
    models[number] = model;
    media[number] = hasMedia;
    ranks[number] = rank;
    if (parent !== null) parents[number] = numbers.get(parent) ?? NO_NUMBER;
  }
  const put = db.prepare('INSERT OR REPLACE INTO attribute (name, numbers) VALUES (?, ?)');
  put.run('models', models);
  put.run('media', media);
  put.run('parents', bytesOf(parents));
  put.run('ranks', bytesOf(ranks));
  return { ranks, ordered: Uint32Array.from(records, ({ number }) => number) };
}
