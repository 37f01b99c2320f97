/** Warns if the clock of the computer is wrong, or was: the times in the snapshot are then wrong, too. */
import { parseHttpDate } from '../http/retry-after.ts';
import type { UpstreamResponse } from '../model/response.ts';

/** Receives a sentence for the operator. */
type OnWarning = ((line: string) => void) | undefined;

/** Clocks that differ less are of no consequence. */
const MAX_DIFFERENCE_MS = 86_400_000;

/** Returns a function that compares the clock with upstream’s, by the first response that has a Date header. */
export function createClockCheck(onWarning: OnWarning) {
  let isCompared = false;
  return ({ url, fetchedAt, headers: { date, age = '' } }: Pick<UpstreamResponse, 'url' | 'fetchedAt' | 'headers'>) => {
    const sent = isCompared ? undefined : parseHttpDate(date);
    if (sent === undefined) return;
    isCompared = true;
    const theirs = sent + Number(/^\d{1,9}$/.exec(age) ?? 0) * 1000; // a cache has stored it since
    if (Math.abs(Date.parse(fetchedAt) - theirs) <= MAX_DIFFERENCE_MS) return;
    const theirDay = new Date(theirs).toISOString().slice(0, 10);
    onWarning?.(
      `Warning: the clock of this computer says ${fetchedAt.slice(0, 10)}, that of ${new URL(url).host} ${theirDay}. If this computer’s is wrong, set it right and harvest again.`,
    );
  };
}

/** Warns of an earlier harvest that began in the future. */
export function warnOfFuture(startedAt: string | undefined, onWarning: OnWarning): void {
  if (startedAt === undefined || startedAt <= new Date().toISOString()) return;
  onWarning?.(
    `Warning: the last harvest was in the future (${startedAt.slice(0, 10)}): the clock was wrong then, or is now. What it fetched is requested again.`,
  );
}
