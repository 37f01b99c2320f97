/** How many threads a step of a build may use. */
import { availableParallelism } from 'node:os';

/** Returns the number of threads that MICROFICHE_THREADS sets; undefined if it sets none. */
export function chosenThreads(): number | undefined {
  const chosen = Number(process.env['MICROFICHE_THREADS'] ?? Number.NaN);
  return Number.isSafeInteger(chosen) && chosen > 0 ? chosen : undefined;
}

/** Whether a step runs in its own thread: if worthwhile, and with a second core, unless MICROFICHE_THREADS is set. */
export function runsAside(isWorthwhile: boolean): boolean {
  const chosen = chosenThreads();
  return chosen === undefined ? isWorthwhile && availableParallelism() > 1 : chosen > 1;
}

/** Returns the number of threads for which there are cores and free memory. `memory` is what one takes at most, in bytes. */
export function possibleThreads(memory: number): number {
  return Math.min(availableParallelism(), Math.floor(process.availableMemory() / 2 / memory));
}
