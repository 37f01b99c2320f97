/** Creates the report of an update from the reports of its steps and the state of the snapshot. */
import { resolve } from 'node:path';
import { isExpected } from '../../model/errors.ts';
import type { Store } from '../../snapshot/store.ts';
import { hasSnapshot, openSnapshot } from '../../snapshot/store.ts';
import type { LastUpdate } from '../../snapshot/update-file.ts';
import { readSnapshotStatus } from '../snapshot-status.ts';
import { listChanges } from './changed-records.ts';
import {
  listFirst,
  type SnapshotSummary,
  summarizeAudits,
  summarizeBuild,
  summarizeMedia,
  type UpdateReport,
} from './update-report.ts';
import type { StepResults, UpdateTarget } from './update-steps.ts';

/** The part of a report that is known without the snapshot. */
export type UpdateFrame = Pick<
  UpdateReport,
  'outcome' | 'exitCode' | 'messages' | 'startedAt' | 'finishedAt' | 'succeededAt' | 'steps'
>;

/** Returns the report. The time it takes to read the snapshot is not part of the duration. */
export function createUpdateReport(
  { snapshot, out, baseUrls, withholding }: UpdateTarget,
  frame: UpdateFrame,
  { results, last }: { results: StepResults; last?: LastUpdate },
): UpdateReport {
  const { media, build, verify } = results;
  const duration = (Date.parse(frame.finishedAt) - Date.parse(frame.startedAt)) / 1000;
  const known = readIfExists(snapshot, (store) => ({
    records: summarizeSnapshot(store, snapshot, out),
    ...(last ? { changes: listChanges(store, last.changesFrom, withholding) } : {}),
  }));
  const { outcome, exitCode, messages, startedAt, finishedAt, succeededAt, steps } = frame;
  return {
    ...{ outcome, exitCode, messages, startedAt, finishedAt, duration, succeededAt },
    ...{ authorsUrl: baseUrls.authors, catalogUrl: baseUrls.catalog },
    ...{ snapshot: resolve(snapshot), out: resolve(out), steps, ...known },
    ...(media ? { media: summarizeMedia(media) } : {}),
    ...(build ? { site: summarizeBuild(build) } : {}),
    ...(verify ? { verify: summarizeAudits(verify) } : {}),
  };
}

/** Reads the snapshot; undefined if there is none, or if it is damaged, which is then the reason why the update failed. */
function readIfExists<T>(snapshot: string, read: (store: Store) => T): T | undefined {
  let store: Store | undefined;
  try {
    if (!hasSnapshot(snapshot)) return undefined;
    store = openSnapshot(snapshot);
    return read(store);
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  } finally {
    store?.close();
  }
}

function summarizeSnapshot(store: Store, snapshot: string, out: string): SnapshotSummary {
  const { counts, gone: removed, failures, shortfalls, media, site } = readSnapshotStatus(store, snapshot, out);
  return {
    ...{ counts, removed },
    failures: listFirst(failures),
    incompleteLists: listFirst(shortfalls),
    ...{ mediaFiles: media.files, mediaBytes: media.bytes },
    ...{ mediaFailed: media.failed, mediaQuarantined: media.quarantined.length },
    ...(site ? { siteFiles: site.files, siteBytes: site.bytes } : {}),
  };
}
