/** What a harvest begins with: the authors list, the records that the user names, and the catalog's index where it is wanted. */
import type { Client } from '../http/client.ts';
import { isFileRole, listsByShape, parseId } from '../model/ids.ts';
import type { Bases, Resource } from '../model/resources.ts';
import { askEarly } from './ask.ts';
import type { Before } from './before.ts';
import { INDEX } from './discover.ts';
import { firstPage } from './lists.ts';
import { preflight, type Ready } from './preflight.ts';

export interface Beginning {
  bases: Bases;
  /** Ids to begin with. */
  roots: string[];
  collections: string[];
  discover: boolean;
  limits: { maxDepth: number };
  signal?: AbortSignal;
}

/** Roots that are asked for before it is known whether there is an archive at all. */
const MOST_EARLY = 16;

/** Makes sure of both addresses. For an empty snapshot, the first of its roots are asked for at the same time. */
export async function begin(options: Beginning, client: Client, before: Before | undefined): Promise<Ready> {
  const { bases, roots, collections, signal } = options;
  const mistaken = new AbortController();
  const signals = [mistaken.signal, ...(signal ? [signal] : [])];
  const ready = preflight(bases, client, mayBeEmpty(options, before));
  const early =
    before || collections.length > 0
      ? []
      : askEarly(roots.slice(0, MOST_EARLY).map(root).flatMap(withChildren), {
          client,
          bases,
          maxDepth: options.limits.maxDepth,
          signal: AbortSignal.any(signals),
        });
  try {
    const { answers, ...known } = await ready;
    return { ...known, answers: new Map([...answers, ...early]) };
  } catch (error) {
    mistaken.abort();
    throw error;
  }
}

/** Whether an empty authors list is no mistake: there is something else to begin with. */
function mayBeEmpty({ roots, collections, discover }: Beginning, before: Before | undefined): boolean {
  return before?.run !== undefined || roots.length > 0 || collections.length > 0 || discover;
}

/** What a harvest begins with. Of these, the writer takes what belongs to its collections. */
export function seedsOf({ roots, collections, discover }: Beginning): Resource[] {
  return [firstPage('authors', ''), ...[...roots, ...collections].map(root), ...(discover ? [INDEX] : [])];
}

/** A root and, where its id is that of a repository, an organization or a collection, the list of what is in it: it is asked for whatever the record answers. */
function withChildren(top: Resource): Resource[] {
  const lists = listsByShape(top.name);
  return lists.length === 1 ? [top, firstPage('children', top.name)] : [top];
}

/** Where a user names a file role, its item is meant: the role has no record. */
export function root(id: string): Resource {
  return { kind: 'object', name: isFileRole(id) ? (parseId(id).parent as string) : id };
}
