/** Which hosts the user named for a snapshot on this machine. It stands in the user's state folder: a snapshot that was handed on cannot say it of itself. */
import { randomUUID } from 'node:crypto';
import { isObject } from '../model/values.ts';
import { readState, writeState } from '../platform/user-state.ts';
import { readMeta } from './read.ts';
import type { Store } from './store.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The random identity of a snapshot, given to it by its first harvest; undefined for one from before that. */
export function snapshotIdentity(store: Store): string | undefined {
  const identity = readMeta(store, 'identity');
  return identity !== undefined && UUID.test(identity) ? identity : undefined;
}

/** The hosts (`name:port`) that the user named for earlier harvests into this snapshot, on this machine. */
export function readNamedHosts(store: Store): string[] {
  const identity = snapshotIdentity(store);
  const known = identity === undefined ? undefined : readState(stateFileName(identity));
  const hosts = isObject(known) && Array.isArray(known['hosts']) ? known['hosts'] : [];
  return hosts.filter((host): host is string => typeof host === 'string');
}

/** Remembers hosts that the user named, besides those remembered before. The snapshot must be open for writing. @throws the file system's error */
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
