/** The portrait that the archive has of a narrator: on the narrator's page, and of interviews that have no image. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { Narrator } from '../../../model/people/narrator.ts';
import type { SiteImage } from '../../images.ts';
import { isCovered } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';

type PortraitContext = Pick<Site, 'images' | 'relations' | 'notices'>;

/** Returns a narrator's own portrait. A content warning on an interview covers its images. */
export function ownPortrait(
  { portrait }: Narrator,
  interviews: readonly ListedEntry[],
  site: PortraitContext,
): SiteImage | undefined {
  if (portrait === undefined || interviews.some((each) => isCovered(each, site))) return undefined;
  return site.images.get(portrait)?.thumb;
}

/** Returns the portrait of the first narrator of an interview who has one. `isPart`: for a segment, in which any may speak. */
export function narratorPortrait(record: ListedEntry, site: PortraitContext, isPart = false): SiteImage | undefined {
  const { relations } = site;
  const narrators = (isInterview(record) && relations.entry(record.id)?.narrators) || [];
  if (isPart && narrators.length > 1) return undefined;
  const portraits = Iterator.from(narrators).map((slug) => {
    const narrator = relations.narratorOf(relations.person(slug)?.narrator ?? '');
    return narrator && ownPortrait(narrator, relations.interviewsWith(slug), site);
  });
  return portraits.find((portrait) => portrait !== undefined);
}

/** Whether a record is an entire interview. */
export function isInterview({ model, genre, format }: ListedEntry): boolean {
  return model === 'entity' && (genre === 'interview' || format === 'vh');
}
