/** A record as lists show it. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { label } from '../language/edition.ts';
import { type Picture, pictureOf, placeholderFor } from '../pictures.ts';
import type { Site } from '../site.ts';

export interface Card {
  path: string;
  id: string;
  title: string;
  /** Human label of the model. */
  kind: string;
  date: string | undefined;
  picture: Picture;
  /** Whether the picture is only the drawing that stands for “no picture”. */
  placeholder: boolean;
}

/** What a card needs of the mirror. */
export type Shown = Pick<Site, 'pictures' | 'edition'>;

export function cardOf(entry: ObjectEntry, { pictures, edition: locale }: Shown): Card {
  const picture = pictureOf(entry.images, pictures)?.thumb;
  return {
    path: objectPath(entry.id),
    id: entry.id,
    title: entry.title,
    kind: label(locale.t.codes.model, entry.model),
    date: entry.date,
    picture: picture ?? placeholderFor(entry, locale.root),
    placeholder: picture === undefined,
  };
}
