/** The view model of the attract screen: images of the archive, one after the other. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { sortById } from '../../../model/ids.ts';
import { describeImage } from '../../parts/cards/image-text.ts';
import { createDisplayImage } from '../../parts/media/media-files.ts';
import type { Site } from '../../site.ts';
import { MAX_SLIDES } from '../../styles/numbered-rules.ts';

/** Returns photographs from across the archive, or if it has none, other images; none with a notice: slides have no labels. */
export function createSlides(items: readonly ListedEntry[], site: Site) {
  const entities = sortById(items);
  const photographs = entities.filter(({ genre }) => genre === 'photograph');
  const slides = (photographs.length > 0 ? photographs : entities).flatMap((entry) => {
    const { warnings, labels } = site.notices.of(entry);
    const image = warnings.length + labels.length > 0 ? undefined : createDisplayImage(entry, site);
    return image ? [{ title: entry.title, alt: describeImage(entry, site), image }] : [];
  });
  const step = Math.max(1, Math.floor(slides.length / MAX_SLIDES));
  return slides.filter((_, i) => i % step === 0).slice(0, MAX_SLIDES);
}
