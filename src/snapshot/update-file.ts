/** Reads and writes the snapshot's update.json: when the last `update` ran, how it ended, and what the next has to know. */
import { isObject } from '../model/values.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { UPDATE_FILE } from './file-names.ts';

/** A larger file was not written by Microfiche. */
const MAX_BYTES = 64 * 1024;

/** How an update can end. */
export const OUTCOMES = ['complete', 'partial', 'too-few-records', 'locked', 'failed', 'interrupted'] as const;
/** How an update ended. */
export type Outcome = (typeof OUTCOMES)[number];

/** The content of the file. Times are ISO 8601 in UTC. */
export interface LastUpdate {
  /** When the last update started. */
  startedAt: string;
  /** When it ended; null while it is in progress, and after it was killed. */
  finishedAt: string | null;
  outcome: Outcome | null;
  exitCode: number | null;
  /** When the last update ended that brought the site up to date, with exit code 0 or 3. */
  succeededAt: string | null;
  /** Whether an update has built a site from this snapshot. */
  hasBuilt: boolean;
  /** Whether the last complete harvest of an update found too few records. */
  tooFewRecords: boolean;
  /** Changes since then are unreported: when the last `update` that built the site ended, or the first one started. */
  changesFrom: string;
}

const isTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(value) && !Number.isNaN(Date.parse(value));
const isTimeOrNull = (value: unknown) => value === null || isTime(value);
const isFlag = (value: unknown) => typeof value === 'boolean';

/** Whether each value of the file is valid. */
const IS_VALID: Readonly<Record<keyof LastUpdate, (value: unknown) => boolean>> = {
  startedAt: isTime,
  finishedAt: isTimeOrNull,
  outcome: (value) => value === null || (OUTCOMES as readonly unknown[]).includes(value),
  exitCode: (value) => value === null || Number.isSafeInteger(value),
  succeededAt: isTimeOrNull,
  hasBuilt: isFlag,
  tooFewRecords: isFlag,
  changesFrom: isTime,
};

/** Returns what is known of a snapshot directory's last update; undefined if there was none, or the file is invalid. */
export function readLastUpdate(dir: string): LastUpdate | undefined {
  const read = readJsonFile(dir, UPDATE_FILE, MAX_BYTES);
  if (!isObject(read) || !Object.entries(IS_VALID).every(([name, isValid]) => isValid(read[name]))) return undefined;
  return read as unknown as LastUpdate;
}

/** Replaces the file in the snapshot directory `dir`. */
export function writeLastUpdate(dir: string, update: LastUpdate): void {
  replaceFile(toSafeDirectory(dir), UPDATE_FILE, `${JSON.stringify(update, undefined, 1)}\n`);
}

/** Deletes the file. */
export function deleteLastUpdate(dir: string): void {
  toSafeDirectory(dir).delete(UPDATE_FILE);
}
