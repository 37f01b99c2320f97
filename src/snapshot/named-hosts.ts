/** Which hosts the user named for a snapshot on this machine. It stands in the user's state folder: a snapshot that was handed on cannot say it of itself. */
import { randomUUID } from 'node:crypto';
import { isObject } from '../model/values.ts';
import { recall, remember } from '../platform/user-state.ts';
import { meta } from './read.ts';
import type { Store } from './store.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The random identity of a snapshot, given to it by its first harvest; undefined for one from before that. */
export function identityOf(store: Store): string | undefined {
  const identity = meta(store, 'identity');
  return identity !== undefined && UUID.test(identity) ? identity : undefined;
}

/** The hosts (`name:port`) that the user named for earlier harvests into this snapshot, on this machine. */
export function rememberedHosts(store: Store): string[] {
  const identity = identityOf(store);
  const known = identity === undefined ? undefined : recall(fileOf(identity));
  const hosts = isObject(known) && Array.isArray(known['hosts']) ? known['hosts'] : [];
  return hosts.filter((host): host is string => typeof host === 'string');
}

/** Remembers hosts that the user named, besides those remembered before. The snapshot must be open for writing. @throws the file system's error */
export function rememberHosts(store: Store, hosts: Iterable<string>): void {
  const identity = identityOf(store) ?? randomUUID();
  if (identityOf(store) === undefined)
    store.db.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('identity', ?)`).run(identity);
  const before = rememberedHosts(store);
  const all = [...new Set([...before, ...hosts])].sort();
  if (all.length > before.length) remember(fileOf(identity), { hosts: all });
}

function fileOf(identity: string): string {
  return `snapshots/${identity}.json`;
}
