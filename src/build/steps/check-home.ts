/** Checks the records that settings put on the home page. */
import type { Records } from '../../catalogue/records.ts';
import type { SettingProblem } from '../../model/setting-problem.ts';
import type { ReadDesign } from '../../settings/read-design.ts';
import { isCovered, type Notices } from '../../site/notices/notices.ts';
import { findPreview } from '../../site/parts/cards/record-thumbnail.ts';
import type { OpenSite } from '../pages/site-source.ts';

/**
 * Checks that the record whose image is the large one is in the site, and has an image that can be shown there.
 * @throws {UsageError} if not
 */
export function checkLeadRecord(
  read: (Pick<ReadDesign, 'report'> & { design: Pick<ReadDesign['design'], 'leadRecord'> }) | undefined,
  objects: Pick<Records, 'listed'>,
  notices: Notices,
): void {
  const id = read?.design.leadRecord;
  if (id === undefined) return;
  const problem = problemWithLead(id, objects, notices);
  const path = ['design', 'leadImage', 'record'];
  read?.report(problem === undefined ? [] : [{ path, problem: `"${path.join('.')}": ${problem}` } satisfies SettingProblem]);
}

function problemWithLead(id: string, objects: Pick<Records, 'listed'>, notices: Notices): string | undefined {
  const entry = objects.listed(id);
  if (!entry) return `the record ${id} is not in this site: it is withheld, or not in the snapshot.`;
  if (entry.mediaUrls.length === 0) return `the record ${id} has no image. Choose another one.`;
  if (isCovered(entry, { notices })) return `a content warning covers the image of ${id}. Choose another record.`;
  const isOther = notices.mediaUrls(entry).length === 0;
  return isOther ? `the image of ${id} is also that of a record with a notice. Choose another record.` : undefined;
}

/** Returns what the home page lacks, as sentences for the report of a build. */
export function homeDefects(
  { featured, featuredAt = {} }: { featured: readonly string[]; featuredAt?: Readonly<Record<string, string>> },
  { entries, sites }: Pick<OpenSite, 'entries' | 'sites'>,
): Array<{ defect: string; place?: string | undefined }> {
  const missing = featured.filter((id) => !entries.objects.listed(id));
  const [site] = sites;
  const lead = site.design?.leadRecord;
  const entry = lead === undefined ? undefined : entries.objects.listed(lead);
  return [
    ...missing.map((id) => ({ defect: `The featured record ${id} is not in this site`, place: featuredAt[id] })),
    ...(lead !== undefined && !entry ? [{ defect: `The record of the lead image, ${lead}, is not in this site` }] : []),
    ...(entry && !findPreview(entry, site)
      ? [{ defect: `The image of ${entry.id}, the lead image, is not in the snapshot` }]
      : []),
  ];
}
