/** Tracks what was purged from a snapshot, so that no later harvest or download stores it again. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ancestorIds } from '../model/ancestors.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { entryIdentity } from '../model/lists.ts';
import { extractIdsFromSource } from '../model/mentions.ts';
import { parseRecordLinks } from '../model/records.ts';
import { type BaseUrls, isListKind, keyOf, narratorPath, type Resource, type ResourceKind } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { readBaseUrls } from './read.ts';
import { selectTexts, text } from './rows.ts';
import type { Store } from './store.ts';

/** A response body as received. */
interface ReceivedBody {
  body: Uint8Array;
  headers: Record<string, string>;
}

/** The purged resources of a snapshot. */
export type WithdrawnResources = ReturnType<typeof createWithdrawnResources>;

/** Reads which resources were purged. */
export function readWithdrawn(store: Store): WithdrawnResources {
  const keys = selectTexts(store.db, `SELECT ${text('key')} FROM withdrawn`);
  return createWithdrawnResources(new Set(keys), readBaseUrls(store));
}

/** Creates the set of purged resources from their keys, as in the table `withdrawn`. */
export function createWithdrawnResources(keys: Set<string>, baseUrls: BaseUrls) {
  const idOf = (key: string) => (key.startsWith('object:') ? [key.slice('object:'.length)] : []);
  const ids = [...keys].flatMap(idOf);
  const hasRecord = (id: string) => {
    for (let one = id; one !== ''; one = one.slice(0, Math.max(0, one.lastIndexOf('-'))))
      if (keys.has(`object:${one}`)) return true;
    return false;
  };
  return {
    /** Returns whether a resource was purged, or belongs to a record that was purged or, by its ID, is below a purged one. */
    has({ kind, name }: Pick<Resource, 'kind' | 'name'>) {
      if (keys.size === 0) return false;
      return kind === 'object' || kind === 'children' || kind === 'files' ? hasRecord(name) : keys.has(keyOf({ kind, name }));
    },
    /** Returns whether a received body's content belongs to a purged record: one below it, or a guide source from it. */
    claimsBody({ kind, name }: Pick<Resource, 'kind' | 'name'>, { body, headers }: ReceivedBody) {
      if (keys.size === 0 || (kind !== 'object' && kind !== 'source')) return false;
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      if (!ids.some((id) => bytes.includes(id))) return false;
      const payload = parseJson(decodeBody(body, headers['content-type']));
      if (kind === 'source') return isObject(payload) && extractIdsFromSource(payload, name, baseUrls).some(hasRecord);
      const record = parseRecordLinks(payload);
      return record !== undefined && [record.id, ...ancestorIds(record)].some(hasRecord);
    },
    /** Adds a resource to the purged ones. Does not write to the snapshot. */
    add(resource: Pick<Resource, 'kind' | 'name'>) {
      const key = keyOf(resource);
      if (!keys.has(key)) ids.push(...idOf(key));
      keys.add(key);
    },
    /** Returns a list page without the entries of purged records; undefined if it has no such entries. */
    redact(kind: ResourceKind, { body, headers }: ReceivedBody) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      const isOfNarrators = kind === 'narrators' && [...keys].some((key) => key.startsWith('narrator:'));
      if (!isListKind(kind) || !(isOfNarrators || ids.some((id) => bytes.includes(id)))) return undefined;
      const list = parseJson(decodeBody(body, headers['content-type']));
      const isPurged = (id: string) =>
        isOfNarrators ? keys.has(keyOf({ kind: 'narrator', name: narratorPath(id) })) : hasRecord(id);
      const redacted = isObject(list) ? withoutEntries(list, isPurged) : list;
      if (redacted === list) return undefined;
      return { body: Buffer.from(JSON.stringify(redacted)), headers: { ...headers, 'content-type': 'application/json' } };
    },
  };
}

/** Returns a list page without some entries; the same object if it has none of them. Other fields, such as the total, stay. */
function withoutEntries(list: Record<string, unknown>, isWithdrawn: (id: string) => boolean): Record<string, unknown> {
  let redacted = list;
  for (const field of ['objects', 'results']) {
    const entries = list[field];
    if (!Array.isArray(entries)) continue;
    const remaining = entries.filter((entry) => !isObject(entry) || !idsOfEntry(entry).some(isWithdrawn));
    if (remaining.length < entries.length) redacted = { ...redacted, [field]: remaining };
  }
  return redacted;
}

/** Returns the IDs that a list entry has: its own, and the one in the URL of its record. */
function idsOfEntry(entry: Record<string, unknown>): string[] {
  const json = isObject(entry['links']) ? entry['links']['json'] : undefined;
  const linked = typeof json === 'string' ? /\/api\/[\d.]+\/([^/?#]+)\/?(?:[?#]|$)/.exec(json)?.[1] : undefined;
  return [entryIdentity(entry), linked].filter((name) => name !== undefined);
}

/** Returns a function that marks a stored body as redacted, with the SHA-256 of the `received` body. */
export function createRedactionMarker(db: DatabaseSync): (response: number | bigint, now: string, received: Uint8Array) => void {
  const insert = db.prepare('INSERT OR IGNORE INTO redaction (response, redacted_at, received_sha256) VALUES (?, ?, ?)');
  return (response, now, received) => void insert.run(response, now, hash('sha256', received));
}
