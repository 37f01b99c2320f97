/** Updates the records in a catalogue file one by one, and notes what differs from the earlier catalogue. */
import type { DatabaseSync } from 'node:sqlite';
import { compareIds } from '../model/ids.ts';
import { objectFileName } from '../platform/portability.ts';
import { bytesOf, NO_NUMBER, type Order, readOrder } from './catalogue-schema.ts';
import type { ObjectEntry } from './entries.ts';
import { FACETS, type Facet } from './facets.ts';
import { formatPeople, parsePeople, peopleOf } from './named-people.ts';
import { identifyPeople, type NamedPeople } from './people.ts';
import { READS } from './read-keys.ts';
import { parseFacets, RECORD_COLUMNS, type RecordColumns, toColumns } from './record-rows.ts';

/** Numbers of records that a site shows now and did not show before, that it shows otherwise, and that it does not show any more. */
export interface RecordChanges {
  added: number;
  changed: number;
  removed: number;
}

/** Lists of a catalogue that may differ from those of the earlier one. */
export type Differing = Facet | 'siblings' | 'narrators' | 'livePages';

/** An update of the records in a catalogue file. */
export interface RecordUpdate {
  db: DatabaseSync;
  /** Whether the file had no catalogue, so that nothing is compared. */
  isNew: boolean;
  /** Whether the earlier catalogue had the entry of a record that was made from its own body. */
  hadBody(id: string): boolean;
  /**
   * Writes an entry, unless the file has the same one. Called once for each ID. With `identify`, its people are those whom its own body names;
   * otherwise they are already identified.
   */
  put(entry: ObjectEntry, people: 'identify' | 'identified'): void;
  /** Removes all other entries. Called after all others were written, so that no new record has the number of a removed one. */
  removeOthers(isShown: (id: string) => boolean): void;
  /** Identifies the people of all entries, if any of them names other people than before. */
  identify(): void;
  /** Writes what is known of each record by its number. Called when the entries are complete. */
  rank(): Ranking;
  /** The lists that may differ; all if a record is new, or has another model or parent. */
  differs(list: Differing): boolean;
  /** The keys of reads whose results differ. */
  changed: Set<string>;
  changes(): RecordChanges;
}

/** The order of records, and those in another place than before. */
export interface Ranking extends Order {
  /** Whether a record is new, or has another model or parent than before. */
  isMoved(number: number): boolean;
}

/** Records whose people are identified at a time. */
const BATCH = 10_000;

/** Begins the update of a catalogue file. */
export function openRecordUpdate(db: DatabaseSync, isNew: boolean): RecordUpdate {
  const known = readKnown(db);
  const names = RECORD_COLUMNS.join(', ');
  const select = db.prepare(
    `SELECT number, ${names}, named, identified FROM record LEFT JOIN people USING (number) WHERE id = ?`,
  );
  const values = RECORD_COLUMNS.map(() => '?').join(', ');
  const replaced = RECORD_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ');
  const write = db.prepare(
    `INSERT INTO record (id, ${names}) VALUES (?, ${values}) ON CONFLICT (id) DO UPDATE SET ${replaced} RETURNING number`,
  );
  const writePeople = db.prepare('INSERT OR REPLACE INTO people (number, named, identified) VALUES (?, ?, ?)');
  const removePeople = db.prepare('DELETE FROM people WHERE number = ?');
  const removeRecord = db.prepare('DELETE FROM record WHERE number = ?');
  const [changed, differing, moved] = [new Set<string>(), new Set<Differing>(), new Set<number>()];
  const [added, otherwise] = [new Set<string>(), new Set<string>()];
  let removedCount = 0;
  let isAnyoneNamedOtherwise = false;
  /** What the earlier catalogue had of the people of entries whose bodies name others now, by number. */
  const identifiedBefore = new Map<number, unknown>();

  /** Notes what differs between a row, undefined for a new record, and what is in its place now. */
  function compare(id: string, row: Row | undefined, now: RecordColumns): boolean {
    if (isNew) return true;
    if (!row) {
      added.add(id);
      changed.add(READS.has(id)).add(READS.page(now.page)).add(READS.entry(id)).add(READS.listed(id));
      return true;
    }
    const isOtherwise = now.listed !== row['listed'] || now.own !== row['own'] || now.facets !== row['facets'];
    if (isOtherwise) noteChanged(id);
    if (now.listed !== row['listed']) changed.add(READS.listed(id));
    if (now.parent !== row['parent'] || now.model !== row['model'] || now.sort !== row['sort']) differing.add('siblings');
    if (now.live_url !== row['live_url'] || now.is_partial !== row['is_partial']) differing.add('livePages');
    if (now.facets !== row['facets'])
      for (const facet of differingFacets(parseFacets(row['facets']), parseFacets(now.facets))) differing.add(facet);
    return isOtherwise;
  }

  function noteChanged(id: string): void {
    if (!added.has(id)) otherwise.add(id);
    changed.add(READS.entry(id));
  }

  function notePeople(): void {
    for (const list of ['creator', 'person', 'narrators'] as const) differing.add(list);
  }

  /** Writes the people of an entry. `row` is that of the earlier catalogue. */
  function putPeople(id: string, number: number, named: string | null, row: Row | undefined, isIdentified: boolean): void {
    const [before, shownBefore] = [row?.['named'] ?? null, row?.['identified'] ?? null];
    if (isIdentified && named !== shownBefore) {
      notePeople();
      noteChanged(id);
    }
    if (named === before) return;
    isAnyoneNamedOtherwise = true;
    if (named !== null) writePeople.run(number, named, isIdentified ? named : '');
    else removePeople.run(number);
    if (isIdentified) return;
    if (named !== null) identifiedBefore.set(number, shownBefore);
    else if (shownBefore !== null) {
      notePeople();
      noteChanged(id);
    }
  }

  function remove(id: string, number: number): void {
    const row = select.get(id) as Row;
    if (row['named'] !== null) isAnyoneNamedOtherwise = true;
    if (added.delete(id) || isNew) return void [removePeople.run(number), removeRecord.run(number)];
    otherwise.delete(id);
    removedCount++;
    differing.add('siblings').add('livePages');
    if (row['named'] !== null) notePeople();
    for (const facet of Object.keys(parseFacets(row['facets']))) differing.add(facet as Facet);
    changed
      .add(READS.entry(id))
      .add(READS.listed(id))
      .add(READS.has(id))
      .add(READS.page(objectFileName(id)));
    removePeople.run(number);
    removeRecord.run(number);
  }

  return {
    ...{ db, isNew, changed },
    hadBody: (id) => known.get(id) === 0,
    put(entry, people) {
      const { id } = entry;
      const row = known.has(id) ? (select.get(id) as Row) : undefined;
      const now = toColumns(entry);
      const isOtherwise = compare(id, row, now);
      const number = Number(
        isOtherwise ? write.get(id, ...RECORD_COLUMNS.map((name) => now[name]))?.['number'] : row?.['number'],
      );
      if (!isNew && (row?.['model'] !== now.model || row['parent'] !== now.parent)) moved.add(number);
      // The order of those who are named differs.
      if (row && row['is_partial'] !== now.is_partial && row['named'] !== null) isAnyoneNamedOtherwise = true;
      putPeople(id, number, formatPeople(peopleOf(entry)), row, people === 'identified');
    },
    removeOthers(isShown) {
      const rows = db.prepare('SELECT id, number FROM record').iterate();
      const others = Iterator.from(rows).filter(({ id }) => !isShown(String(id)));
      for (const { id, number } of others.toArray()) remove(String(id), Number(number));
    },
    identify() {
      if (!isAnyoneNamedOtherwise) return;
      const identified = identifyPeople(namedPeople(db));
      const next = db.prepare(
        `SELECT number, id, named, identified FROM people JOIN record USING (number) WHERE number > ? ORDER BY number LIMIT ${BATCH}`,
      );
      let rows = next.all(-1);
      for (; rows.length > 0; rows = next.all(rows.at(-1)?.['number'] as number)) {
        for (const { number, id, named, identified: earlier } of rows) {
          const now = formatPeople(identified(parsePeople(String(named)))) as string;
          if (now === earlier) continue;
          writePeople.run(Number(number), String(named), now);
          if (isNew || now === (identifiedBefore.get(Number(number)) ?? earlier)) continue;
          notePeople();
          noteChanged(String(id));
        }
      }
    },
    rank() {
      const order = isNew || moved.size > 0 || removedCount > 0 ? writeAttributes(db) : readOrder(db);
      return { ...order, isMoved: (number) => moved.has(number) };
    },
    differs: (list) => isNew || moved.size > 0 || differing.has(list),
    changes: () => ({ added: added.size, changed: otherwise.size, removed: removedCount }),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Returns whether each record of the earlier catalogue is partial: 0 or 1, by ID. */
function readKnown(db: DatabaseSync): ReadonlyMap<string, unknown> {
  const rows = db.prepare('SELECT id, is_partial FROM record').iterate();
  return new Map(Array.from(rows, ({ id, is_partial: isPartial }) => [String(id), isPartial]));
}

function differingFacets(before: ObjectEntry['facets'], now: ObjectEntry['facets']): Facet[] {
  return FACETS.filter((facet) => JSON.stringify(before[facet]) !== JSON.stringify(now[facet]));
}

/** Yields the people whom records name, in the order of records in a catalogue. */
function* namedPeople(db: DatabaseSync): Generator<NamedPeople> {
  const rows = db.prepare('SELECT named FROM people JOIN record USING (number) ORDER BY is_partial, id').iterate();
  for (const { named } of rows) yield parsePeople(String(named));
}

/** Orders records by ID. Writes their models, parents and ranks. */
function writeAttributes(db: DatabaseSync): Order {
  const { ranks: before } = readOrder(db);
  const records = Array.from(db.prepare('SELECT number, id, model, parent FROM record').iterate(), (row) => ({
    number: Number(row['number']),
    id: String(row['id']),
    model: Number(row['model']),
    parent: row['parent'] as string | null,
  }));
  const rankBefore = ({ number }: { number: number }) => before[number] ?? NO_NUMBER;
  // Most are in the order of before already, which makes sorting fast.
  records.sort((a, b) => rankBefore(a) - rankBefore(b)).sort((a, b) => compareIds(a.id, b.id));
  const length = records.reduce((max, { number }) => Math.max(max, number + 1), 0);
  const numbers = new Map(records.map(({ id, number }) => [id, number]));
  const models = new Uint8Array(length);
  const [parents, ranks] = [new Uint32Array(length).fill(NO_NUMBER), new Uint32Array(length).fill(NO_NUMBER)];
  for (const [rank, { number, model, parent }] of records.entries()) {
    models[number] = model;
    ranks[number] = rank;
    if (parent !== null) parents[number] = numbers.get(parent) ?? NO_NUMBER;
  }
  const put = db.prepare('INSERT OR REPLACE INTO attribute (name, numbers) VALUES (?, ?)');
  put.run('models', models);
  put.run('parents', bytesOf(parents));
  put.run('ranks', bytesOf(ranks));
  return { ranks, ordered: Uint32Array.from(records, ({ number }) => number) };
}
