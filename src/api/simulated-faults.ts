/** Simulates faults of the service in list pages, for tests of a harvest (docs/upstream-api.md, "Paging"). */

/** Faults: an entry repeated at a page boundary, and a total that changes from request to request. */
export const FAULTS = ['boundary-repeat', 'moving-total'] as const;
/** The name of a fault. */
export type Fault = (typeof FAULTS)[number];

/** Returns a function that returns one page of a list, with the given faults. `list` identifies the list. */
export function createPageSlicer(faults: ReadonlySet<Fault>) {
  /** Number of requests per list. */
  const calls = new Map<string, number>();
  return <T>(list: string, all: T[], offset: number, limit: number) => {
    const call = (calls.get(list) ?? 0) + 1;
    calls.set(list, call);
    const shift = faults.has('boundary-repeat') && offset > 0 ? 1 : 0;
    const total = faults.has('moving-total') && all.length > limit && call % 2 === 0 ? all.length + 1 : all.length;
    // The last page ends at the end of the list, so that the repeated entry does not displace the last one.
    const end = offset + limit >= all.length ? all.length : offset + limit - shift;
    return { objects: all.slice(Math.max(0, offset - shift), end), total };
  };
}
