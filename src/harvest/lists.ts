/** Keeps count of what each list says it holds and what was seen of it, so that a repeat is harmless and a drop is noticed. */
import type { ListPage } from '../model/lists.ts';
import { keyOf, type Resource } from '../model/resources.ts';

/** What was seen of a list after all passes. */
export interface ListTally {
  kind: 'authors' | 'children' | 'files';
  name: string;
  /** Distinct entries seen. */
  seen: number;
  /** The total that the list named; where it moved, the smallest. */
  total: number;
}

export interface Lists {
  note(resource: Resource, page: ListPage): void;
  /** The lists of which fewer entries were seen than the largest total that they named: worth another pass. */
  short(): ListTally[];
  tallies(): ListTally[];
}

interface Reading {
  resource: Resource;
  seen: Set<string>;
  totals: number[];
}

export function createLists(): Lists {
  const lists = new Map<string, Reading>();

  function tally({ resource, seen, totals }: Reading): ListTally {
    const total = totals.length > 0 ? Math.min(...totals) : seen.size;
    return { kind: resource.kind as ListTally['kind'], name: resource.name, seen: seen.size, total };
  }

  return {
    note(resource, page) {
      const key = keyOf({ kind: resource.kind, name: resource.name });
      const list = lists.get(key) ?? { resource, seen: new Set<string>(), totals: [] };
      lists.set(key, list);
      for (const item of page.items) {
        const id = item['id'] ?? item['title'];
        if (typeof id === 'string') list.seen.add(id);
      }
      if (page.total !== undefined && !list.totals.includes(page.total)) list.totals.push(page.total);
    },
    tallies: () => [...lists.values()].map(tally),
    short: () => [...lists.values()].filter(({ seen, totals }) => seen.size < Math.max(0, ...totals)).map(tally),
  };
}
