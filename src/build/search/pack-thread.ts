/** Writes the packs of the parts of a search index in threads. */

import { chosenThreads, possibleThreads } from '../../platform/thread-count.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import { type PacksToWrite, writeIndexPacks } from '../../publish/packs/index-packs.ts';

const ROLE = 'microfiche-packs';
/** Memory that a thread takes at most, in bytes. */
const THREAD_MEMORY = 256 * 1024 * 1024;

/** Writes the packs of several parts, side by side if there are cores and memory for it. */
export async function writePacksOfParts(parts: readonly PacksToWrite[]): Promise<void> {
  const threads = Math.min(parts.length, chosenThreads() ?? possibleThreads(THREAD_MEMORY));
  if (threads < 2) for (const part of parts) writeIndexPacks(part);
  else await runInThreads(threads, { module: import.meta.filename, role: ROLE, setting: undefined }, parts);
}

doTasks(ROLE, () => writeIndexPacks);
