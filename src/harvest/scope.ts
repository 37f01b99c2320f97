/** Which resources belong to a harvest that is limited to some collections: all below them, and the records above them, which breadcrumbs name. */
import type { Resource } from '../model/resources.ts';

export interface Scope {
  /** Sorted; empty where nothing is left out. */
  collections: readonly string[];
  /** Undefined where nothing is left out. The guide belongs to no collection and is left out of every limited harvest. */
  includes: ((resource: Resource) => boolean) | undefined;
}

/** The scope of some collections; of everything where there are none. */
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

/** Whether an id is another one or stands below it. */
export function isBelow(id: string, above: string): boolean {
  return id === above || id.startsWith(`${above}-`);
}

/** Whether a scope leaves nothing out that another one includes. */
export function covers(wide: Scope, narrow: Scope): boolean {
  if (wide.includes === undefined) return true;
  return narrow.includes !== undefined && narrow.collections.every((id) => wide.collections.some((one) => isBelow(id, one)));
}
