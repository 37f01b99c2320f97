/** The lists of a snapshot: put together from the pages that were read of them, each entry once. */
import { authorNameInEntry } from '../model/guide.ts';
import { isObjectId, parseId } from '../model/ids.ts';
import { entryIdentity, type ListPage, parseListPage } from '../model/lists.ts';
import { keyOf, LIST_KINDS, type ListKind, type Resource } from '../model/resources.ts';
import { parseBody, SELECT_BODY, STORED_BODY_COLUMNS } from './read.ts';
import { bodyRow, integer, isResourceKind, readInteger, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/**
 * The members of a list, each once, in the server's order: from the pages that the last finished harvest read of it, and those that one
 * under way has read since. Members that nothing identifies are left out.
 */
export function listItems(store: Store, kind: ListKind, name: string): Record<string, unknown>[] {
  const lists = memoryOf(store);
  const key = keyOf({ kind, name });
  const items = lists.get(key) ?? readItems(store, kind, name);
  if (!lists.has(key) && lists.size >= LISTS_IN_MEMORY) lists.clear();
  lists.set(key, items);
  return items;
}

/** Lists that were put together last: whoever reads one mostly reads it again, page by page or member by member. */
const LISTS_IN_MEMORY = 64;
const memory = new WeakMap<Store, { version: number; lists: Map<string, Record<string, unknown>[]> }>();

/** What is remembered of a snapshot's lists, as long as nobody else writes to it. */
function memoryOf(store: Store): Map<string, Record<string, unknown>[]> {
  const version = readInteger(prepareStatement(store, 'PRAGMA data_version').get(), 'data_version');
  const known = memory.get(store);
  if (known?.version === version) return known.lists;
  const lists = new Map<string, Record<string, unknown>[]>();
  memory.set(store, { version, lists });
  return lists;
}

function readItems(store: Store, kind: ListKind, name: string): Record<string, unknown>[] {
  const rows = prepareStatement(
    store,
    `${SELECT_BODY}
    WHERE r.kind = ?1 AND r.name = ?2
      AND r.run >= coalesce((SELECT max(run) FROM resource WHERE kind = ?1 AND name = ?2 AND response IS NOT NULL
        AND run NOT IN (SELECT id FROM run WHERE finished_at IS NULL)), 0)
    ORDER BY r.run DESC, r.page_limit DESC, r.page_offset`,
  ).all(kind, name);
  const items = new Map<string, Record<string, unknown>>();
  for (const stored of rows.flatMap((row) => bodyRow(row) ?? [])) {
    for (const item of parseListPage(parseBody(stored))?.items ?? []) {
      const identity = entryIdentity(item);
      const shown = identity === undefined || items.has(identity) ? undefined : seenItem(store, kind, item, identity);
      if (identity !== undefined && shown) items.set(identity, shown);
    }
  }
  return [...items.values()];
}

/** An entry of a list as the view has it; undefined if it is left out. */
function seenItem(
  { filter }: Store,
  list: ListKind,
  item: Record<string, unknown>,
  identity: string,
): Record<string, unknown> | undefined {
  if (!filter) return item;
  const kind = list === 'authors' ? 'author' : 'object';
  const name = list === 'authors' ? (authorNameInEntry(item) ?? identity) : identity;
  return filter.hides(kind, name) ? undefined : (filter.redact(kind, name, item) as Record<string, unknown>);
}

/** The entries of a list that the snapshot holds, whoever named them: authors, or the children or files of a record by the shape of their ids. */
export function* storedEntries(store: Store, list: ListKind, name: string): Generator<string> {
  if (list === 'authors') {
    yield* prepareStatement(store, `SELECT ${texts('name')} FROM resource WHERE kind = 'author' AND response IS NOT NULL`)
      .all()
      .map(({ name: own }) => own)
      .filter((own) => typeof own === 'string');
    return;
  }
  if (list !== 'children' && list !== 'files') return;
  const rows = prepareStatement(
    store,
    `SELECT ${texts('name')} FROM resource WHERE kind = 'object' AND response IS NOT NULL AND name > ? AND name < ?`,
  );
  for (const row of rows.all(`${name}-`, `${name}.`)) {
    if (!isObjectId(row['name'])) continue;
    const { id, parent, model } = parseId(row['name']);
    if (parent === name && (model === 'file') === (list === 'files')) yield id;
  }
}

/** The pages of lists that one run has asked for, list by list in the order of reading; `page` is undefined where it could not be had. */
export function* pagesOfRun(store: Store, run: number): Generator<{ resource: Resource; page: ListPage | undefined }> {
  // Prepared anew: a generator holds its statement until it is done.
  const rows = store.db
    .prepare(
      `SELECT ${STORED_BODY_COLUMNS}, ${texts('r.kind', 'r.state')}, ${integer('r.page_limit')}, ${integer('r.page_offset')}
    FROM resource r LEFT JOIN response p ON p.id = r.response
    WHERE r.kind IN (${LIST_KINDS.map((kind) => `'${kind}'`).join(', ')}) AND r.state <> 'queued' AND r.run = ?
    ORDER BY r.kind, r.name, r.page_limit DESC, r.page_offset`,
    )
    .iterate(run);
  for (const row of rows) {
    const { kind, name, page_limit: limit, page_offset: offset } = row;
    if (!isResourceKind(kind) || typeof name !== 'string' || typeof limit !== 'number' || typeof offset !== 'number') continue;
    const stored = row['state'] === 'stored' ? bodyRow(row) : undefined;
    yield { resource: { kind, name, page: { limit, offset } }, page: stored && parseListPage(parseBody(stored)) };
  }
}
