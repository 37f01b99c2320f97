/** Records that have another ID now: upstream redirects from the old one to the record with the new one. */
import { isObjectId } from '../model/ids.ts';
import { text } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

const CAUSE = 'it is now the record ';

/** Returns the cause with which the old ID of a record fails. */
export const movedCause = (newId: string): string => CAUSE + newId;

/** Returns the new ID of each moved record by its old one. Of several moves, the last one counts; a cycle is none. */
export function readMovedRecords(store: Store): Map<string, string> {
  const rows = prepareStatement(
    store,
    `SELECT ${text('name')}, substr(cause, ${CAUSE.length + 1}) AS next FROM resource
    WHERE kind = 'object' AND state = 'failed' AND substr(cause, 1, ${CAUSE.length}) = ? ORDER BY name`,
  ).all(CAUSE);
  const next = new Map(rows.map((row) => [String(row['name']), String(row['next'])]));
  return new Map(
    [...next.keys()].flatMap((id) => {
      const seen = new Set([id]);
      let last = id;
      for (let to = next.get(id); to !== undefined; to = next.get(to)) {
        if (seen.has(to) || !isObjectId(to)) return [];
        seen.add(to);
        last = to;
      }
      return [[id, last] as const];
    }),
  );
}
