/** Finds out whether the clock of the computer is wrong, or was: the times in the snapshot are then wrong, too. */
import { parseHttpDate } from '../http/retry-after.ts';
import type { UpstreamResponse } from '../model/response.ts';

/** Clocks that differ less are of no consequence. */
const MAX_DIFFERENCE_MS = 86_400_000;

/** Returns a sentence about the clock if it differs from upstream’s, by the Date header of a response. */
export function compareClocks({
  url,
  fetchedAt,
  headers,
}: Pick<UpstreamResponse, 'url' | 'fetchedAt' | 'headers'>): string | undefined {
  const sent = parseHttpDate(headers['date']);
  if (sent === undefined) return undefined;
  const theirs = sent + Number(/^\d{1,9}$/.exec(headers['age'] ?? '') ?? 0) * 1000; // a cache has stored it since
  if (Math.abs(Date.parse(fetchedAt) - theirs) <= MAX_DIFFERENCE_MS) return undefined;
  const theirDay = new Date(theirs).toISOString().slice(0, 10);
  return `Warning: the clock of this computer says ${fetchedAt.slice(0, 10)}, that of ${new URL(url).host} ${theirDay}. If this computer’s is wrong, set it right and harvest again.`;
}

/** Returns a sentence about an earlier harvest that began in the future. */
export function findWrongClock(startedAt: string | undefined): string | undefined {
  if (startedAt === undefined || startedAt <= new Date().toISOString()) return undefined;
  return `Warning: the last harvest was in the future (${startedAt.slice(0, 10)}): the clock was wrong then, or is now. What it fetched is requested again.`;
}
