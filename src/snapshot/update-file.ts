/** Reads and writes the snapshot's update.json: when the last `update` ran, how it ended, and what the next has to know. */
import { z } from 'zod';
import { readJsonFile } from '../platform/read-json-file.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { UPDATE_FILE } from './file-names.ts';
import { isMoment } from './rows.ts';

/** A larger file was not written by Microfiche. */
const MAX_BYTES = 64 * 1024;

/** How an update can end. */
export const OUTCOMES = ['complete', 'partial', 'too-few-records', 'locked', 'failed', 'interrupted'] as const;
/** How an update ended. */
export type Outcome = (typeof OUTCOMES)[number];

const time = z.string().refine(isMoment);
const schema = z.object({
  startedAt: time,
  /** When it ended; null while it is in progress, and after it was killed. */
  finishedAt: time.nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  exitCode: z.int().nullable(),
  /** When the last update ended that brought the site up to date, with exit code 0 or 3. */
  succeededAt: time.nullable(),
  /** Whether an update has built a site from this snapshot. */
  hasBuilt: z.boolean(),
  /** Whether the last complete harvest of an update found too few records. */
  tooFewRecords: z.boolean(),
  /** Changes since then are unreported: when the last `update` that built the site ended, or the first one started. */
  changesFrom: time,
});

/** The content of the file. Times are ISO 8601 in UTC. */
export type LastUpdate = z.infer<typeof schema>;

/** Returns what is known of a snapshot directory's last update; undefined if there was none, or the file is invalid. */
export function readLastUpdate(dir: string): LastUpdate | undefined {
  return schema.safeParse(readJsonFile(dir, UPDATE_FILE, MAX_BYTES)).data;
}

/** Replaces the file in the snapshot directory `dir`. */
export function writeLastUpdate(dir: string, update: LastUpdate): void {
  replaceFile(toSafeDirectory(dir), UPDATE_FILE, `${JSON.stringify(update, undefined, 1)}\n`);
}

/** Deletes the file. */
export function deleteLastUpdate(dir: string): void {
  toSafeDirectory(dir).delete(UPDATE_FILE);
}
