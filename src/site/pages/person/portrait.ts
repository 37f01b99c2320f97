/** Finds an image of a person: a narrator’s own portrait, or that of an interview or of a record that is a portrait. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import type { SiteImage } from '../../images.ts';
import { createCard } from '../../parts/cards/card.ts';
import { ownPortrait } from '../../parts/cards/narrator-portrait.ts';
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

/** Returns the image of an interview, or else of one of the records `mentions` that is a portrait. */
function findPortrait(interviews: readonly ListedEntry[], mentions: readonly ListedEntry[], site: Site): Portrait | undefined {
  const portraits = mentions.filter(({ genre }) => genre === 'portrait');
  const entry = [...interviews, ...portraits].find((each) => findPreview(each, site));
  const image = entry && findPreview(entry, site)?.thumb;
  if (!image) return undefined;
  const { path, labels } = createCard(entry, site);
  return { image, caption: entry.title, path, id: entry.id, ...(labels ? { labels } : {}) };
}

/** Returns the portrait of someone who was interviewed, or who is in `mentions`. */
export function portraitOf(
  person: PersonEntry,
  interviews: readonly ListedEntry[],
  mentions: readonly ListedEntry[],
  site: Site,
): Portrait | undefined {
  const narrator = site.relations.narratorOf(person.narrator ?? '');
  const own = narrator && ownPortrait(narrator, interviews, site);
  if (own) return { image: own, caption: site.locale.t.people.portrait, path: undefined, id: undefined };
  return findPortrait(interviews, mentions, site);
}
