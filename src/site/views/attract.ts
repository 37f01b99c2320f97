/** What a kiosk shows when nobody uses it: pictures of the archive, one after the other. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { compareIds } from '../../model/ids.ts';
import type { Site } from '../site.ts';
import { type Shot, shotOf } from './files.ts';

export interface Slide {
  title: string;
  picture: Shot;
}

const MOST_SLIDES = 8;

/** Photographs from all over the archive; other pictures where there are none. */
export function slidesOf(items: readonly ObjectEntry[], site: Site): Slide[] {
  const entities = [...items].sort((a, b) => compareIds(a.id, b.id));
  const photographs = entities.filter(({ genre }) => genre === 'photograph');
  const pictured = (photographs.length > 0 ? photographs : entities).flatMap((entry): Slide[] => {
    const picture = shotOf(entry, site);
    return picture ? [{ title: entry.title, picture }] : [];
  });
  const step = Math.max(1, Math.floor(pictured.length / MOST_SLIDES));
  return pictured.filter((_, i) => i % step === 0).slice(0, MOST_SLIDES);
}
