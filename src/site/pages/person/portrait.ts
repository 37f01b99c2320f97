/** Finds an image of a person: a narrator’s own portrait, or that of an interview or of a record that is a portrait. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import type { Narrator } from '../../../model/people/narrator.ts';
import type { SiteImage } from '../../images.ts';
import { isCovered } from '../../notices/notices.ts';
import { createCard } from '../../parts/cards/card.ts';
import { findPreview } from '../../parts/cards/record-thumbnail.ts';
import type { NoticeMark } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';

/** An image of the person. */
export interface Portrait {
  image: SiteImage;
  /** What it shows. */
  caption: string;
  /** The page of the record of which it is the image, and its ID; undefined for the narrator's own portrait. */
  path: string | undefined;
  id: string | undefined;
  /** Cultural-protocol labels on that record. */
  labels?: NoticeMark[];
}

/** Returns a narrator's own portrait. A content warning on an interview covers its images. */
export function ownPortrait({ portrait }: Narrator, interviews: readonly ListedEntry[], site: Site): Portrait | undefined {
  if (portrait === undefined || interviews.some((each) => isCovered(each, site))) return undefined;
  const image = site.images.get(portrait);
  return image && { image: image.thumb, caption: site.locale.t.people.portrait, path: undefined, id: undefined };
}

/** Returns the image of an interview, or else of one of the records `mentions` that is a portrait. */
export function findPortrait(
  interviews: readonly ListedEntry[],
  mentions: readonly ListedEntry[],
  site: Site,
): Portrait | undefined {
  const portraits = mentions.filter(({ genre }) => genre === 'portrait');
  const entry = [...interviews, ...portraits].find((each) => findPreview(each, site));
  const image = entry && findPreview(entry, site)?.thumb;
  if (!image) return undefined;
  const { path, labels } = createCard(entry, site);
  return { image, caption: entry.title, path, id: entry.id, ...(labels ? { labels } : {}) };
}

/** Returns the portrait of a narrator. */
export function portraitOf(person: PersonEntry, interviews: readonly ListedEntry[], site: Site): Portrait | undefined {
  const narrator = site.relations.narratorOf(person.narrator ?? '');
  return (narrator && ownPortrait(narrator, interviews, site)) ?? findPortrait(interviews, [], site);
}
