/** What a harvest says of itself at its end, for people and for machines. */
import type { Failure } from '../snapshot/read.ts';
import type { ListTally } from './lists.ts';

export interface HarvestReport {
  /** False where the harvest was stopped; the next one goes on. */
  complete: boolean;
  /** What the snapshot now holds: `author`, `article`, `source`, and objects by model. */
  counts: Record<string, number>;
  failures: Failure[];
  /** Lists of which fewer entries were seen than they name. */
  shortfalls: ListTally[];
  /** Seconds. */
  duration: number;
}

/** The report as lines for a terminal. */
export function harvestLines(report: HarvestReport): string[] {
  const total = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
  return [
    `${report.complete ? 'Harvested' : 'Stopped early; run the same command again to go on. So far'}: ${total} resources in ${report.duration.toFixed(1)} s.`,
    ...Object.entries(report.counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${kind}`),
    ...(report.failures.length > 0 ? [`${report.failures.length} could not be had:`] : []),
    ...report.failures.map(failureLine),
    ...report.shortfalls.map(
      ({ kind, name, seen, total: named }) =>
        `  ${kind}${name ? ` of ${name}` : ''}: ${named - seen} of ${named} not seen after every pass`,
    ),
  ];
}

/** One failed resource: what, why, and who led there. */
export function failureLine({ key, cause, referrer }: Failure): string {
  return `  ${key}: ${cause}${referrer ? ` (named by ${referrer})` : ''}`;
}
