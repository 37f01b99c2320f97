/** Remembers what was read from a snapshot until another process writes to it. */
import { readInteger } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/**
 * Returns a function that returns what `read` returned: it calls `read` when it is first called, and again after another
 * connection has written to the snapshot, for example to purge a record.
 */
export function untilChanged<T>(store: Store, read: () => T): () => T {
  let known: { version: number; value: T } | undefined;
  return () => {
    const version = readInteger(prepareStatement(store, 'PRAGMA data_version').get(), 'data_version');
    if (known?.version !== version) known = { version, value: read() };
    return known.value;
  };
}
