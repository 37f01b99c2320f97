/** The records of a catalogue file, one after the other, so that they are not all in memory. */
import type { DatabaseSync } from 'node:sqlite';
import { MODELS, type Model } from '../model/ids.ts';
import { readOrder } from './catalogue-schema.ts';
import type { ListedEntry, ObjectEntry } from './entries.ts';
import { openPlaceAliases, positionsOfPlaces } from './lists/places.ts';
import { parseListed, SELECT_ENTRY, toEntry } from './lists/record-rows.ts';

/**
 * The records of a catalogue, which are read when they are needed. Unless it says otherwise, those with a body of their own come
 * first, each in the order of characters in their IDs.
 */
export type Records = ReturnType<typeof openRecords>;

function readIds(db: DatabaseSync): string[] {
  const { ranks, ordered } = readOrder(db);
  const ids = new Array<string>(ordered.length);
  const select = db.prepare('SELECT number, id FROM record');
  select.setReturnArrays(true);
  for (const row of select.iterate() as Iterable<unknown>) {
    const [number, id] = row as [number, string];
    ids[ranks[number] as number] = id;
  }
  return ids;
}

/** Yields the IDs of the records among `ids` and of those below them. */
export function* listAtAndBelow(db: DatabaseSync, ids: ReadonlySet<string>): Iterable<string> {
  for (const { listed } of db.prepare('SELECT listed FROM record').iterate()) {
    const { id, ancestors } = parseListed(listed);
    if (ids.has(id) || ancestors.some((each) => ids.has(each))) yield id;
  }
}

const SELECT_PORTRAITS = `SELECT DISTINCT l.json ->> 'portrait' AS url FROM person p
  JOIN lookup l ON l.kind = 'narrator' AND l.name = p.json ->> 'narrator' WHERE url IS NOT NULL ORDER BY url`;

/** Returns access to the records in a catalogue file. */
export function openRecords(db: DatabaseSync) {
  const selectEntry = db.prepare(`${SELECT_ENTRY} WHERE id = ?`);
  const selectListed = db.prepare('SELECT listed FROM record WHERE id = ?');
  const places = openPlaceAliases(db);
  const modelOf = (model: Model | undefined) => (model === undefined ? -1 : MODELS.indexOf(model));
  /** Not a shared statement: an iteration uses its statement until it ends. */
  const rows = (columns: string, where = 'TRUE', ...values: number[]): Iterable<Readonly<Record<string, unknown>>> =>
    db.prepare(`SELECT ${columns} FROM record WHERE ${where} ORDER BY is_partial, id`).iterate(...values);

  return {
    *[Symbol.iterator](): Iterator<ObjectEntry> {
      for (const row of db.prepare(`${SELECT_ENTRY} ORDER BY is_partial, id`).iterate()) yield toEntry(row, places);
    },
    /** Returns the number of records, of all models or one. */
    count: (model?: Model) =>
      Number(db.prepare('SELECT count(*) AS n FROM record WHERE ? IN (-1, model)').get(modelOf(model))?.['n']),
    /** Returns all IDs, sorted by `compareIds`. */
    ids: () => readIds(db),
    /** Returns the IDs of all that have records below them. Of some, there may be no entry. */
    parents: () => new Set(Array.from(db.prepare('SELECT DISTINCT parent FROM below').iterate(), ({ parent }) => String(parent))),
    /** Yields all entries, sorted by `compareIds`. */
    *sorted(): Iterable<ObjectEntry> {
      const select = db.prepare(`${SELECT_ENTRY} WHERE number = ?`);
      for (const number of readOrder(db).ordered) yield toEntry(select.get(number) as Record<string, unknown>, places);
    },
    /** Returns the complete entry of a record; undefined if there is none. */
    entry(id: string) {
      const row = selectEntry.get(id);
      return row && toEntry(row, places);
    },
    /** Returns what other pages show of a record; undefined if there is none. */
    listed(id: string) {
      const row = selectListed.get(id);
      return row && parseListed(row['listed']);
    },
    /** Yields what other pages show of records, of all models or one. */
    *allListed(model?: Model): Iterable<ListedEntry> {
      for (const { listed } of rows('listed', '? IN (-1, model)', modelOf(model))) yield parseListed(listed);
    },
    /** Yields what other pages show of the records that name media files, of all models or one. */
    *withMedia(model?: Model): Iterable<ListedEntry> {
      for (const { listed } of rows('listed', 'has_media = 1 AND ? IN (-1, model)', modelOf(model))) yield parseListed(listed);
    },
    /** Yields when records were last modified, without those of which it is not known. */
    *lastModified(): Iterable<{ id: string; model: Model; lastmod: string }> {
      for (const { id, model, lastmod } of rows('id, model, lastmod', 'lastmod IS NOT NULL'))
        yield { id: String(id), model: MODELS[Number(model)] as Model, lastmod: String(lastmod) };
    },
    /** Yields the positions of the records that have any. */
    *positions(): Iterable<ObjectEntry['positions']> {
      for (const { positions } of rows('positions', 'positions IS NOT NULL'))
        yield positionsOfPlaces(JSON.parse(String(positions)) as ObjectEntry['positions'], places);
    },
    /** Returns the places whose stated position cannot be used, each with the ID of a record and the words of the position. */
    unusablePositions: () =>
      Array.from(rows('id, unusable_positions', 'unusable_positions IS NOT NULL'), ({ id, unusable_positions: json }) => {
        const unusable = JSON.parse(String(json)) as ObjectEntry['unusablePositions'];
        return unusable.map(({ place, position }) => ({ record: String(id), place, position }));
      }).flat(),
    /** Returns the URLs of the portraits of people who have a page. */
    portraits: () => Array.from(db.prepare(SELECT_PORTRAITS).iterate(), ({ url }) => String(url)),
    /** Yields the dates that no rule can read. */
    *unreadDates(): Iterable<{ id: string; unreadDate: string }> {
      for (const { id, unread_date: unreadDate } of rows('id, unread_date', 'unread_date IS NOT NULL'))
        yield { id: String(id), unreadDate: String(unreadDate) };
    },
  };
}
