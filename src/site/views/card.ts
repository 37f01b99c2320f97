/** Cards: records as lists show them. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { label } from '../language/edition.ts';
import { type Picture, pictureOf, placeholderFor } from '../pictures.ts';
import type { Site } from '../site.ts';

/** One card. */
export interface Card {
  path: string;
  id: string;
  title: string;
  /** Label of the model, such as “Item”. */
  kind: string;
  /** The record's date as text; on a collection's card, its number of items. */
  date: string | undefined;
  picture: Picture;
  /** Whether the image is a placeholder. */
  placeholder: boolean;
}

/** The part of a site that a card needs. */
export type Shown = Pick<Site, 'pictures' | 'edition'>;

/** Returns the card of a record. */
export function cardOf(entry: ObjectEntry, { pictures, edition: locale }: Shown): Card {
  const thumbnail = pictureOf(entry.images, pictures)?.thumb;
  return {
    path: objectPath(entry.id),
    id: entry.id,
    title: entry.title,
    kind: label(locale.t.codes.model, entry.model),
    date: entry.date,
    picture: thumbnail ?? placeholderFor(entry, locale.root),
    placeholder: thumbnail === undefined,
  };
}
