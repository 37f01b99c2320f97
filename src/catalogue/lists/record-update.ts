/** Updates the records in a catalogue file one by one. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ObjectEntry } from '../entries.ts';
import { formatPeople, parsePeople, peopleOf } from '../people/named-people.ts';
import { identifyPeople } from '../people/people.ts';
import { RECORD_COLUMNS, type RecordColumns, toColumns } from './record-rows.ts';

/** An update of the records in a catalogue file. */
export type RecordUpdate = ReturnType<typeof openRecordUpdate>;

/** The columns of a record in the earlier catalogue, and the people whom it names: null if there are none. */
type EarlierRow = RecordColumns & { number: number; named: string | null };

/** The columns on which lists depend. */
const LISTED_COLUMNS = [
  ...(['is_partial', 'model', 'parent', 'sort', 'has_media', 'live_url', 'positions', 'facets'] as const),
] as const satisfies ReadonlyArray<keyof RecordColumns>;

/** Begins the update of a catalogue file. */
export function openRecordUpdate(db: DatabaseSync) {
  /** Whether each record of the earlier catalogue is partial: 0 or 1, by ID. */
  const known: ReadonlyMap<unknown, unknown> = new Map(
    Array.from(db.prepare('SELECT id, is_partial FROM record').iterate(), ({ id, is_partial: isPartial }) => [id, isPartial]),
  );
  const { select, write, remove } = prepareStatements(db);
  const people = createPeopleUpdate(db);
  let areListsOutdated = false;
  return {
    /** Whether the earlier catalogue had the entry of a record that was made from its own body. */
    hadBody: (id: string) => known.get(id) === 0,
    /** Writes an entry, unless the file has the same one: once per ID. Its people are those whom its own body names. */
    put(entry: ObjectEntry) {
      const { id } = entry;
      const row = known.has(id) ? (select.get(id) as unknown as EarlierRow) : undefined;
      const now = toColumns(entry);
      const isDifferent = (name: keyof RecordColumns) => row?.[name] !== now[name];
      const number = RECORD_COLUMNS.some(isDifferent)
        ? numberIn(write.get(id, ...RECORD_COLUMNS.map((name) => now[name])))
        : (row?.number as number);
      areListsOutdated ||= LISTED_COLUMNS.some(isDifferent);
      people.put(number, formatPeople(peopleOf(entry)), row, isDifferent('is_partial'));
    },
    /** Removes all other entries: once all are written, so that no new record gets a removed one's number. Before `identify`. */
    removeOthers(isShown: (id: string) => boolean) {
      const ids = Iterator.from(db.prepare('SELECT id FROM record').iterate()).map((row) => String(row['id']));
      for (const id of ids.filter((each) => !isShown(each)).toArray()) {
        const row = select.get(id) as unknown as EarlierRow;
        people.put(row.number, null, row);
        remove.run(row.number);
        areListsOutdated = true;
      }
    },
    /** Identifies the people of all entries, if any of them names other people than before. */
    identify: people.identify,
    /** Whether the lists of the earlier catalogue may differ from those of the entries, which are complete. */
    areListsOutdated: () => areListsOutdated || people.isDifferent(),
  };
}

const numberIn = (row: Record<string, unknown> | undefined): number => Number(row?.['number']);

function prepareStatements(db: DatabaseSync): Record<'select' | 'write' | 'remove', StatementSync> {
  const names = RECORD_COLUMNS.join(', ');
  const values = RECORD_COLUMNS.map(() => '?').join(', ');
  const replaced = RECORD_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ');
  return {
    select: db.prepare(`SELECT number, ${names}, named FROM record LEFT JOIN people USING (number) WHERE id = ?`),
    write: db.prepare(
      `INSERT INTO record (id, ${names}) VALUES (?, ${values}) ON CONFLICT (id) DO UPDATE SET ${replaced} RETURNING number`,
    ),
    remove: db.prepare('DELETE FROM record WHERE number = ?'),
  };
}

/** Records whose people are identified at a time. */
const BATCH = 10_000;

function createPeopleUpdate(db: DatabaseSync) {
  const write = db.prepare('INSERT OR REPLACE INTO people (number, named, identified) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM people WHERE number = ?');
  /** Whether anyone is named otherwise than before, or in another order. */
  let isDifferent = false;
  return {
    isDifferent: () => isDifferent,
    put(number: number, now: string | null, row: EarlierRow | undefined, isReordered = false): void {
      isDifferent ||= isReordered && now !== null;
      if (now === (row?.named ?? null)) return;
      isDifferent = true;
      if (now === null) remove.run(number);
      else write.run(number, now, '');
    },
    identify(): void {
      if (!isDifferent) return;
      // In the order of records in a catalogue.
      const all = db.prepare('SELECT named FROM people JOIN record USING (number) ORDER BY is_partial, id').iterate();
      const identified = identifyPeople(Iterator.from(all).map(({ named }) => parsePeople(String(named))));
      const next = db.prepare(`SELECT * FROM people WHERE number > ? ORDER BY number LIMIT ${BATCH}`);
      let rows = next.all(-1);
      for (; rows.length > 0; rows = next.all(numberIn(rows.at(-1)))) {
        for (const row of rows) {
          const named = String(row['named']);
          const now = formatPeople(identified(parsePeople(named))) as string;
          if (now !== row['identified']) write.run(numberIn(row), named, now);
        }
      }
    },
  };
}
