/** Assembles the lists of a snapshot from their stored pages, each entry once. */
import { authorNameInEntry } from '../model/guide/guide.ts';
import { isObjectId, parseId } from '../model/ids.ts';
import { entryIdentity, parseListPage } from '../model/lists.ts';
import { keyOf, LIST_KINDS, type ListKind, narratorPath, type Resource } from '../model/resources.ts';
import { createRecent, type Recent } from '../platform/recent.ts';
import { purgedIds } from './purged.ts';
import { parseBody, SELECT_BODY, STORED_BODY_COLUMNS } from './read.ts';
import { bodyRow, integer, isResourceKind, sqlList, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';
import { untilChanged } from './until-changed.ts';

/**
 * Returns the entries of a list, each once, in the server's order. Uses the pages that the last finished harvest read, and those
 * that a harvest in progress has read since. Leaves out entries without an ID.
 */
export function listItems(store: Store, kind: ListKind, name: string): Record<string, unknown>[] {
  const recent = recentLists.get(store) ?? untilChanged(store, () => createRecent(MAX_RECENT_LISTS));
  recentLists.set(store, recent);
  return recent().get(keyOf({ kind, name }), () => readItems(store, kind, name));
}

/** Maximum lists that are remembered: a caller usually reads the same list again, page by page or entry by entry. */
const MAX_RECENT_LISTS = 128;
/** Returns the remembered lists of each open snapshot. */
const recentLists = new WeakMap<Store, () => Recent<string, Record<string, unknown>[]>>();

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
      const shown = identity === undefined || items.has(identity) ? undefined : visibleItem(store, kind, item, identity);
      if (identity !== undefined && shown) items.set(identity, shown);
    }
  }
  return [...items.values()];
}

/** Returns a list entry as the visible snapshot shows it; undefined if it is withheld. */
function visibleItem(
  { filter }: Store,
  list: ListKind,
  item: Record<string, unknown>,
  identity: string,
): Record<string, unknown> | undefined {
  if (!filter) return item;
  const kind = list === 'authors' ? 'author' : list === 'narrators' ? 'narrator' : 'object';
  const name =
    list === 'authors' ? (authorNameInEntry(item) ?? identity) : list === 'narrators' ? narratorPath(identity) : identity;
  return filter.hides(kind, name) ? undefined : (filter.redact(kind, name, item) as Record<string, unknown>);
}

/**
 * Yields the names of the stored resources that belong in a list, even if the list does not name them: all authors, or the
 * children or files of a record as their IDs show, also purged ones.
 */
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
  for (const { name: id } of rows.all(`${name}-`, `${name}.`)) if (belongsInList({ kind: list, name }, id)) yield id;
  yield* purgedEntries(store, { kind: list, name });
}

/** Returns the IDs of purged records that belong in a list of children or files, by their form. Its stored pages lack them. */
export function purgedEntries(store: Store, list: Pick<Resource, 'kind' | 'name'>): string[] {
  return purgedIds(store).flatMap(({ id }) => (belongsInList(list, id) ? [id] : []));
}

function belongsInList({ kind, name }: Pick<Resource, 'kind' | 'name'>, id: unknown): id is string {
  if (!isObjectId(id)) return false;
  const { parent, model } = parseId(id);
  return parent === name && (model === 'file') === (kind === 'files');
}

/** Yields pages of all lists, or one, that one run requested, by list in reading order. `page` is undefined if it failed. */
export function* pagesOfRun(store: Store, run: number, only?: Resource) {
  // Not a shared statement: a generator uses its statement until it ends.
  const rows = store.db
    .prepare(
      `SELECT ${STORED_BODY_COLUMNS}, ${texts('r.kind', 'r.state')}, ${integer('r.page_limit')}, ${integer('r.page_offset')}
    FROM resource r LEFT JOIN response p ON p.id = r.response
    WHERE r.kind IN (${sqlList(LIST_KINDS)}) AND r.state <> 'queued' AND r.run = ?
      ${only ? 'AND r.kind = ? AND r.name = ?' : ''}
    ORDER BY r.kind, r.name, r.page_limit DESC, r.page_offset`,
    )
    .iterate(run, ...(only ? [only.kind, only.name] : []));
  for (const row of rows) {
    const { kind, name, page_limit: limit, page_offset: offset } = row;
    if (!isResourceKind(kind) || typeof name !== 'string' || typeof limit !== 'number' || typeof offset !== 'number') continue;
    const stored = row['state'] === 'stored' ? bodyRow(row) : undefined;
    yield { resource: { kind, name, page: { limit, offset } }, page: stored && parseListPage(parseBody(stored)) };
  }
}
