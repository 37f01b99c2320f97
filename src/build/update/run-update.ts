/** Runs an update: harvest, media, build and verify, in this order, under one lock, and reports how it went. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assertSameUpstream, readPreviousHarvest } from '../../harvest/previous-harvest.ts';
import { type HarvestReport, resumeAdvice } from '../../harvest/report.ts';
import { explainTooFewRecords } from '../../harvest/too-few-records.ts';
import { describeError, firstError, LockedError, NoRecordsError, UpstreamError } from '../../model/errors.ts';
import type { BaseUrls } from '../../model/resources.ts';
import { formatCount } from '../../platform/text-lines.ts';
import { assertPublishable } from '../../publish/files/publish.ts';
import { lockSite } from '../../publish/files/site-lock.ts';
import { type ArchiveIdentity, assertSameArchive, readArchiveIdentity } from '../../publish/site-identity.ts';
import { protectSnapshot } from '../../publish/withheld-before.ts';
import { LOCK_FILE } from '../../snapshot/file-names.ts';
import { hasCompletedHarvest } from '../../snapshot/read.ts';
import { hasSnapshot, lockSnapshot, openSnapshot, type SnapshotLock } from '../../snapshot/store.ts';
import { deleteLastUpdate, type LastUpdate, readLastUpdate, writeLastUpdate } from '../../snapshot/update-file.ts';
import { createUpdateReport } from './create-report.ts';
import { OUTCOME_EXIT_CODES, type Step, type StepReport, type UpdateReport } from './update-report.ts';
import type { StepResults, UpdateSteps, UpdateTarget } from './update-steps.ts';

/** How an update ended, and why. */
interface Ending extends Pick<UpdateReport, 'outcome' | 'messages'> {
  /** What a step threw, if that ended the update. */
  error?: unknown;
}

/** The state of an update. */
interface UpdateRun {
  target: UpdateTarget;
  steps: UpdateSteps;
  /** The update ends when it is aborted. A harvest stops by itself. */
  signal: AbortSignal;
  /** ISO 8601 in UTC. */
  startedAt: string;
  log: StepReport[];
  results: StepResults;
  /** Why the update is partial, as far as the reports of the steps do not say it. */
  problems: string[];
  /** What is known of the last update; undefined before the snapshot is locked. */
  last?: LastUpdate;
}

/**
 * Runs an update. Never throws for an error of a step: `error` is what the step threw. If `signal` was aborted, a step may still
 * be running, so that the process should exit.
 */
export async function runUpdate(target: UpdateTarget, steps: UpdateSteps, signal: AbortSignal) {
  const work: UpdateRun = { target, steps, signal, startedAt: new Date().toISOString(), log: [], results: {}, problems: [] };
  const before = readLastUpdate(target.snapshot);
  let locks: Locks | undefined;
  let ending: Ending;
  try {
    locks = lockBoth(target);
    assertProtected(target);
    work.last = beginUpdate(target.snapshot, work.startedAt);
    ending = await runSteps(work, locks);
  } catch (error) {
    const messages = [describeError(signal.aborted ? signal.reason : error)];
    const outcome = signal.aborted ? 'interrupted' : 'failed';
    ending = { outcome: firstError(error) instanceof LockedError ? 'locked' : outcome, messages, error };
  }
  try {
    const exitCode = OUTCOME_EXIT_CODES[ending.outcome];
    const finishedAt = new Date().toISOString();
    const isUpToDate = ending.outcome === 'complete' || ending.outcome === 'partial';
    const succeededAt = isUpToDate ? finishedAt : (pastTime(before?.succeededAt, finishedAt) ?? null);
    const { outcome, messages, error } = ending;
    const times = { startedAt: work.startedAt, finishedAt, succeededAt };
    const report = createUpdateReport(target, { outcome, exitCode, messages, ...times, steps: work.log }, work);
    if (work.last) finishUpdate(work, { ...work.last, ...times, outcome, exitCode }, report.messages);
    return { report, ...(error === undefined || outcome === 'interrupted' ? {} : { error }) };
  } finally {
    // After an abort, the step that was left may still be writing.
    if (!signal.aborted) locks?.close();
  }
}

async function runSteps(work: UpdateRun, locks: Locks): Promise<Ending> {
  const { steps, results } = work;
  const ending = await harvestFirst(work, locks.snapshot);
  if (ending) return ending;
  results.media = await runStep(work, 'media', () => steps.media(locks.snapshot));
  results.build = await runStep(work, 'build', () => steps.build(locks.site));
  results.verify = await runStep(work, 'verify', () => steps.verify());
  const findings = results.verify.flatMap((check) => check.findings);
  if (findings.length > 0)
    return { outcome: 'failed', messages: [`The site was built, but verify has findings (${findings.length}).`] };
  const problems = [...work.problems, ...describePartial(results)];
  return { outcome: problems.length > 0 ? 'partial' : 'complete', messages: problems };
}

/** Runs the harvest. Returns how the update ends if it ends with it. */
async function harvestFirst(work: UpdateRun, lock: SnapshotLock): Promise<Ending | undefined> {
  const { target, steps, signal, last } = work;
  let report: HarvestReport;
  try {
    report = await runStep(work, 'harvest', () => steps.harvest(lock));
  } catch (error) {
    if (error instanceof NoRecordsError) return { outcome: 'too-few-records', messages: [error.message] };
    if (!(error instanceof UpstreamError) || !hasHarvest(target.snapshot)) throw error;
    return continueWithout(work, `Upstream could not be harvested: ${error.message}`);
  }
  work.results.harvest = report;
  signal.throwIfAborted();
  if (!report.complete) {
    const stopped = `The harvest stopped: ${report.stopped ?? 'it was interrupted'}.`;
    return hasHarvest(target.snapshot)
      ? continueWithout(work, `${stopped} ${report.limit === undefined ? 'The next update resumes it.' : resumeAdvice(report)}`)
      : {
          outcome: 'failed',
          messages: [`${stopped} No harvest of this snapshot was completed before, so no site is built. ${resumeAdvice(report)}`],
        };
  }
  const reason = explainTooFewRecords(report, { maxMissingShare: target.maxMissingShare, isFirst: last?.hasBuilt !== true });
  if (last) last.tooFewRecords = reason !== undefined;
  return reason === undefined ? undefined : { outcome: 'too-few-records', messages: [reason] };
}

/** Continues with what earlier harvests stored, unless the last complete one found too few records. Returns its end then. */
function continueWithout({ problems, last }: UpdateRun, problem: string): Ending | undefined {
  if (last?.tooFewRecords)
    return { outcome: 'too-few-records', messages: [problem, 'The last complete harvest found too few records.'] };
  problems.push(problem);
  return undefined;
}

/** Runs a step and logs it. All steps but the harvest are left when the signal is aborted. */
async function runStep<T>({ log, signal }: UpdateRun, step: Step, run: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const end = (state: StepReport['state'], error?: unknown) => {
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    log.push({ step, state, seconds, ...(state === 'failed' ? { cause: describeError(error) } : {}) });
  };
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (step !== 'harvest') signal.addEventListener('abort', abort, { once: true });
  try {
    const result = await Promise.race([run(), aborted.promise]);
    end(signal.aborted ? 'interrupted' : 'done');
    return result;
  } catch (error) {
    end(signal.aborted ? 'interrupted' : 'failed', error);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function hasHarvest(snapshot: string): boolean {
  if (!hasSnapshot(snapshot)) return false;
  using store = openSnapshot(snapshot);
  return hasCompletedHarvest(store);
}

/**
 * Checks what is withheld, before a harvest of hours.
 * @throws {UserError} if it is less than before
 */
function assertProtected({ snapshot, withholding, withholdLess }: UpdateTarget): void {
  if (!hasSnapshot(snapshot)) return;
  using store = openSnapshot(snapshot);
  protectSnapshot(store, withholding, withholdLess);
}

/** The locks of a snapshot and a site. */
type Locks = ReturnType<typeof lockBoth>;

/**
 * Locks the snapshot and the directory of the site.
 * @throws {LockedError} if another process has locked one of them
 * @throws {UserError} if the directory contains anything but a site of this archive
 */
function lockBoth({ snapshot, out, baseUrls }: UpdateTarget) {
  assertPublishable(resolve(out));
  const isNew = !existsSync(snapshot);
  assertSameArchive(archiveOf(snapshot, baseUrls), out);
  using locking = new DisposableStack();
  const snapshotLock = lockSnapshot(snapshot);
  if (isNew) locking.defer(() => deleteUnused(snapshot));
  locking.use(snapshotLock);
  const site = locking.use(lockSite(resolve(out)));
  const locked = locking.move();
  return {
    snapshot: snapshotLock,
    site,
    /** Releases both. */
    close: () => locked.dispose(),
  };
}

/**
 * Returns the archive of an update.
 * @throws {UserError} if the snapshot contains another one
 */
function archiveOf(snapshot: string, baseUrls: BaseUrls): ArchiveIdentity {
  if (!hasSnapshot(snapshot)) return { authorsUrl: baseUrls.authors, catalogUrl: baseUrls.catalog };
  const previous = readPreviousHarvest(snapshot);
  assertSameUpstream(previous, { snapshot, baseUrls, newUpstream: false, sample: previous.sample });
  using store = openSnapshot(snapshot);
  const { formerly } = readArchiveIdentity(store);
  return { authorsUrl: baseUrls.authors, catalogUrl: baseUrls.catalog, formerly };
}

/** Deletes a directory that was created for the lock, unless a snapshot was created in it. */
function deleteUnused(snapshot: string): void {
  if (!existsSync(snapshot) || hasSnapshot(snapshot)) return;
  deleteLastUpdate(snapshot);
  rmSync(join(snapshot, LOCK_FILE), { force: true });
  if (readdirSync(snapshot).length === 0) rmdirSync(snapshot);
}

/** Notes that an update has started. Returns what is known of the last one. */
function beginUpdate(snapshot: string, startedAt: string): LastUpdate {
  const last = readLastUpdate(snapshot);
  const begun: LastUpdate = {
    startedAt,
    finishedAt: null,
    outcome: null,
    exitCode: null,
    succeededAt: pastTime(last?.succeededAt, startedAt) ?? null,
    hasBuilt: last?.hasBuilt ?? false,
    tooFewRecords: last?.tooFewRecords ?? false,
    changesFrom: pastTime(last?.changesFrom, startedAt) ?? startedAt,
  };
  writeLastUpdate(snapshot, begun);
  return begun;
}

/** Returns a time, unless it is in the future: it then comes from a wrong clock. */
function pastTime(time: string | null | undefined, now: string): string | undefined {
  return time != null && time <= now ? time : undefined;
}

/** Notes how the update ended. If that fails, for example because the disk is full, adds it to the messages of the report. */
function finishUpdate({ target, results }: UpdateRun, update: LastUpdate, messages: string[]): void {
  const changesFrom = results.build && update.finishedAt !== null ? update.finishedAt : update.changesFrom;
  try {
    writeLastUpdate(target.snapshot, { ...update, hasBuilt: update.hasBuilt || results.build !== undefined, changesFrom });
  } catch (error) {
    messages.push(`The end of the update could not be noted in the snapshot. ${describeError(error)}`);
  }
}

/** Returns what failed in the steps of an update, one sentence each; none if nothing did. */
function describePartial({ harvest, media, build }: StepResults): string[] {
  const transient = (failures: ReadonlyArray<{ transient: boolean }> = []) => failures.filter((one) => one.transient).length;
  const failedFiles = transient(media?.failures) + (media?.unreachable.reduce((total, { count }) => total + count, 0) ?? 0);
  const sentences: Array<[count: number | undefined, sentence: (count: number) => string]> = [
    [transient(harvest?.failures), (count) => `${formatCount(count, 'resource')} could not be fetched.`],
    [
      harvest?.incompleteLists.length,
      (count) => `${formatCount(count, 'list')} of upstream ${count === 1 ? 'is' : 'are'} incomplete.`,
    ],
    [failedFiles, (count) => `${formatCount(count, 'media file')} could not be downloaded.`],
    [
      media?.quarantined.length,
      (count) => `${formatCount(count, 'media file')} failed verification and ${count === 1 ? 'is' : 'are'} quarantined.`,
    ],
    [
      new Set(build?.pageProblems.map(({ page }) => page)).size,
      (count) => `${formatCount(count, 'page')} cannot be shown completely.`,
    ],
    [build?.problems.length, (count) => `${formatCount(count, 'media file')} cannot be used.`],
  ];
  return sentences.flatMap(([count = 0, sentence]) => (count > 0 ? [sentence(count)] : []));
}
