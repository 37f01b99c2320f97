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
export function scopeOf(ids: readonly string[]): Scope {
  const collections = [...new Set(ids)].sort();
  if (collections.length === 0) return { collections, includes: undefined };
  return {
    collections,
    includes({ kind, name }) {
      if (kind === 'object') return collections.some((id) => isBelow(name, id) || isBelow(id, name));
      return (kind === 'children' || kind === 'files') && collections.some((id) => isBelow(name, id));
    },
  };
}

/** Whether an ID equals another one or is below it. */
export function isBelow(id: string, above: string): boolean {
  return id === above || id.startsWith(`${above}-`);
}

/** Whether the first scope includes everything that the second one does. */
export function covers(wide: Scope, narrow: Scope): boolean {
  if (wide.includes === undefined) return true;
  return narrow.includes !== undefined && narrow.collections.every((id) => wide.collections.some((one) => isBelow(id, one)));
}
