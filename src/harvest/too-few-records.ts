/** Decides whether a harvest found far too few records, so that no site should be built from it. */
import type { HarvestReport } from './report.ts';
import { isEmptyHarvest } from './report.ts';

/** What the decision depends on, in addition to the harvest. */
export interface TooFewRecordsLimits {
  /** Share of the records (0 to 1) that may be missing: that of `--gone-limit`. */
  maxMissingShare: number;
  /** Whether no site was built from this snapshot yet, so that the totals of upstream's lists are the only measure. */
  isFirst: boolean;
}

/**
 * Returns why a completed harvest found far too few records, as a sentence; undefined if it found enough. Later harvests are compared with
 * what the snapshot had; the first ones, until a site was built, also with what upstream's lists announce.
 */
export function explainTooFewRecords(
  report: HarvestReport,
  { maxMissingShare, isFirst }: TooFewRecordsLimits,
): string | undefined {
  const { counts, doubt: skipped, failures, shortfalls, collections } = report;
  const limit = `more than --gone-limit allows (${formatShare(maxMissingShare)})`;
  if (skipped)
    return `${skipped.unseen} of ${skipped.known} stored records could not be fetched again (${formatShare(skipped.unseen / skipped.known)}), ${limit}.`;
  const found = Object.values(counts).reduce((total, count) => total + count, 0);
  if (isEmptyHarvest(report))
    return collections ? `Upstream has no collection ${collections.join(', ')}.` : 'Nothing was harvested: all lists are empty.';
  if (found === 0) return `Nothing was harvested: every request failed (${failures.length}).`;
  if (!isFirst) return undefined;
  const unlisted = shortfalls.reduce((total, list) => total + list.total - list.seen, 0);
  const missing = unlisted + failures.filter(({ kept }) => !kept).length;
  return missing > maxMissingShare * (found + missing)
    ? `${missing} of the ${found + missing} records that upstream announces are missing (${formatShare(missing / (found + missing))}), ${limit}.`
    : undefined;
}

function formatShare(share: number): string {
  return `${Math.round(100 * share)}%`;
}
