/** Creates the report of an update from the reports of its steps and the state of the snapshot. */
import { resolve } from 'node:path';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import type { Withholding } from '../../catalogue/read/withholding.ts';
import { isExpected } from '../../model/errors.ts';
import { readArticle, readSource } from '../../model/guide/guide.ts';
import { parseRecord } from '../../model/records.ts';
import type { ResourceKind } from '../../model/resources.ts';
import { toPlainText, truncateWords } from '../../model/text/text.ts';
import { changesSince } from '../../snapshot/changes.ts';
import { groupMissing } from '../../snapshot/missing-groups.ts';
import { readPayload } from '../../snapshot/read.ts';
import { hasSnapshot, openSnapshot, type Store } from '../../snapshot/store.ts';
import type { LastUpdate } from '../../snapshot/update-file.ts';
import { readSnapshotStatus } from './snapshot-status.ts';
import {
  type ChangedRecord,
  type Listed,
  type ListedChanges,
  listFirst,
  MAX_LISTED,
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
    records: summarizeSnapshot(store, out),
    ...(last ? { changes: listChanges(store, last.changesFrom, withholding) } : {}),
  }));
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
    ...known,
    ...(media ? { media: summarizeMedia(media) } : {}),
    ...(build ? { site: summarizeBuild(build) } : {}),
    ...(verify ? { verify: summarizeAudits(verify) } : {}),
  };
}

/** Reads the snapshot; undefined if there is none, or if it is damaged, which is then the reason why the update failed. */
function readIfExists<T>(snapshot: string, read: (store: Store) => T): T | undefined {
  try {
    if (!hasSnapshot(snapshot)) return undefined;
    using store = openSnapshot(snapshot);
    return read(store);
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  }
}

function summarizeSnapshot(store: Store, out: string): SnapshotSummary {
  const { counts, removed, failures, incompleteLists, media, site } = readSnapshotStatus(store, out);
  const { groups, missing, others } = groupMissing(failures);
  return {
    counts,
    removed,
    failures: listFirst([...others, ...missing]),
    missing: groups,
    incompleteLists: listFirst(incompleteLists),
    mediaFiles: media.files,
    mediaBytes: media.bytes,
    mediaFailed: media.failed,
    mediaQuarantined: media.quarantined.length,
    ...(site ? { siteFiles: site.files, siteBytes: site.bytes } : {}),
  };
}

/**
 * Returns what changed since a time (ISO 8601 in UTC). A report may be sent on: titles of records that are withheld or that the
 * archive does not publish are left out.
 */
function listChanges(store: Store, since: string, withholding: Withholding): ListedChanges {
  const changes = changesSince(store, since);
  const visible = createVisibleStore(store, { withholding, publicOnly: true });
  const list = (keys: readonly string[]): Listed<ChangedRecord> => ({
    count: keys.length,
    first: keys.slice(0, MAX_LISTED).map((key) => ({ key, title: readTitle(visible, key) || null })),
  });
  return {
    since,
    new: list(changes.new),
    changed: list(changes.changed),
    restored: list(changes.restored),
    removed: list(changes.removed),
  };
}

/** Maximum characters of a title. */
const MAX_TITLE_LENGTH = 300;

/** Returns the title of a resource; undefined or empty if it has none, or if it is not visible. */
function readTitle(store: Store, key: string): string | undefined {
  const colon = key.indexOf(':');
  const [kind, name] = [key.slice(0, colon) as ResourceKind, key.slice(colon + 1)];
  const payload = readPayload(store, kind, name);
  if (payload === undefined) return undefined;
  const title =
    kind === 'object'
      ? parseRecord(payload)?.title
      : kind === 'article'
        ? readArticle(payload)?.title
        : kind === 'source'
          ? readSource(payload)?.caption
          : name;
  return title && truncateWords(toPlainText(title), MAX_TITLE_LENGTH);
}
