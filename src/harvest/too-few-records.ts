/** Decides whether a harvest found far too few records, so that no site should be built from it. */
import { type HarvestReport, isEmptyHarvest, totalOf } from './report.ts';

/**
 * Returns why a completed harvest found far too few records, as a sentence; undefined if it found enough. Later harvests are
 * compared with what the snapshot had; the first ones (`isFirst`), until a site was built, also with what upstream's lists
 * announce. `maxMissingShare` (0 to 1) is that of `--gone-limit`.
 */
export function explainTooFewRecords(
  report: HarvestReport,
  { maxMissingShare, isFirst }: { maxMissingShare: number; isFirst: boolean },
) {
  const { counts, removalSkipped: skipped, failures, incompleteLists, collections } = report;
  const limit = `more than --gone-limit allows (${formatShare(maxMissingShare)})`;
  if (skipped)
    return `${skipped.unseen} of ${skipped.known} stored records could not be fetched again (${formatShare(skipped.unseen / skipped.known)}), ${limit}.`;
  const found = totalOf(counts);
  if (isEmptyHarvest(report)) return explainEmptyHarvest(report);
  if (!isFirst) return undefined;
  const unlisted = incompleteLists.reduce((total, list) => total + list.total - list.seen, 0);
  const missing = unlisted + failures.filter((failure) => !failure.hasEarlierVersion && !failure.missing).length;
  return missing > maxMissingShare * (found + missing)
    ? `${missing} of the ${found + missing} records that upstream announces are missing (${formatShare(missing / (found + missing))}), ${limit}.${report.discovery || collections ? '' : ' To find records that the guide does not name, add --discover.'}`
    : undefined;
}

/** Returns why a harvest has no record, as a sentence, and what to check. */
export function explainEmptyHarvest({ collections, counts, failures }: HarvestReport): string {
  if (collections) return `Nothing was harvested: upstream has no collection ${collections.join(', ')}. Check --collection.`;
  const isNothing = totalOf(counts) === 0;
  if (isNothing && failures.length > 0) return `Nothing was harvested: every request failed (${failures.length}).`;
  return isNothing
    ? 'Nothing was harvested: all lists are empty. Check --authors-url and --catalog-url.'
    : 'None of the records that the guide names is there. Check --catalog-url, the part before /api/0.2/, and run the same command with the right one.';
}

const formatShare = (share: number): string => `${Math.round(100 * share)}%`;
