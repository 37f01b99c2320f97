/** Reads lists to their end by the server's own word, keeps count of what each says it holds and what was seen of it, and reads again what does not add up. */
import { entryName, type ListPage } from '../model/lists.ts';
import { keyOf, type ListKind, type Resource } from '../model/resources.ts';

/** A list of which fewer entries were seen than it names. */
export interface Shortfall {
  kind: ListKind;
  /** The id of the record whose list it is; empty for the authors. */
  name: string;
  /** Distinct entries seen. */
  seen: number;
  /** The smallest total that the list named in the last pass; where it went up and down, the smallest of all. */
  total: number;
  passes: number;
}

export interface Lists {
  /** Counts a page in, and gives the pages of its list to ask for next. */
  read(resource: Resource, page: ListPage): Resource[];
  /** Notes a page that could not be had, and gives the one behind it, where there should be one. */
  failed(resource: Resource): Resource[];
  /** The first pages of another pass over each list that does not add up; empty when nothing is left to try. */
  again(): Resource[];
  /** What is missing in the end. `elsewhere` gives the entries of a list that other ways have found. */
  shortfalls(elsewhere: (kind: ListKind, name: string) => Iterable<string>): Shortfall[];
}

/** Page length to ask for; the service answers with its own (docs/upstream-api.md, “Paging”). */
export const PAGE_LIMIT = 25;
/** Times that a list is read; each pass asks for another page length, which puts the boundaries elsewhere: there, nothing repeats or drops. */
const MAX_PASSES = 3;
const SHORTER_EACH_PASS = 3;
/** Pages in a row that may bring a pass nothing new while the list says that there is more, or that there is a next one. */
const MAX_BARREN = 10;
const MAX_BARREN_WITHOUT_TOTAL = 3;
/** Pages in a row that may fail. */
const MAX_FAILED = 2;
/** No list is read further than this, whatever it says. */
const MAX_ENTRIES = 1_000_000;

interface Pass {
  limit: number;
  seen: Set<string>;
  least: number | undefined;
  most: number | undefined;
  /** Pages in a row, the last ones, that brought nothing new or could not be had. */
  barren: number;
  failed: number;
  /** Where the first page stood of those that failed in a row last. */
  failedAt: number | undefined;
  /** Entries on the last page that had any. */
  step: number;
}

interface List {
  kind: ListKind;
  name: string;
  seen: Set<string>;
  passes: Pass[];
  /** The total that was named last, and whether it ever grew or shrank from page to page. */
  named: number | undefined;
  grew: boolean;
  shrank: boolean;
}

/** The first page of a list. */
export function firstPage(kind: ListKind, name: string, limit = PAGE_LIMIT): Resource {
  return { kind, name, page: { limit, offset: 0 } };
}

export function createLists(): Lists {
  const lists = new Map<string, List>();

  function passOf({ kind, name, page }: Resource): { list: List; pass: Pass; offset: number } {
    const { limit, offset } = page ?? { limit: 0, offset: 0 };
    const key = keyOf({ kind, name });
    const list: List = lists.get(key) ?? {
      kind: kind as ListKind,
      name,
      seen: new Set(),
      passes: [],
      named: undefined,
      grew: false,
      shrank: false,
    };
    lists.set(key, list);
    let pass = list.passes.find((one) => one.limit === limit);
    if (!pass) {
      pass = { limit, seen: new Set(), least: undefined, most: undefined, barren: 0, failed: 0, failedAt: undefined, step: 0 };
      list.passes.push(pass);
    }
    return { list, pass, offset };
  }

  return {
    read(resource, page) {
      const { list, pass, offset } = passOf(resource);
      const before = pass.seen.size;
      for (const item of page.items) {
        const name = entryName(item);
        if (name === undefined) continue;
        list.seen.add(name);
        pass.seen.add(name);
      }
      if (page.total !== undefined) {
        list.grew ||= page.total > (list.named ?? page.total);
        list.shrank ||= page.total < (list.named ?? page.total);
        list.named = page.total;
        pass.least = Math.min(pass.least ?? page.total, page.total);
        pass.most = Math.max(pass.most ?? page.total, page.total);
      }
      pass.barren = pass.seen.size > before ? 0 : pass.barren + 1;
      pass.failed = 0;
      if (page.count > 0) pass.step = page.count;
      const next = nextPages(pass, page, offset);
      if (next.length === 0 && addsUp(list)) lists.delete(keyOf({ kind: list.kind, name: list.name })); // settled: nothing of it is needed any more
      return next.map((at) => ({
        kind: list.kind,
        name: list.name,
        page: { limit: pass.limit, offset: at.offset },
        ...at.guess,
      }));
    },
    failed(resource) {
      const { list, pass, offset } = passOf(resource);
      if (pass.failed === 0) pass.failedAt = offset;
      pass.failed++;
      const behind = offset + pass.step;
      if (pass.step === 0 || pass.failed >= MAX_FAILED || pass.most === undefined || behind >= pass.most) return [];
      return [{ kind: list.kind, name: list.name, page: { limit: pass.limit, offset: behind }, guess: true }];
    },
    again() {
      return [...lists.values()]
        .filter((list) => list.passes.length < MAX_PASSES && !addsUp(list) && !isHopeless(list))
        .map(({ kind, name, passes }) => firstPage(kind, name, PAGE_LIMIT - SHORTER_EACH_PASS * passes.length));
    },
    shortfalls(elsewhere) {
      return [...lists.values()].flatMap((list) => {
        const { kind, name, passes } = list;
        const total = believable(list);
        if (list.seen.size >= total) return [];
        for (const id of elsewhere(kind, name)) list.seen.add(id);
        return list.seen.size < total ? [{ kind, name, seen: list.seen.size, total, passes: passes.length }] : [];
      });
    },
  };
}

/** Where the list goes on. The server's word comes first; where it has none, or one that leads back, the length of its page leads on, as a guess. */
function nextPages(pass: Pass, page: ListPage, asked: number): Array<{ offset: number; guess: { guess?: true } }> {
  const here = page.offset ?? asked;
  const { nextOffset: named } = page;
  const total = pass.most;
  const behind = pass.step > 0 ? here + pass.step : undefined;
  const next: Array<{ offset: number; guess: { guess?: true } }> = [];
  if (named !== undefined && named !== asked) next.push({ offset: named, guess: {} });
  const leadsOn = named !== undefined && named > here;
  if (!leadsOn && behind !== undefined && behind !== named && (total === undefined ? !page.last : behind < total)) {
    next.push({ offset: behind, guess: { guess: true } });
  }
  return next.filter(({ offset }) => {
    if (pass.seen.size >= MAX_ENTRIES) return false;
    if (pass.barren === 0) return true;
    return total === undefined
      ? named !== undefined && pass.barren < MAX_BARREN_WITHOUT_TOTAL
      : offset < total && pass.barren < MAX_BARREN;
  });
}

/** The total to hold a list against: the smallest of the last pass; of one that goes up and down, the smallest of all. */
function believable({ passes, grew, shrank }: List): number {
  const named = passes.flatMap(({ least }) => least ?? []);
  return grew && shrank ? Math.min(...named) : (named.at(-1) ?? 0);
}

/** Whether the last pass saw a total that stood still, and all passes together as many entries. */
function addsUp({ seen, passes }: List): boolean {
  const last = passes.at(-1);
  if (!last || last.failedAt !== undefined) return false;
  return last.most === undefined || (last.least === last.most && seen.size >= last.most);
}

/** Whether another pass would end like the last: the list does not answer at all, or no further than to where everything was seen. */
function isHopeless({ passes }: List): boolean {
  const last = passes.at(-1);
  if (last?.failedAt === undefined) return false;
  return last.step === 0 || (last.failed >= MAX_FAILED && last.seen.size >= last.failedAt);
}
