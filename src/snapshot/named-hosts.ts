/**
 * Remembers which hosts the operator named for a snapshot. This is stored in the operator's state directory, not in the snapshot: a snapshot is
 * untrusted and must not allow hosts by itself.
 */
import { randomUUID } from 'node:crypto';
import { isObject } from '../model/values.ts';
import { readState, writeState } from '../platform/user-state.ts';
import { readMeta } from './read.ts';
import type { Store } from './store.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the random ID of a snapshot, which its first harvest sets; undefined for a snapshot that is older than this feature. */
export function snapshotIdentity(store: Store): string | undefined {
  const identity = readMeta(store, 'identity');
  return identity !== undefined && UUID.test(identity) ? identity : undefined;
}

/** Returns the hosts (`name:port`) that the operator named for earlier harvests into this snapshot, on this machine. */
export function readNamedHosts(store: Store): string[] {
  const identity = snapshotIdentity(store);
  const known = identity === undefined ? undefined : readState(stateFileName(identity));
  const hosts = isObject(known) && Array.isArray(known['hosts']) ? known['hosts'] : [];
  return hosts.filter((host): host is string => typeof host === 'string');
}

/**
 * Adds hosts that the operator named to the remembered ones. The snapshot must be open for writing.
 * @throws {Error} the file system's error
 */
export function writeNamedHosts(store: Store, hosts: Iterable<string>): void {
  const identity = snapshotIdentity(store) ?? randomUUID();
  if (snapshotIdentity(store) === undefined)
    store.db.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('identity', ?)`).run(identity);
  const before = readNamedHosts(store);
  const all = [...new Set([...before, ...hosts])].sort();
  if (all.length > before.length) writeState(stateFileName(identity), { hosts: all });
}

function stateFileName(identity: string): string {
  return `snapshots/${identity}.json`;
}
