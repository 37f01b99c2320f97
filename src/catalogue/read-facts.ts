/** Reads what a catalogue needs of bodies, once: what an earlier catalogue has read of a body is not read again while the body stays the same. */
import type { ResourceKind } from '../model/resources.ts';
import { type BodyVersion, readBodyVersions, readShownBody } from '../snapshot/read.ts';
import type { StoredBody } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import type { ObjectEntry } from './entries.ts';

/** What was read of a body. */
export interface KnownBody {
  /** As in `BodyVersion`. */
  version: string;
  /** JSON. */
  facts: string;
}

/** An entry of an earlier catalogue. */
export interface EarlierEntry {
  entry: ObjectEntry;
  /** The people whom it names, as its own body does: see `peopleIn`. */
  people: string | null;
}

/** An earlier catalogue, from which a new one takes what did not change. It was made by the same program, with the same settings. */
export interface EarlierCatalogue {
  /** Returns what it has read of all bodies of a kind, by resource key. */
  bodies(kind: ResourceKind): Map<string, KnownBody>;
  /** Returns its entries by ID. */
  entries(): ReadonlyMap<string, EarlierEntry>;
}

/** What was read of the bodies of a catalogue, compared with an earlier one. */
export interface BodyChanges {
  /** What was read of bodies that are new or have changed. */
  put: Array<KnownBody & { kind: ResourceKind; key: string }>;
  /** Keys of resources of which nothing is known any more. */
  removed: string[];
}

/** The reading of one catalogue. */
export interface Reading {
  store: Store;
  /** Undefined: everything is read. */
  earlier: EarlierCatalogue | undefined;
  /** Filled while bodies are read. */
  changes: BodyChanges;
}

/** Begins to read a catalogue. */
export function createReading(store: Store, earlier?: EarlierCatalogue): Reading {
  return { store, earlier, changes: { put: [], removed: [] } };
}

/** What was read of a body, now or by an earlier catalogue. */
interface ReadBody<Facts, More> {
  /** Key of the resource. */
  key: string;
  /** Name of the resource. */
  name: string;
  facts: Facts;
  /** What `read` returned in addition; undefined if the facts are those of the earlier catalogue. */
  more: More | undefined;
}

/**
 * Yields the facts of all bodies of a kind, sorted by name. `read` returns the facts, which have to survive JSON, and what else is needed when a
 * body was read now. Facts may be shared by several bodies, so they must not be changed.
 */
export function* readFacts<Facts, More = undefined>(
  { store, earlier, changes }: Reading,
  kind: ResourceKind,
  read: (stored: StoredBody) => { facts: Facts; more?: More },
): Generator<ReadBody<Facts, More>> {
  const known = earlier?.bodies(kind) ?? new Map<string, KnownBody>();
  const canReuse = !store.filter?.readsOthers;
  let last = { json: 'null', facts: null as Facts };
  for (const { key, name, version } of withoutAmbiguous(readBodyVersions(store, kind))) {
    const before = known.get(key);
    if (canReuse && version !== undefined && before?.version === version) {
      known.delete(key);
      if (before.facts !== last.json) last = { json: before.facts, facts: JSON.parse(before.facts) as Facts };
      yield { key, name, facts: last.facts, more: undefined };
      continue;
    }
    const stored = readShownBody(store, kind, key);
    if (!stored) continue;
    const { facts, more } = read(stored);
    if (canReuse && version !== undefined) {
      changes.put.push({ kind, key, version, facts: JSON.stringify(facts) });
      known.delete(key);
    }
    yield { key, name, facts, more };
  }
  for (const key of known.keys()) changes.removed.push(key);
}

/** Returns rows of which none has a version that has the name of another one: it is not certain which of them was read last. */
function withoutAmbiguous(rows: readonly BodyVersion[]): Iterable<BodyVersion> {
  return rows.map((row, i) =>
    row.name === rows[i - 1]?.name || row.name === rows[i + 1]?.name ? { ...row, version: undefined } : row,
  );
}
