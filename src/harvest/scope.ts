/** The scope of a harvest with `--collection`: the collections, everything below them, and their ancestors. */
import type { Resource } from '../model/resources.ts';

/** The part of an archive that a harvest covers. */
export interface Scope {
  /** Sorted IDs; empty for the entire archive. */
  collections: readonly string[];
  /** Undefined for the entire archive. The guide belongs to no collection, so a limited harvest leaves it out. */
  includes: ((resource: Resource) => boolean) | undefined;
}

/** Returns the scope of some collections, or of the entire archive if there are none. */
export function createScope(ids: readonly string[]): Scope {
  const collections = [...new Set(ids)].sort();
  if (collections.length === 0) return { collections, includes: undefined };
  return {
    collections,
    includes({ kind, name }) {
      if (kind === 'narrator') return true; // whom records in the scope name
      if (kind === 'object') return collections.some((id) => isSameOrBelow(name, id) || isSameOrBelow(id, name));
      return (kind === 'children' || kind === 'files') && collections.some((id) => isSameOrBelow(name, id));
    },
  };
}

/** Whether an ID equals another one or is below it. */
export const isSameOrBelow = (id: string, ancestorId: string): boolean => id === ancestorId || id.startsWith(`${ancestorId}-`);

/** Whether the first scope includes everything that the second one does. */
export function includesScope(wide: Scope, narrow: Scope): boolean {
  if (wide.includes === undefined) return true;
  return (
    narrow.includes !== undefined && narrow.collections.every((id) => wide.collections.some((one) => isSameOrBelow(id, one)))
  );
}
