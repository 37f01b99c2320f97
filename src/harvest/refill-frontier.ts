/** Adds resources to an empty frontier: further passes over incomplete lists, numbering gaps, known records that nothing names, and transient failures. */
import type { ListKind } from '../model/resources.ts';
import { storedEntries } from '../snapshot/lists.ts';
import type { Store } from '../snapshot/store.ts';
import type { HarvestWriter } from '../snapshot/write.ts';
import { findGaps } from './gap-probing.ts';
import type { ListTracker } from './list-tracker.ts';

/** What is to be added, apart from further passes and transient failures. */
export interface RefillOptions {
  /** Whether to request the IDs in numbering gaps. */
  probeGaps: boolean;
  /** Whether to fetch only what failed in the last run, and thus no known records that nothing names. */
  retryFailed: boolean;
  /** Called when failed resources are requested once more, with their number. */
  onRetry: (count: number) => void;
}

/** Returns a function that returns whether it has added resources. Transient failures are requested once more, when nothing else is left. */
export function createRefill(
  store: Store,
  writer: HarvestWriter,
  listTracker: ListTracker,
  { probeGaps, retryFailed, onRetry }: RefillOptions,
): () => boolean {
  let hasRetried = false;
  let hasProbed = !probeGaps;

  function probe(): boolean {
    if (hasProbed) return false;
    hasProbed = true;
    const known = (kind: ListKind, name: string) => storedEntries(store, kind, name);
    const gaps = listTracker.incompleteLists(known).flatMap((list) => findGaps(list, known(list.kind, list.name)));
    return writer.enqueue(gaps, undefined).length > 0;
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
    writer.enqueue(listTracker.extraPasses(), undefined).length > 0 ||
    probe() ||
    // Known records that nothing references any more are fetched to detect removals.
    (!retryFailed && writer.enqueueUnvisited() > 0) ||
    retry();
}
