/** Misbehaviour on purpose, so that a harvest can be tested against the service's bad days (docs/upstream-api.md, “Paging”). */

export const FAULTS = ['boundary-repeat', 'moving-total'] as const;
export type Fault = (typeof FAULTS)[number];

/** Cuts a page out of a list, with the faults that were asked for. `list` tells one list from another. */
export type Cut = <T>(list: string, all: T[], offset: number, limit: number) => { objects: T[]; total: number };

export function cutter(faults: ReadonlySet<Fault>): Cut {
  /** How often each list was asked for. */
  const calls = new Map<string, number>();
  return (list, all, offset, limit) => {
    const call = (calls.get(list) ?? 0) + 1;
    calls.set(list, call);
    const shift = faults.has('boundary-repeat') && offset > 0 ? 1 : 0;
    const total = faults.has('moving-total') && all.length > limit && call % 2 === 0 ? all.length + 1 : all.length;
    // The last page keeps its end, so that a repeat alone loses nothing.
    const end = offset + limit >= all.length ? all.length : offset + limit - shift;
    return { objects: all.slice(Math.max(0, offset - shift), end), total };
  };
}
