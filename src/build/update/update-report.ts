/** The report of an update: what `update --json` prints and `--report-to` writes (docs/reports.md). */
import type { FileFailure, MediaReport } from '../../media/media-report.ts';
import { EXIT_CODES } from '../../model/exit-codes.ts';
import type { FixityCheck } from '../../publish/fixity-log.ts';
import { groupMissing } from '../../snapshot/missing-groups.ts';
import type { Outcome } from '../../snapshot/update-file.ts';
import type { BuildReport } from '../steps/build-report.ts';
import type { readSnapshotStatus } from './snapshot-status.ts';

/** The steps, in their order. */
export const STEPS = ['harvest', 'media', 'build', 'verify'] as const;
/** The name of a step. */
export type Step = (typeof STEPS)[number];

/** The exit code of each outcome. A usage error exits 2, without a report. */
export const OUTCOME_EXIT_CODES: Readonly<Record<Outcome, number>> = {
  complete: EXIT_CODES.success,
  failed: EXIT_CODES.failure,
  interrupted: EXIT_CODES.interrupted,
  partial: EXIT_CODES.incomplete,
  'too-few-records': EXIT_CODES.tooFewRecords,
  locked: EXIT_CODES.locked,
};

/** Maximum items of a list in the report, so that a report of a large archive stays small. */
const MAX_LISTED = 1_000;

/** A list of any length, of which the report has the first items. */
export interface Listed<T> {
  count: number;
  first: T[];
}

/** Returns the first items of a list, and the number of all. */
export function listFirst<T>(items: readonly T[], limit = MAX_LISTED): Listed<T> {
  return { count: items.length, first: items.slice(0, limit) };
}

/** A record that changed. */
export interface ChangedRecord {
  /** Key of the resource: `object:demo-org-1`. */
  key: string;
  /** Null if it has none, or if the public does not see the record. */
  title: string | null;
}

/** What records can be since a time. */
export const CHANGES = ['new', 'changed', 'restored', 'removed'] as const;

/** What changed since a time. */
export interface ListedChanges extends Record<(typeof CHANGES)[number], Listed<ChangedRecord>> {
  /** ISO 8601 in UTC: when the last update ended that built the site, or when the first one started. */
  since: string;
}

/** How one step went. */
export interface StepReport {
  step: Step;
  state: 'done' | 'failed' | 'interrupted';
  seconds: number;
  cause?: string;
}

/** The report of an update. Times are ISO 8601 in UTC, durations are in seconds. */
export interface UpdateReport {
  outcome: Outcome;
  exitCode: number;
  /** What the outcome is due to, one sentence each. */
  messages: string[];
  startedAt: string;
  finishedAt: string;
  duration: number;
  /** When the last update ended that brought the site up to date; null if none did. */
  succeededAt: string | null;
  authorsUrl: string;
  catalogUrl: string;
  /** Directories, as absolute paths. */
  snapshot: string;
  out: string;
  /** Bytes that can still be written to the disk of the snapshot. Undefined without a snapshot. */
  freeBytes?: number;
  /** The steps that were started. */
  steps: StepReport[];
  /** Undefined without a snapshot. */
  records?: ReturnType<typeof summarizeSnapshot>;
  /** Undefined if the update did not get as far as to the harvest. */
  changes?: ListedChanges;
  media?: ReturnType<typeof summarizeMedia>;
  site?: ReturnType<typeof summarizeBuild>;
  verify?: ReturnType<typeof summarizeAudits>;
}

/** Summarizes what a snapshot and its site contain. */
export function summarizeSnapshot(status: ReturnType<typeof readSnapshotStatus>) {
  const { counts, removed, incompleteLists, media, site } = status;
  const { groups, missing, others } = groupMissing(status.failures);
  return {
    /** Records by kind and model. */
    counts,
    /** Number of removed records among them. */
    removed,
    /** First those of resources that are not missing in the archive itself. */
    failures: listFirst([...others, ...missing]),
    /** How many are missing in the archive itself, by group. */
    missing: groups,
    incompleteLists: listFirst(incompleteLists),
    /** Stored media files without duplicates, and their bytes. */
    mediaFiles: media.files,
    mediaBytes: media.bytes,
    /** Number of URLs that failed, and of quarantined files. */
    mediaFailed: media.failed,
    mediaQuarantined: media.quarantined.length,
    /** Files and bytes of the site, if there is one. */
    ...(site ? { siteFiles: site.files, siteBytes: site.bytes } : {}),
  };
}

/** Summarizes the report of a download run. */
export function summarizeMedia(report: MediaReport) {
  const { fetched, alreadyStored, bytes, unreachable, elsewhere, overBudget } = report;
  return {
    fetched,
    alreadyStored,
    bytes,
    unreachable,
    elsewhere,
    overBudget,
    failures: listFirst<FileFailure>(report.failures),
    quarantined: listFirst<FileFailure>(report.quarantined),
    tooLarge: report.tooLarge.length,
  };
}

/** Summarizes the report of a build. */
export function summarizeBuild(report: BuildReport) {
  const { pages, documents, files, bytes, written, notes, removed: deleted, rebuilt } = report;
  return {
    pages,
    documents,
    files,
    bytes,
    written,
    deleted,
    notes,
    /** Number of pages that were rendered again. */
    rendered: rebuilt.pages,
    pageProblems: listFirst(report.pageProblems),
    /** Media files that could not be used. */
    mediaProblems: listFirst(report.problems),
  };
}

/** Summarizes audits. */
export function summarizeAudits(checks: readonly FixityCheck[]) {
  const findings = checks.flatMap(({ kind, findings: own }) => own.map(({ what, problem }) => ({ in: kind, what, problem })));
  return { ok: findings.length === 0, findings: listFirst(findings) };
}
