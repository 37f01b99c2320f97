/** Tells what upstream itself does not publish: private records, what is below them, and authors that are not published. */
import { authorNameIn, readAuthor } from '../model/guide.ts';
import { isObjectId, parseId } from '../model/ids.ts';
import { type ArchivalRecord, idsAbove, idsAboveByShape, readRecord } from '../model/records.ts';
import { bodyOf, listItems, parseBody, payloadOf } from '../snapshot/read.ts';
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
  /** Takes the word of a record that was read already, so that it is not read again. */
  heard(record: ArchivalRecord): void;
}

/** What one record says of itself. */
interface Word {
  shown: boolean;
  /** Ids of what it is below, as far as it says. */
  above: string[];
}

/**
 * Private records (`public: "0"`), what is below them, and authors that are not published are not to be shown.
 * Each answer is computed when it is first asked for, and kept until the snapshot changes.
 */
export function published(store: Store): Published {
  const memory = createMemory(store);

  function wordOf(id: string): Word {
    const known = memory().words.get(id);
    if (known) return known;
    const word = readWord(store, id);
    memory().words.set(id, word);
    return word;
  }

  function record(id: string): boolean {
    const known = memory().records.get(id);
    if (known !== undefined) return known;
    const chain = new Set([id]);
    let shown = true;
    for (const one of chain) {
      const word = wordOf(one);
      shown &&= word.shown;
      if (!shown) break;
      for (const up of word.above) chain.add(up); // visited later in this same loop
    }
    memory().records.set(id, shown);
    return shown;
  }

  return {
    record,
    heard: (record) => void memory().words.set(record.id, wordIn(record)),
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

/** A record's line in the list of the parent that its id names. */
function lineOf(store: Store, id: string): Record<string, unknown> | undefined {
  const { parent, model } = parseId(id);
  const lines = parent === undefined ? [] : listItems(store, model === 'file' ? 'files' : 'children', parent);
  return lines.find((line) => line['id'] === id);
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
    const version = Number(statement(store, 'PRAGMA data_version').get()?.['data_version']);
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
