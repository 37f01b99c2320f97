/** Refills an empty frontier: incomplete lists, numbering gaps, known records that nothing names, transient failures. */
import { isObjectId } from '../model/ids.ts';
import type { ListKind, Resource } from '../model/resources.ts';
import { storedEntries } from '../snapshot/lists.ts';
import type { Store } from '../snapshot/store.ts';
import type { HarvestWriter } from '../snapshot/write.ts';
import type { IncompleteList, ListTracker } from './list-tracker.ts';

/**
 * Returns a function that returns whether it added resources. Transient failures are requested again once all else is done, and
 * then `onRetry` is called with their number. With `retryFailed`, known records that nothing names are not fetched.
 */
export function createRefill(
  store: Store,
  writer: HarvestWriter,
  listTracker: ListTracker,
  { probeGaps, retryFailed, onRetry }: { probeGaps: boolean; retryFailed: boolean; onRetry: (count: number) => void },
) {
  let hasRetried = false;
  let hasProbed = !probeGaps;

  function probe(): boolean {
    if (hasProbed) return false;
    hasProbed = true;
    const known = (kind: ListKind, name: string) => storedEntries(store, kind, name);
    const gaps = listTracker.incompleteLists(known).flatMap((list) => findGaps(list, known(list.kind, list.name)));
    return writer.enqueue(gaps).length > 0;
  }

  function retry(): boolean {
    if (hasRetried) return false;
    hasRetried = true;
    hasProbed = !probeGaps;
    const count = writer.requeueFailed('transient');
    onRetry(count);
    return count > 0;
  }

  return () =>
    writer.enqueue(listTracker.extraPasses()).length > 0 ||
    probe() ||
    // Known records that nothing references any more are fetched to detect removals.
    (!retryFailed && writer.enqueueUnvisited() > 0) ||
    retry();
}

/** Maximum IDs to request for one list. */
const MAX_GAPS = 100_000;

/**
 * Returns the IDs in the numbering gaps of an incomplete children list, as speculative resources, up to the highest known number
 * or the list's total, whichever is higher. `known` are the IDs that the snapshot has.
 */
export function findGaps({ kind, name, total }: IncompleteList, known: Iterable<string>): Resource[] {
  if (kind !== 'children') return [];
  const numbers = new Set<number>();
  for (const id of known) {
    const number = id.startsWith(`${name}-`) ? id.slice(name.length + 1) : '';
    if (/^\d{1,9}$/.test(number)) numbers.add(Number(number));
  }
  const gaps: Resource[] = [];
  const highest = numbers.values().reduce((max, number) => Math.max(max, number), total);
  for (let n = 1; n <= highest && gaps.length < MAX_GAPS; n++) {
    const id = `${name}-${n}`;
    if (!numbers.has(n) && isObjectId(id)) gaps.push({ kind: 'object', name: id, speculative: true });
  }
  return gaps;
}
