/** Tells what upstream itself does not publish: private records, what is below them, and authors that are not published. */
import { authorNameIn, readAuthor } from '../model/guide.ts';
import { isObjectId, parseId } from '../model/ids.ts';
import { type ArchivalRecord, idsAbove, idsAboveByShape, readRecord } from '../model/records.ts';
import { listItems } from '../snapshot/lists.ts';
import { bodyOf, parseBody, payloadOf } from '../snapshot/read.ts';
import { readInteger } from '../snapshot/rows.ts';
import { type Store, statement } from '../snapshot/store.ts';

/** Each answers whether a thing may be shown. */
export interface Visibility {
  /** By id. False for what is no object id. */
  record(id: string): boolean;
  /** By name. */
  author(name: string): boolean;
}

export const EVERYTHING: Visibility = { record: () => true, author: () => true };

export interface Published extends Visibility {
  /** Uses a record that was already read, so that it is not read again. It must be the snapshot's own record of its ID. */
  note(record: ArchivalRecord): void;
}

/** What one record says of itself. */
interface Word {
  shown: boolean;
  /** Ids of what it is below, as far as it says. */
  above: string[];
}

const HIDDEN: Word = { shown: false, above: [] };

/**
 * Private records (`public: "0"`), what is below them, and authors that are not published are not to be shown.
 * Each answer is computed when it is first asked for, and kept until the snapshot changes.
 */
export function published(store: Store): Published {
  const memory = createMemory(store);

  function wordOf(id: string): Word {
    const { words } = memory();
    const known = words.get(id);
    if (known) return known;
    const word = readWord(store, id);
    words.set(id, word);
    return word;
  }

  /** Looks at each record above once, however many ask: an answer holds for all that was met on the way to it. */
  function record(id: string): boolean {
    const { records } = memory();
    const before = records.get(id);
    if (before !== undefined) return before;
    const met = new Set([id]);
    /** Who named each of them as standing above itself. */
    const below = new Map<string, string[]>();
    for (const one of met) {
      const known = records.get(one);
      if (known === true) continue;
      const word = known === undefined ? wordOf(one) : HIDDEN;
      if (!word.shown) {
        const hidden = new Set([one]);
        for (const under of hidden) {
          records.set(under, false);
          for (const further of below.get(under) ?? []) hidden.add(further); // met later in this same loop
        }
        return false;
      }
      for (const up of word.above) {
        below.set(up, [...(below.get(up) ?? []), one]);
        met.add(up); // met later in this same loop
      }
    }
    for (const one of met) records.set(one, true);
    return true;
  }

  return {
    record,
    note: (record) => void memory().words.set(record.id, wordIn(record)),
    author: (name) => publishedInList(memory().listed, name) && readAuthor(payloadOf(store, 'author', name))?.published !== false,
  };
}

function readWord(store: Store, id: string): Word {
  if (!isObjectId(id)) return { shown: false, above: [] };
  const stored = bodyOf(store, 'object', id);
  const record = (stored && readRecord(parseBody(stored))) ?? readRecord(lineOf(store, id));
  if (record) return wordIn(record);
  // A body that cannot be read says nothing of who may see it.
  return { shown: stored === undefined, above: idsAboveByShape(id) };
}

function wordIn(record: ArchivalRecord): Word {
  return { shown: record.public, above: idsAbove(record) };
}

/** A record's line in the list of the parent that its ID names, with that parent. */
export function lineOf(store: Store, id: string): Record<string, unknown> | undefined {
  const { parent, model } = parseId(id);
  const item = parent && listItems(store, model === 'file' ? 'files' : 'children', parent).find((one) => one['id'] === id);
  return item ? { parent_id: parent, ...item } : undefined;
}

function publishedInList(listed: ReadonlyMap<string, boolean>, name: string): boolean {
  return listed.get(name) !== false;
}

interface Memory {
  version: number;
  words: Map<string, Word>;
  records: Map<string, boolean>;
  /** Whether the authors list says that an author is published, by name. */
  listed: Map<string, boolean>;
}

/** Answers of before, as long as nobody else has written to the snapshot. */
function createMemory(store: Store): () => Memory {
  let memory: Memory | undefined;
  return () => {
    const version = readInteger(statement(store, 'PRAGMA data_version').get(), 'data_version');
    if (memory?.version !== version) {
      const listed = new Map<string, boolean>();
      for (const line of listItems(store, 'authors', '')) {
        const author = readAuthor(line);
        if (author) listed.set(authorNameIn(line) ?? author.name, author.published);
      }
      memory = { version, words: new Map(), records: new Map(), listed };
    }
    return memory;
  };
}
