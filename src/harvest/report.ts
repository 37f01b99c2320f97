/** The report of a harvest: its JSON form, and its lines for the terminal and report.txt. */
import { EXIT_CODES } from '../model/exit-codes.ts';
import { MODELS } from '../model/ids.ts';
import { isGuideKind, isListKind } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { formatCount, groupLines, MAX_LINES, toPrintable } from '../platform/text-lines.ts';
import { REPORT_FILE } from '../snapshot/file-names.ts';
import { groupMissing, MISSING_SENTENCES } from '../snapshot/missing-groups.ts';
import type { Failure } from '../snapshot/read.ts';
import type { RemovalSkipped } from '../snapshot/removals.ts';
import type { Discovery } from './discovery.ts';
import type { IncompleteList } from './list-tracker.ts';

/** What `harvest --json` prints (docs/reports.md). */
export interface HarvestReport {
  /** False if the harvest was interrupted or stopped; the next one resumes it. Does not depend on failures: see `failed`. */
  complete: boolean;
  /** Why it stopped early, if the operator did not interrupt it. */
  stopped?: string;
  /** The option whose limit stopped it. */
  limit?: string;
  /** Until when the host that stopped it demands to wait (ISO 8601 in UTC). */
  resumeAt?: string;
  /** The collections that it was limited to. */
  collections?: string[];
  /** Whether it fetched only resources that had failed in the last harvest. */
  retried?: boolean;
  /** Number of records (authors, articles, sources, archival records) that upstream returned in this run. */
  fetched: number;
  /** What the snapshot contains now: `author`, `article`, `source`, and archival records by model. */
  counts: Record<string, number>;
  failed: number;
  /** Resources that a response or the operator named and that could not be fetched. */
  failures: Failure[];
  incompleteLists: IncompleteList[];
  /** Number of bodies received in this run that are new, changed or restored. */
  changes: { new: number; changed: number; restored: number };
  /**
   * Keys of the resources that this run marked as removed: upstream did not have them, as in an earlier run. Their latest valid
   * versions stay in the snapshot.
   */
  removed: string[];
  removalSkipped?: RemovalSkipped;
  /** With `--discover`: what each group of seeds discovered. */
  discovery?: Discovery;
  /** Seconds. */
  duration: number;
}

/** Returns the exit code of `harvest`. */
export function harvestExitCode(report: HarvestReport): number {
  const { complete, stopped, limit, resumeAt, failures } = report;
  if (!complete && stopped === undefined) return EXIT_CODES.interrupted;
  if ((!complete && (limit ?? resumeAt) === undefined) || isEmptyHarvest(report)) return EXIT_CODES.failure;
  return !complete || failures.some(({ transient }) => transient) ? EXIT_CODES.incomplete : EXIT_CODES.success;
}

/** Whether a harvest completed, and the snapshot has nothing, or none of the requested records: a URL is probably wrong. */
export function isEmptyHarvest({ complete, counts, failures, collections }: HarvestReport): boolean {
  if (!complete || MODELS.some((model) => (counts[model] ?? 0) > 0)) return false;
  if (totalOf(counts) === 0 && (failures.length === 0 || collections !== undefined)) return true;
  return failures.some(({ kind }) => !isGuideKind(kind));
}

/**
 * Returns the report for the terminal, with failures grouped by cause and long lists shortened. As one of several steps, it does
 * not name the next one.
 */
export function harvestLines(report: HarvestReport, { isOneOfSteps = false } = {}): string[] {
  return [...reportLines(report, truncateLines, failureLines(report.failures)), ...(isOneOfSteps ? [] : nextLines(report))];
}

/** Returns the complete report, for the snapshot's report.txt. */
export function fullReportLines(report: HarvestReport): string[] {
  const { groups, missing, others } = groupMissing(report.failures);
  const absent = [...missingLines(groups), ...missing.map(formatFailure)];
  return reportLines(report, (lines) => lines, [...absent, ...failureHeading(others), ...others.map(formatFailure)]);
}

function reportLines(report: HarvestReport, shorten: (lines: string[]) => string[], failures: string[]): string[] {
  const { removed, incompleteLists } = report;
  return [
    ...summaryLines(report),
    ...section('Removed upstream', removed.length, shorten(removed.map((key) => `  ${toPrintable(key)}`))),
    ...safeguardLines(report),
    ...failures,
    ...section('Incomplete lists', incompleteLists.length, shorten(incompleteLists.map(formatIncompleteList))),
  ];
}

function section(heading: string, count: number, lines: readonly string[]): string[] {
  return count === 0 ? [] : [`${heading} (${count}):`, ...lines];
}

function summaryLines(report: HarvestReport): string[] {
  const { collections, fetched, counts, changes, removed, discovery } = report;
  return [
    `${outcomeOf(report)} Fetched: ${formatCount(fetched, 'resource')}. Snapshot: ${formatCount(totalOf(counts), 'resource')}.`,
    ...countLines(counts),
    ...(collections ? [`Limited to ${collections.join(', ')}. The rest of the snapshot is unchanged.`] : []),
    `Changes: ${changes.new} new, ${changes.changed} changed${changes.restored > 0 ? `, ${changes.restored} restored` : ''}${removed.length > 0 ? `, ${removed.length} removed` : ''}.`,
    ...(discovery ? discoveryLines(discovery) : []),
  ];
}

function outcomeOf({ complete, stopped, retried, duration, ...ending }: HarvestReport): string {
  const time = `${duration.toFixed(1)} s`;
  if (complete) return `${retried ? 'Retry' : 'Harvest'} completed in ${time}.`;
  const end = stopped ? `stopped after ${time}: ${toPrintable(stopped)}` : `interrupted after ${time}`;
  return `Harvest ${end}. ${resumeAdvice(ending)}`;
}

/** Returns what to do about a harvest that stopped early, as a sentence. */
export function resumeAdvice({ limit, resumeAt }: Pick<HarvestReport, 'limit' | 'resumeAt'>): string {
  if (limit !== undefined) return `Run the same command with a higher ${limit} to resume.`;
  return `Run the same command ${resumeAt === undefined ? '' : 'then '}to resume.`;
}

function discoveryLines({ ways, failedLists, refused }: Discovery): string[] {
  return [
    'Records found through (most are found in several ways):',
    ...ways.map(
      ({ way, records, only }) => `  ${String(records).padStart(7)}  ${way}${only > 0 ? ` (${only} in no other way)` : ''}`,
    ),
    ...failedLists.map(
      ({ url, cause, lists }) =>
        `  ${toPrintable(url)}${lists > 1 ? ` and ${formatCount(lists - 1, 'similar list')}` : ''} failed (${toPrintable(cause)}).`,
    ),
    ...truncateLines(refused.map((url) => `  ${toPrintable(url)} is outside the records API and was not requested.`)),
  ];
}

function safeguardLines({ removalSkipped: skipped }: HarvestReport): string[] {
  if (!skipped) return [];
  const { unseen, known } = skipped;
  return [
    `Warning: removal detection was skipped. ${unseen} of ${known} known resources (${Math.round((100 * unseen) / known)}%) failed, which exceeds --gone-limit. Upstream may be unavailable.`,
  ];
}

/** Returns the numbers of resources, one line each. */
export function countLines(counts: Record<string, number>): string[] {
  return Object.entries(counts).map(
    ([kind, count]) => `  ${String(count).padStart(7)}  ${toPrintable(kind)}${KINDS_IN_WORDS[kind] ?? ''}`,
  );
}

/** What kinds are whose names say little. */
const KINDS_IN_WORDS: Readonly<Record<string, string>> = {
  article: ' (guide page)',
  entity: ' (item)',
  segment: ' (part of an interview)',
  source: ' (of a guide page)',
};

/** Returns what to do after a first harvest, for the terminal. */
function nextLines({ complete, counts, changes, collections, discovery, failures, retried }: HarvestReport): string[] {
  if (!complete || retried || changes.new === 0 || changes.new < totalOf(counts)) return [];
  const hasServerErrors = failures.some(({ status, transient }) => status === 500 && transient);
  return [
    ...(hasServerErrors ? ['What fails with HTTP 500 in the next harvest too is then counted as missing in the archive.'] : []),
    ...(discovery || collections
      ? []
      : ['Only what the guide and the seed records name was harvested. To look for more, add --discover.']),
    'Next: "npx --no-install microfiche media" downloads the files of these records, then "npx --no-install microfiche build" makes the site.',
  ];
}

/** Maximum causes, and failures of each, on the terminal: with the rest of a report they fit on one screen. */
const MAX_FAILURES_PER_CAUSE = 4;

/** Returns what upstream does not have in summary, and other failures by cause, for the terminal; no lines if none. */
export function failureLines(failures: readonly Failure[]): string[] {
  const { groups, others } = groupMissing(failures);
  const causes = new Map(
    [...Map.groupBy(others, explainCause)].map(([cause, ofKind]) => [cause, `${cause} (${countKinds(ofKind)})`]),
  );
  const group = (failure: Failure) => causes.get(explainCause(failure)) ?? '';
  const line = (failure: Failure) => `${failure.key}${failureDetails(failure)}`;
  const grouping = { group, line, fullListFile: REPORT_FILE, maxLines: MAX_FAILURES_PER_CAUSE };
  return [...missingLines(groups), ...failureHeading(others), ...groupLines(others, grouping)];
}

function countKinds(failures: readonly Failure[]): string {
  const nouns = Map.groupBy(failures, ({ kind }) => (isListKind(kind) ? 'list' : kind === 'object' ? 'record' : kind));
  return [...nouns].map(([noun, ofKind]) => formatCount(ofKind.length, noun)).join(', ');
}

/** Returns the cause of a failure, and whose error a status means. */
function explainCause({ cause, status }: Failure): string {
  if (status === null || cause !== `HTTP ${status}`) return cause;
  if (status === 404 || status === 410) return `${cause}: the archive does not have it`;
  if (status === 401 || status === 403) return `${cause}: the archive does not allow it`;
  return status >= 500 ? `${cause}: an error of the archive's server` : cause;
}

function missingLines(groups: ReturnType<typeof groupMissing>['groups']): string[] {
  if (groups.length === 0) return [];
  return [
    'Missing in the archive itself. The copy is right, and there is nothing to do:',
    ...groups.map(([group, count]) => `  ${MISSING_SENTENCES[group](count)}`),
  ];
}

function failureHeading(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  const transient = failures.filter((failure) => failure.transient).length;
  const advice =
    transient === failures.length
      ? 'retry with "microfiche harvest --retry-failed"'
      : transient === 0
        ? 'all permanently (such as HTTP 404), so a retry seldom helps'
        : `${failures.length - transient} of them permanently (such as HTTP 404); retry the others with "microfiche harvest --retry-failed"`;
  return [`Failed (${failures.length}), ${advice}:`];
}

/** Returns the line of one failed resource: key, cause, attempts, referrer and URL. */
export function formatFailure(failure: Failure): string {
  return `  ${toPrintable(failure.key)}: ${toPrintable(failure.cause)}${failureDetails(failure)}`;
}

function failureDetails({ url, attempts, referrer, hasEarlierVersion, since }: Failure): string {
  const requests = attempts > 1 ? `, ${attempts} attempts` : attempts === 0 ? ', not requested' : '';
  return `${requests}${referrer ? `, linked from ${toPrintable(referrer)}` : ''}${hasEarlierVersion ? `, earlier version stored${since ? `, failing since ${since.slice(0, 10)}` : ''}` : ''} (${toPrintable(url)})`;
}

/** Returns the incomplete lists in a stored report; none if the report is not readable. */
export function readIncompleteLists(report: unknown): IncompleteList[] {
  const listed = isObject(report) && Array.isArray(report['incompleteLists']) ? report['incompleteLists'] : [];
  return listed.filter(isIncompleteList);
}

function isIncompleteList(value: unknown): value is IncompleteList {
  if (!isObject(value) || !isListKind(value['kind']) || typeof value['name'] !== 'string') return false;
  return ['seen', 'total', 'passes'].every((count) => Number.isSafeInteger(value[count]));
}

/** Returns the line of one incomplete list: `authors: 137 of 140 entries found after 2 passes`. */
export function formatIncompleteList({ kind, name, seen, total, passes }: IncompleteList): string {
  return `  ${kind}${name ? ` of ${toPrintable(name)}` : ''}: ${seen} of ${total} entries found after ${formatCount(passes, 'pass', 'passes')}`;
}

/** Returns the first lines of a long list, and one with the number of the others. `fullListFile` has the complete list. */
export function truncateLines(lines: readonly string[], fullListFile = REPORT_FILE): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  return [...lines.slice(0, MAX_LINES), `  … and ${lines.length - MAX_LINES} more, in ${fullListFile}`];
}

/** Returns the sum of counts. */
export function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
