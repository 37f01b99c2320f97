/**
 * Remembers which hosts the operator named for a snapshot. This is stored in the operator's state directory, for one database at
 * one place: a snapshot is untrusted, and neither it nor a copy of it may allow hosts by itself.
 */
import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../model/values.ts';
import { readState, writeState } from '../platform/user-state.ts';
import { DATABASE_FILE } from './file-names.ts';
import type { Store } from './store.ts';

/** Returns the hosts (`name:port`) that the operator named for earlier harvests into this snapshot, on this machine. */
export function readNamedHosts(store: Store): string[] {
  const known = readState(stateFileName(store));
  const hosts = isObject(known) && Array.isArray(known['hosts']) ? known['hosts'] : [];
  return hosts.filter((host): host is string => typeof host === 'string');
}

/**
 * Adds hosts that the operator named to the remembered ones.
 * @throws {Error} the file system's error
 */
export function writeNamedHosts(store: Store, hosts: Iterable<string>): void {
  const before = readNamedHosts(store);
  const all = [...new Set([...before, ...hosts])].sort();
  if (all.length > before.length) writeState(stateFileName(store), { hosts: all });
}

/**
 * Another database at the same place was created at another time, also a changed copy that was returned; where the file system
 * has no such time, it has another number.
 */
function stateFileName(store: Store): string {
  const directory = realpathSync(store.dir);
  const { birthtimeNs, ino } = statSync(join(directory, DATABASE_FILE), { bigint: true });
  return `snapshots/${hash('sha256', `${directory}\0${birthtimeNs}\0${ino}`)}.json`;
}
