/** Creates the report of an update from the reports of its steps and the state of the snapshot. */
import { resolve } from 'node:path';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import type { Withholding } from '../../catalogue/read/withholding.ts';
import { isExpected } from '../../model/errors.ts';
import { readArticle, readSource } from '../../model/guide/guide.ts';
import { parseRecord } from '../../model/records.ts';
import type { ResourceKind } from '../../model/resources.ts';
import { toPlainText, truncateWords } from '../../model/text/text.ts';
import { freeDiskSpace } from '../../platform/disk-space.ts';
import { undefinedIf } from '../../platform/expected-errors.ts';
import { changesSince } from '../../snapshot/changes.ts';
import { readPayload } from '../../snapshot/read.ts';
import { hasSnapshot, openSnapshot, type Store } from '../../snapshot/store.ts';
import type { LastUpdate } from '../../snapshot/update-file.ts';
import { readSnapshotStatus } from './snapshot-status.ts';
import * as reports from './update-report.ts';
import type { StepResults, UpdateTarget } from './update-steps.ts';

/** The part of a report that is known without the snapshot. */
export type UpdateFrame = Pick<
  reports.UpdateReport,
  'outcome' | 'exitCode' | 'messages' | 'startedAt' | 'finishedAt' | 'succeededAt' | 'steps'
>;

/** Returns the report. The time it takes to read the snapshot is not part of the duration. */
export function createUpdateReport(
  { snapshot, out, baseUrls, withholding }: UpdateTarget,
  frame: UpdateFrame,
  { results, last }: { results: StepResults; last?: LastUpdate },
): reports.UpdateReport {
  const { media, build, verify } = results;
  const duration = (Date.parse(frame.finishedAt) - Date.parse(frame.startedAt)) / 1000;
  const known = readIfExists(snapshot, (store) => ({
    records: reports.summarizeSnapshot(readSnapshotStatus(store, out)),
    ...(last ? { changes: listChanges(store, last.changesFrom, withholding) } : {}),
  }));
  const freeBytes = known ? freeDiskSpace(snapshot) : Number.NaN;
  const { succeededAt, steps, ...begun } = frame;
  return {
    ...begun,
    duration,
    succeededAt,
    authorsUrl: baseUrls.authors,
    catalogUrl: baseUrls.catalog,
    snapshot: resolve(snapshot),
    out: resolve(out),
    steps,
    ...(Number.isFinite(freeBytes) ? { freeBytes } : {}),
    ...known,
    ...(media ? { media: reports.summarizeMedia(media) } : {}),
    ...(build ? { site: reports.summarizeBuild(build) } : {}),
    ...(verify ? { verify: reports.summarizeAudits(verify) } : {}),
  };
}

/** Reads the snapshot; undefined if there is none, or if it is damaged, which is then the reason why the update failed. */
function readIfExists<T>(snapshot: string, read: (store: Store) => T): T | undefined {
  return undefinedIf(isExpected, () => {
    if (!hasSnapshot(snapshot)) return undefined;
    using store = openSnapshot(snapshot);
    return read(store);
  });
}

/**
 * Returns what changed since a time (ISO 8601 in UTC). A report may be sent on: titles of records that are withheld or that the
 * archive does not publish are left out.
 */
function listChanges(store: Store, since: string, withholding: Withholding): reports.ListedChanges {
  const visible = createVisibleStore(store, { withholding, publicOnly: true });
  const list = (keys: readonly string[]): reports.Listed<reports.ChangedRecord> => {
    const { count, first } = reports.listFirst(keys);
    return { count, first: first.map((key) => ({ key, title: readTitle(visible, key) || null })) };
  };
  const { new: added, changed, restored, removed } = changesSince(store, since);
  return { since, new: list(added), changed: list(changed), restored: list(restored), removed: list(removed) };
}

const MAX_TITLE_LENGTH = 300;

/** Returns the title of a resource; undefined or empty if it has none, or if it is not visible. */
function readTitle(store: Store, key: string): string | undefined {
  const colon = key.indexOf(':');
  const [kind, name] = [key.slice(0, colon) as ResourceKind, key.slice(colon + 1)];
  const payload = readPayload(store, kind, name);
  if (payload === undefined) return undefined;
  const read = TITLES[kind];
  const title = read ? read(payload) : name;
  return title && truncateWords(toPlainText(title), MAX_TITLE_LENGTH);
}

/** The titles of resources by kind. The names of all others are titles. */
const TITLES: Readonly<Partial<Record<ResourceKind, (payload: unknown) => string | undefined>>> = {
  object: (payload) => parseRecord(payload)?.title,
  article: (payload) => readArticle(payload)?.title,
  source: (payload) => readSource(payload)?.caption,
};
