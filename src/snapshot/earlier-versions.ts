/** Reads the earlier versions of a body: those that later ones have replaced. */
import { keyOf, type ResourceKind } from '../model/resources.ts';
import { applyFilter, STORED_BODY_COLUMNS } from './read.ts';
import type { StoredBody } from './row-types.ts';
import { bodyRow } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** Versions of one resource. */
const MAX_VERSIONS = 20;

/** Returns the earlier versions of the body of a resource other than a list, the latest first; none if it is withheld. */
export function readEarlierVersions(store: Store, kind: ResourceKind, name: string): StoredBody[] {
  const rows = prepareStatement(
    store,
    `SELECT ${STORED_BODY_COLUMNS} FROM resource r JOIN response p ON p.key = r.key AND p.id <> r.response
    WHERE r.key = ? ORDER BY p.id DESC LIMIT ${MAX_VERSIONS}`,
  ).all(keyOf({ kind, name }));
  return rows.flatMap((row) => {
    const stored = bodyRow(row);
    return (stored && applyFilter(store, kind, stored)) ?? [];
  });
}
