/** List paging: determines the next page, counts the entries of each list, and reads incomplete lists in up to three passes. */
import { entryIdentity, type ListPage } from '../model/lists.ts';
import { keyOf, type ListKind, type Resource } from '../model/resources.ts';

/** An incomplete list: fewer entries were seen than its total. */
export interface IncompleteList {
  kind: ListKind;
  /** The ID of the record that the list belongs to; empty for the authors list. */
  name: string;
  /** Distinct entries seen. */
  seen: number;
  /** Expected entries: the smallest total of the last pass, or of all passes if the total both grew and shrank. */
  total: number;
  passes: number;
}

/** Page length to request; the service may use its own (docs/upstream-api.md, "Paging"). */
export const PAGE_LIMIT = 25;
/** Maximum passes over a list. Each uses another page length, since entries are repeated or missing at page boundaries. */
const MAX_PASSES = 3;
const LIMIT_STEP_PER_PASS = 3;
/** Maximum consecutive pages without new entries, for a list whose total says that entries are missing. */
const MAX_PAGES_WITHOUT_NEW = 10;
/** The same for a list without a total that names a next page. */
const MAX_PAGES_WITHOUT_NEW_OR_TOTAL = 3;
/** Maximum consecutive pages that may fail. */
const MAX_FAILED_PAGES = 2;
/** Maximum entries to read from one list. */
const MAX_ENTRIES = 1_000_000;

type Pass = ReturnType<typeof createPass>;
type List = ReturnType<typeof createList>;

function createPass(limit: number) {
  return {
    limit,
    seen: new Set<string>(),
    minTotal: undefined as number | undefined,
    maxTotal: undefined as number | undefined,
    /** Consecutive pages, up to the last one, without new entries. */
    pagesWithoutNew: 0,
    /** Consecutive pages, up to the last one, that could not be fetched. */
    failedPages: 0,
    /** Offset of the first page of the latest consecutive failures. */
    failedFrom: undefined as number | undefined,
    /** Number of entries on the last page that was not empty. */
    pageLength: 0,
  };
}

function createList({ kind, name }: Resource) {
  return {
    kind: kind as ListKind,
    name,
    seen: new Set<string>(),
    passes: [] as Pass[],
    /** The latest total, and whether it ever grew or shrank from page to page. */
    lastTotal: undefined as number | undefined,
    totalGrew: false,
    totalShrank: false,
  };
}

/** Returns the first page of a list, as a resource. */
export function firstPage(kind: ListKind, name: string, limit = PAGE_LIMIT): Resource {
  return { kind, name, page: { limit, offset: 0 } };
}

/** The state of all lists of a run. */
export type ListTracker = ReturnType<typeof createListTracker>;

/** Returns an empty state, for the start of a run. */
export function createListTracker() {
  const lists = new Map<string, List>();

  function passOf(resource: Resource): { list: List; pass: Pass; offset: number } {
    const { limit, offset } = resource.page ?? { limit: 0, offset: 0 };
    const key = keyOf({ kind: resource.kind, name: resource.name });
    const list = lists.get(key) ?? createList(resource);
    lists.set(key, list);
    const known = list.passes.find((candidate) => candidate.limit === limit);
    const pass = known ?? createPass(limit);
    if (!known) list.passes.push(pass);
    return { list, pass, offset };
  }

  return {
    /** Counts the entries of a page, and returns the pages of its list to request next. */
    addPage(resource: Resource, page: ListPage): Resource[] {
      const { list, pass, offset } = passOf(resource);
      const before = pass.seen.size;
      for (const item of page.items) {
        const name = entryIdentity(item);
        if (name === undefined) continue;
        list.seen.add(name);
        pass.seen.add(name);
      }
      if (page.total !== undefined) {
        list.totalGrew ||= page.total > (list.lastTotal ?? page.total);
        list.totalShrank ||= page.total < (list.lastTotal ?? page.total);
        list.lastTotal = page.total;
        pass.minTotal = Math.min(pass.minTotal ?? page.total, page.total);
        pass.maxTotal = Math.max(pass.maxTotal ?? page.total, page.total);
      }
      pass.pagesWithoutNew = pass.seen.size > before ? 0 : pass.pagesWithoutNew + 1;
      pass.failedPages = 0;
      if (pass.failedFrom === offset) pass.failedFrom = undefined; // it was requested again
      if (page.entryCount > 0) pass.pageLength = page.entryCount;
      const next = nextPages(pass, page, offset);
      if (next.length === 0 && isComplete(list)) lists.delete(keyOf({ kind: list.kind, name: list.name })); // frees its memory
      const { kind, name } = list;
      return next.map(({ offset: at, ...rest }) => ({ kind, name, page: { limit: pass.limit, offset: at }, ...rest }));
    },
    /** Records that a page could not be fetched, and returns the page after it, if one is expected. */
    addFailedPage(resource: Resource): Resource[] {
      const { list, pass, offset } = passOf(resource);
      if (pass.failedPages === 0) pass.failedFrom = offset;
      pass.failedPages++;
      const afterPage = offset + pass.pageLength;
      if (
        pass.pageLength === 0 ||
        pass.failedPages >= MAX_FAILED_PAGES ||
        pass.maxTotal === undefined ||
        afterPage >= pass.maxTotal
      )
        return [];
      return [{ kind: list.kind, name: list.name, page: { limit: pass.limit, offset: afterPage }, speculative: true }];
    },
    /** Returns the first page of another pass over each incomplete list; empty if no further pass would help. */
    extraPasses() {
      return [...lists.values()]
        .filter((list) => list.passes.length < MAX_PASSES && !isComplete(list) && !isExhausted(list))
        .map(({ kind, name, passes }) => firstPage(kind, name, PAGE_LIMIT - LIMIT_STEP_PER_PASS * passes.length));
    },
    /** Returns the lists that stay incomplete. `elsewhere` returns a list's entries that were discovered otherwise. */
    incompleteLists(elsewhere: (kind: ListKind, name: string) => Iterable<string>): IncompleteList[] {
      return [...lists.values()].flatMap((list) => {
        const { kind, name, passes } = list;
        const total = expectedTotal(list);
        if (list.seen.size >= total) return [];
        for (const id of elsewhere(kind, name)) list.seen.add(id);
        return list.seen.size < total ? [{ kind, name, seen: list.seen.size, total, passes: passes.length }] : [];
      });
    },
  };
}

/**
 * Returns the pages to request after a page. The next offset that the response names comes first. If it names none, or one that
 * is not higher, the page's length gives the next offset, as a speculative request.
 */
function nextPages(pass: Pass, page: ListPage, requested: number) {
  const current = Math.max(page.offset ?? 0, requested);
  const { nextOffset: named } = page;
  const total = pass.maxTotal;
  const afterPage = pass.pageLength > 0 ? current + pass.pageLength : undefined;
  const next: Array<{ offset: number; speculative?: true }> = [];
  if (named !== undefined && named !== requested) next.push({ offset: named });
  const advances = named !== undefined && named > current;
  if (!advances && afterPage !== undefined && afterPage !== named && (total === undefined ? !page.isLast : afterPage < total)) {
    next.push({ offset: afterPage, speculative: true });
  }
  return next.filter(({ offset }) => {
    if (pass.seen.size >= MAX_ENTRIES) return false;
    if (pass.pagesWithoutNew === 0) return true;
    return total === undefined
      ? named !== undefined && pass.pagesWithoutNew < MAX_PAGES_WITHOUT_NEW_OR_TOTAL
      : offset < total && pass.pagesWithoutNew < MAX_PAGES_WITHOUT_NEW;
  });
}

/** Returns the total that a list must reach: the smallest of the last pass, or of all if the total both grew and shrank. */
function expectedTotal({ passes, totalGrew, totalShrank }: List): number {
  const totals = passes.flatMap(({ minTotal }) => minTotal ?? []);
  return totalGrew && totalShrank ? Math.min(...totals) : (totals.at(-1) ?? 0);
}

/** Whether the total was constant in the last pass, and all passes together found that number of entries. */
function isComplete({ seen, passes }: List): boolean {
  const last = passes.at(-1);
  if (!last || last.failedFrom !== undefined) return false;
  return last.maxTotal === undefined || (last.minTotal === last.maxTotal && seen.size >= last.maxTotal);
}

/** Whether another pass would not help: no page was fetched, or all entries before the first failed last page were seen. */
function isExhausted({ passes }: List): boolean {
  const last = passes.at(-1);
  if (last?.failedFrom === undefined) return false;
  return last.pageLength === 0 || (last.failedPages >= MAX_FAILED_PAGES && last.seen.size >= last.failedFrom);
}
