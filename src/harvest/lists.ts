/** Keeps count of what each list says it holds and what was seen of it, so that a repeat is harmless, a drop is noticed, and no list goes round for ever. */
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
  /** Counts a page in. False when the pass that it belongs to (the same page length) had every entry of it already. */
  note(resource: Resource, page: ListPage): boolean;
  /** The lists of which fewer entries were seen than the largest total that they named: worth another pass. */
  short(): ListTally[];
  tallies(): ListTally[];
}

interface Reading {
  resource: Resource;
  seen: Set<string>;
  /** What each pass has seen, by its page length. */
  passes: Map<number, Set<string>>;
  totals: Set<number>;
}

export function createLists(): Lists {
  const lists = new Map<string, Reading>();

  function tally({ resource, seen, totals }: Reading): ListTally {
    const total = totals.size > 0 ? Math.min(...totals) : seen.size;
    return { kind: resource.kind as ListTally['kind'], name: resource.name, seen: seen.size, total };
  }

  return {
    note(resource, page) {
      const key = keyOf({ kind: resource.kind, name: resource.name });
      const list = lists.get(key) ?? { resource, seen: new Set(), passes: new Map(), totals: new Set() };
      lists.set(key, list);
      const limit = resource.page?.limit ?? 0;
      const pass = list.passes.get(limit) ?? new Set<string>();
      list.passes.set(limit, pass);
      const before = pass.size;
      for (const item of page.items) {
        const id = item['id'] ?? item['title'];
        if (typeof id !== 'string') continue;
        list.seen.add(id);
        pass.add(id);
      }
      if (page.total !== undefined) list.totals.add(page.total);
      return pass.size > before;
    },
    tallies: () => [...lists.values()].map(tally),
    short: () => [...lists.values()].filter(({ seen, totals }) => seen.size < Math.max(0, ...totals)).map(tally),
  };
}
