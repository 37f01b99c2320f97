/** Seeds of a harvest: the authors list, the records that the operator names, and with `--discover` the catalog index. */
import type { Client } from '../http/client.ts';
import { isFileRole, listsByShape, parseId } from '../model/ids.ts';
import type { Bases, Resource } from '../model/resources.ts';
import { askEarly } from './ask.ts';
import type { Before } from './before.ts';
import { INDEX } from './discover.ts';
import { firstPage } from './lists.ts';
import { preflight, type Ready } from './preflight.ts';

/** The options of a harvest that determine its seeds. */
export interface Beginning {
  bases: Bases;
  /** IDs of seed records. */
  roots: string[];
  collections: string[];
  discover: boolean;
  limits: { maxDepth: number };
  signal?: AbortSignal;
}

/** Maximum seed records to request before both base URLs are known to be right. */
const MAX_EARLY = 16;

/**
 * Checks both base URLs. For a new snapshot, requests the first seed records at the same time.
 *
 * @throws {UserError} if upstream cannot be used, see `preflight`
 */
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

/** Whether the authors list may be empty, because the harvest has other seeds. */
function mayBeEmpty({ roots, collections, discover }: Beginning, before: Before | undefined): boolean {
  return before?.run !== undefined || roots.length > 0 || collections.length > 0 || discover;
}

/** Returns the seeds of a harvest. The writer drops those outside the harvest's scope. */
export function seedsOf({ roots, collections, discover }: Beginning): Resource[] {
  return [firstPage('authors', ''), ...[...roots, ...collections].map(root), ...(discover ? [INDEX] : [])];
}

/**
 * Returns the first seed records without duplicates, and for a repository, an organization or a collection also the list of its children.
 * Nearly every such record names that list; if one does not, the response is not used.
 */
function firstOf(roots: string[]): Resource[] {
  const names = new Set(roots.map((id) => root(id).name));
  return [...names].slice(0, MAX_EARLY).flatMap((name) => {
    const top: Resource = { kind: 'object', name };
    return listsByShape(name).length === 1 ? [top, firstPage('children', name)] : [top];
  });
}

/** Returns the seed for an ID. A file role has no record, so its item is the seed. */
export function root(id: string): Resource {
  return { kind: 'object', name: isFileRole(id) ? (parseId(id).parent as string) : id };
}
