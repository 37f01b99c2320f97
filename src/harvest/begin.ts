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

/** At most this many roots are asked for before both base addresses are known to be right. */
const MOST_EARLY = 16;

/** Checks both base addresses. Where there is no snapshot yet, the first roots are asked for at the same time. */
export async function begin(options: Beginning, client: Client, before: Before | undefined): Promise<Ready> {
  const { bases, roots, collections, signal } = options;
  const cancelEarly = new AbortController();
  const signals = [cancelEarly.signal, ...(signal ? [signal] : [])];
  const ready = preflight(bases, client, { mayBeEmpty: mayBeEmpty(options, before), signal });
  const early =
    before || collections.length > 0
      ? []
      : askEarly(firstOf(roots), {
          client,
          bases,
          maxDepth: options.limits.maxDepth,
          signal: AbortSignal.any(signals),
        });
  try {
    const { answers, ...known } = await ready;
    return { ...known, answers: new Map([...answers, ...early]) };
  } catch (error) {
    cancelEarly.abort();
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

/**
 * The first roots, each once, and for a repository, an organization or a collection the list of what is in it. Nearly every such record
 * names that list; where one does not, the list's answer is left unused.
 */
function firstOf(roots: string[]): Resource[] {
  const names = new Set(roots.map((id) => root(id).name));
  return [...names].slice(0, MOST_EARLY).flatMap((name) => {
    const top: Resource = { kind: 'object', name };
    return listsByShape(name).length === 1 ? [top, firstPage('children', name)] : [top];
  });
}

/** Where a user names a file role, its item is meant: the role has no record. */
export function root(id: string): Resource {
  return { kind: 'object', name: isFileRole(id) ? (parseId(id).parent as string) : id };
}
