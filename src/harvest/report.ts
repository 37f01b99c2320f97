/** The report of a harvest: its JSON form, and its lines for the terminal and report.txt. */
import { EXIT_CODES } from '../model/exit-codes.ts';
import { LIST_KINDS } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { formatCount, groupLines, MAX_LINES, toPrintable } from '../platform/text-lines.ts';
import type { RemovalSkipped } from '../snapshot/changes.ts';
import { REPORT_FILE } from '../snapshot/file-names.ts';
import type { Failure } from '../snapshot/read.ts';
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
  /** Number of failures. */
  failed: number;
  /** Resources that a response or the operator named and that could not be fetched. */
  failures: Failure[];
  /** Incomplete lists. */
  shortfalls: IncompleteList[];
  /** Number of bodies received in this run that are new, changed or restored. */
  changes: { new: number; changed: number; returned: number };
  /** Keys of the resources that this run marked as removed: 404 or 410, as in an earlier run. Their latest valid versions stay in the snapshot. */
  gone: string[];
  /** Why removal detection was skipped. */
  doubt?: RemovalSkipped;
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

/** Whether a harvest was completed without a record and without a failure. */
export function isEmptyHarvest({ complete, counts, failures, collections }: HarvestReport): boolean {
  return complete && (failures.length === 0 || collections !== undefined) && totalOf(counts) === 0;
}

/** Returns the report for the terminal, with failures grouped by cause and long lists shortened. */
export function harvestLines(report: HarvestReport): string[] {
  const { failures, gone: removed, shortfalls } = report;
  return [
    ...summaryLines(report),
    ...section('Removed upstream', removed.length, truncateLines(removed.map(removedLine))),
    ...safeguardLines(report),
    ...failureLines(failures),
    ...section('Incomplete lists', shortfalls.length, truncateLines(shortfalls.map(formatIncompleteList))),
  ];
}

/** Returns the complete report, for the snapshot's report.txt. */
export function fullReportLines(report: HarvestReport): string[] {
  const { failures, gone: removed, shortfalls } = report;
  return [
    ...summaryLines(report),
    ...section('Removed upstream', removed.length, removed.map(removedLine)),
    ...safeguardLines(report),
    ...failureHeading(failures),
    ...failures.map(formatFailure),
    ...section('Incomplete lists', shortfalls.length, shortfalls.map(formatIncompleteList)),
  ];
}

function section(heading: string, count: number, lines: readonly string[]): string[] {
  return count === 0 ? [] : [`${heading} (${count}):`, ...lines];
}

function summaryLines(report: HarvestReport): string[] {
  const { collections, fetched, counts, changes, gone: removed, discovery } = report;
  return [
    `${outcomeOf(report)} Fetched: ${formatCount(fetched, 'resource')}. Snapshot: ${formatCount(totalOf(counts), 'resource')}.`,
    ...Object.entries(counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${toPrintable(kind)}`),
    ...(collections ? [`Limited to ${collections.join(', ')}. The rest of the snapshot is unchanged.`] : []),
    `Changes: ${changes.new} new, ${changes.changed} changed${changes.returned > 0 ? `, ${changes.returned} restored` : ''}${removed.length > 0 ? `, ${removed.length} removed` : ''}.`,
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

function discoveryLines({ ways, unanswered, refused }: Discovery): string[] {
  return [
    'Records discovered through:',
    ...ways.map(({ way, records, only }) => `  ${String(records).padStart(7)}  ${way}; ${only} through nothing else`),
    ...unanswered.map(
      ({ url, cause, lists }) =>
        `  ${toPrintable(url)}${lists > 1 ? ` and ${formatCount(lists - 1, 'similar list')}` : ''} failed (${toPrintable(cause)}).`,
    ),
    ...truncateLines(refused.map((url) => `  ${toPrintable(url)} is outside the records API and was not requested.`)),
  ];
}

function safeguardLines({ doubt: skipped }: HarvestReport): string[] {
  if (!skipped) return [];
  const { unseen, known } = skipped;
  return [
    `Warning: removal detection was skipped. ${unseen} of ${known} known resources (${Math.round((100 * unseen) / known)}%) failed, which exceeds --gone-limit. Upstream may be unavailable.`,
  ];
}

/** Returns the failures by cause, for the terminal; no lines if there are none. */
export function failureLines(failures: readonly Failure[]): string[] {
  return [
    ...failureHeading(failures),
    ...groupLines(failures, { group: ({ cause }) => cause, line: failureFacts, fullListFile: REPORT_FILE }),
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

function failureFacts(failure: Failure): string {
  return `${failure.key}${failureDetails(failure)}`;
}

function failureDetails({ url, attempts, referrer, kept }: Failure): string {
  const requests = attempts > 1 ? `, ${attempts} attempts` : attempts === 0 ? ', not requested' : '';
  return `${requests}${referrer ? `, referrer ${toPrintable(referrer)}` : ''}${kept ? ', earlier version stored' : ''} (${toPrintable(url)})`;
}

function removedLine(key: string): string {
  return `  ${toPrintable(key)}`;
}

/** Returns the incomplete lists in a stored report; none if the report is not readable. */
export function readIncompleteLists(report: unknown): IncompleteList[] {
  const listed = isObject(report) && Array.isArray(report['shortfalls']) ? report['shortfalls'] : [];
  return listed.filter(isIncompleteList);
}

function isIncompleteList(value: unknown): value is IncompleteList {
  if (!isObject(value) || !LIST_KINDS.some((kind) => kind === value['kind']) || typeof value['name'] !== 'string') return false;
  return ['seen', 'total', 'passes'].every((count) => Number.isSafeInteger(value[count]));
}

/** Returns the line of one incomplete list: `authors: 137 of 140 entries found after 2 passes`. */
export function formatIncompleteList({ kind, name, seen, total, passes }: IncompleteList): string {
  return `  ${kind}${name ? ` of ${toPrintable(name)}` : ''}: ${seen} of ${total} entries found after ${formatCount(passes, 'pass', 'passes')}`;
}

/** Returns the first lines of a long list, and a line with the number of the others. `fullListFile` is the file with the complete list. */
export function truncateLines(lines: readonly string[], fullListFile = REPORT_FILE): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  return [...lines.slice(0, MAX_LINES), `  … and ${lines.length - MAX_LINES} more, in ${fullListFile}`];
}

function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
