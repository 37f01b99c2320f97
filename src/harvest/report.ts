/** What a harvest says of itself at its end, for people and for machines. */
import type { Doubt } from '../snapshot/changes.ts';
import type { Failure } from '../snapshot/read.ts';
import type { Shortfall } from './lists.ts';

export interface HarvestReport {
  /** False where the harvest was stopped; the next one goes on. */
  complete: boolean;
  /** Why it ended early, where nobody asked it to. */
  stopped?: string;
  /** What the snapshot now holds: `author`, `article`, `source`, and objects by model. */
  counts: Record<string, number>;
  /** Everything that somebody named and that could not be had. */
  failures: Failure[];
  /** Lists of which fewer entries were seen than they name. */
  shortfalls: Shortfall[];
  /** How many bodies this run received that are new, other than the last one, or there again. */
  changes: { new: number; changed: number; returned: number };
  /** Keys of the resources that this run has found gone: 404 or 410, as in an earlier run. Their last good body is kept. */
  gone: string[];
  /** Why nothing was marked as gone. */
  doubt?: Doubt;
  /** Seconds. */
  duration: number;
}

/** The report as lines for a terminal, and for the snapshot's report.txt. */
export function harvestLines(report: HarvestReport): string[] {
  const { counts, failures, shortfalls, changes, gone, doubt, stopped } = report;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const title = report.complete
    ? 'Harvested'
    : `Stopped early${stopped ? `, since ${stopped}` : ''}; run the same command again to go on. So far`;
  return [
    `${title}: ${total} resources in ${report.duration.toFixed(1)} s.`,
    ...Object.entries(counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`),
    `${changes.new} new, ${changes.changed} changed${changes.returned > 0 ? `, ${changes.returned} there again` : ''}${gone.length > 0 ? `, ${gone.length} gone` : ''}.`,
    ...gone.map((key) => `  gone: ${key}`),
    ...(doubt
      ? [
          `${doubt.unseen} of the ${doubt.known} resources that were there before could not be had, more than --gone-limit allows: that looks like trouble upstream, so nothing was marked as gone.`,
        ]
      : []),
    ...(failures.length > 0 ? [`${failures.length} could not be had (“harvest --retry-failed” asks for them again):`] : []),
    ...failures.map(failureLine),
    ...shortfalls.map(shortfallLine),
  ];
}

/** One failed resource: what, why, after how many tries, who led there, and where it was asked for. */
export function failureLine({ key, url, cause, attempts, referrer, kept }: Failure): string {
  const tries = attempts > 1 ? `, ${attempts} tries` : attempts === 0 ? ', not asked' : '';
  return `  ${key}: ${cause}${tries}${referrer ? `, named by ${referrer}` : ''}${kept ? '; the earlier copy is kept' : ''} (${url})`;
}

/** `authors: 3 of 140 not seen after 2 passes` */
export function shortfallLine({ kind, name, seen, total, passes }: Shortfall): string {
  return `  ${kind}${name ? ` of ${name}` : ''}: ${total - seen} of ${total} not seen after ${passes} ${passes === 1 ? 'pass' : 'passes'}`;
}
