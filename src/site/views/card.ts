/** A record as lists show it. */
import { label, MODEL } from '../../model/vocabularies.ts';
import type { ObjectEntry } from '../entries.ts';
import { type Picture, type Pictures, pictureOf, placeholderFor } from '../pictures.ts';
import { objectPath } from '../urls.ts';

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

export function cardOf(entry: ObjectEntry, pictures: Pictures): Card {
  const picture = pictureOf(entry.images, pictures)?.thumb;
  return {
    path: objectPath(entry.id),
    id: entry.id,
    title: entry.title,
    kind: label(MODEL, entry.model),
    date: entry.date,
    picture: picture ?? placeholderFor(entry),
    placeholder: picture === undefined,
  };
}
