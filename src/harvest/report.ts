/** What a harvest says of itself at its end, for people and for machines. */
import { LIST_KINDS } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { counted, grouped, MOST_LINES, printable } from '../platform/lines.ts';
import type { Doubt } from '../snapshot/changes.ts';
import type { Failure } from '../snapshot/read.ts';
import type { Shortfall } from './lists.ts';
import type { Discovery } from './ways.ts';

export interface HarvestReport {
  /** False where the harvest was stopped; the next one goes on. It says nothing of failures: see `failed`. */
  complete: boolean;
  /** Why it ended early, where nobody asked it to. */
  stopped?: string;
  /** The collections that it was limited to. */
  collections?: string[];
  /** It asked only for what the last harvest could not have. */
  retried?: boolean;
  /** How many records (authors, articles, sources, archival records) upstream answered with in this run. */
  fetched: number;
  /** What the snapshot now holds: `author`, `article`, `source`, and objects by model. */
  counts: Record<string, number>;
  /** How many failures there are. */
  failed: number;
  /** Everything that somebody named and that could not be downloaded. */
  failures: Failure[];
  /** Lists of which fewer entries were seen than they name. */
  shortfalls: Shortfall[];
  /** How many bodies this run received that are new, other than the last one, or there again. */
  changes: { new: number; changed: number; returned: number };
  /** Keys of the resources that this run has found gone: 404 or 410, as in an earlier run. Their last good body is kept. */
  gone: string[];
  /** Why nothing was marked as gone. */
  doubt?: Doubt;
  /** With --discover: what each way in led to. */
  discovery?: Discovery;
  /** Seconds. */
  duration: number;
}

/** Where the whole list of what failed can be read. */
export const REPORT_FILE = 'report.txt';

/** Whether a harvest came to its end without anything: neither a record nor a failure. */
export function isEmpty({ complete, counts, failures, collections }: HarvestReport): boolean {
  return complete && (failures.length === 0 || collections !== undefined) && totalOf(counts) === 0;
}

/** The report for a terminal: failures by cause, and of long lists the beginning. */
export function harvestLines(report: HarvestReport): string[] {
  const { failures, gone, shortfalls } = report;
  return [
    ...headLines(report),
    ...cut(gone.map(goneLine)),
    ...doubtLines(report),
    ...failureLines(failures),
    ...cut(shortfalls.map(shortfallLine)),
  ];
}

/** The report with everything in it, for the snapshot's report.txt. */
export function fullLines(report: HarvestReport): string[] {
  const { failures, gone, shortfalls } = report;
  return [
    ...headLines(report),
    ...gone.map(goneLine),
    ...doubtLines(report),
    ...failureHeads(failures),
    ...failures.map(failureLine),
    ...shortfalls.map(shortfallLine),
  ];
}

function headLines(report: HarvestReport): string[] {
  const { complete, stopped, collections, retried, fetched, counts, duration, changes, gone, discovery } = report;
  const early = `Stopped early${stopped ? `, since ${printable(stopped)}` : ''}; run the same command again to go on. So far`;
  const title = !complete ? early : retried ? 'Retried what had failed' : 'Harvested';
  return [
    `${title}: fetched ${counted(fetched, 'resource')} in ${duration.toFixed(1)} s; the snapshot holds ${totalOf(counts)}.`,
    ...Object.entries(counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${printable(kind)}`),
    ...(collections ? [`Limited to ${collections.join(', ')}; the rest of the snapshot was left as it is.`] : []),
    `${changes.new} new, ${changes.changed} changed${changes.returned > 0 ? `, ${changes.returned} there again` : ''}${gone.length > 0 ? `, ${gone.length} gone` : ''}.`,
    ...(discovery ? discoveryLines(discovery) : []),
  ];
}

function discoveryLines({ ways, unanswered, refused }: Discovery): string[] {
  return [
    'Records by the way that leads to them:',
    ...ways.map(({ way, records, only }) => `  ${String(records).padStart(7)}  ${way}; ${only} by no other way`),
    ...unanswered.map(
      ({ url, cause, lists }) =>
        `  ${printable(url)}${lists > 1 ? ` and ${counted(lists - 1, 'list')} like it` : ''} did not answer as an index (${printable(cause)}).`,
    ),
    ...cut(refused.map((url) => `  ${printable(url)} in the index is no address of this catalog's API: it was not asked.`)),
  ];
}

function doubtLines({ doubt }: HarvestReport): string[] {
  if (!doubt) return [];
  return [
    `${doubt.unseen} of the ${doubt.known} resources that were there before could not be downloaded, more than --gone-limit allows: that looks like trouble upstream, so nothing was marked as gone.`,
  ];
}

/** What failed, by cause, for a terminal; nothing where nothing did. */
export function failureLines(failures: readonly Failure[]): string[] {
  return [...failureHeads(failures), ...grouped(failures, { group: ({ cause }) => cause, line: factsOf, rest: REPORT_FILE })];
}

function failureHeads(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  const passing = failures.filter((failure) => !isPermanent(failure)).length;
  const permanent = 'permanent (such as HTTP 404): retrying seldom helps';
  const advice =
    passing === failures.length
      ? '“harvest --retry-failed” asks again'
      : passing === 0
        ? `The cause is ${permanent}`
        : `“harvest --retry-failed” may help with ${passing}; the cause of the others is ${permanent}`;
  return [`${counted(failures.length, 'resource')} could not be downloaded. ${advice}.`];
}

/** Answers with which a server says no, and that no further request changes; others (408, 425, 429) ask for patience. */
function isPermanent({ status, attempts }: Failure): boolean {
  if (attempts === 0) return true;
  return status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** One failed resource: what, why, after how many attempts, who led there, and where it was asked for. */
export function failureLine(failure: Failure): string {
  return `  ${printable(failure.key)}: ${printable(failure.cause)}${detailsOf(failure)}`;
}

function factsOf(failure: Failure): string {
  return `${failure.key}${detailsOf(failure)}`;
}

function detailsOf({ url, attempts, referrer, kept }: Failure): string {
  const tries = attempts > 1 ? `, ${attempts} tries` : attempts === 0 ? ', not asked' : '';
  return `${tries}${referrer ? `, named by ${printable(referrer)}` : ''}${kept ? '; the earlier copy is kept' : ''} (${printable(url)})`;
}

function goneLine(key: string): string {
  return `  gone: ${printable(key)}`;
}

/** The lists that a stored report says showed less than they count; none where it says so in no way that is known. */
export function shortfallsIn(report: unknown): Shortfall[] {
  const listed = isObject(report) && Array.isArray(report['shortfalls']) ? report['shortfalls'] : [];
  return listed.filter(isShortfall);
}

function isShortfall(one: unknown): one is Shortfall {
  if (!isObject(one) || !LIST_KINDS.some((kind) => kind === one['kind']) || typeof one['name'] !== 'string') return false;
  return ['seen', 'total', 'passes'].every((count) => Number.isSafeInteger(one[count]));
}

/** `authors: 3 of 140 not seen after 2 passes` */
export function shortfallLine({ kind, name, seen, total, passes }: Shortfall): string {
  return `  ${kind}${name ? ` of ${printable(name)}` : ''}: ${total - seen} of ${total} not seen after ${counted(passes, 'pass', 'passes')}`;
}

/** The first lines of a long list, and how many more there are. */
export function cut(lines: readonly string[], rest = REPORT_FILE): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `  … and ${lines.length - MOST_LINES} more, in ${rest}`];
}

function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
