/** The view model of the attract screen: a sheet of frames from across the archive, of which some are enlarged in turn. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { sortById } from '../../../model/ids.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { ImageDerivatives, SiteImage } from '../../images.ts';
import { describeImage } from '../../parts/cards/image-text.ts';
import { findPreview } from '../../parts/cards/record-thumbnail.ts';
import type { Site } from '../../site.ts';
import { MAX_SLIDES } from '../../styles/numbered-rules.ts';

/** Frames of the sheet: enough for a screen of any shape, also while it moves (attract.css). */
const FRAMES = 112;

/** Returns the frames and slides: photographs, or if there are none, other images; none with a notice, which has no place. */
export function createAttractView(items: readonly ListedEntry[], site: Site) {
  const entities = sortById(items);
  const photographs = entities.filter(({ genre }) => genre === 'photograph');
  const found = (photographs.length > 0 ? photographs : entities).flatMap((entry) => {
    const images = site.notices.of(entry).labels.length > 0 ? undefined : findPreview(entry, site);
    return images ? [{ entry, images }] : [];
  });
  const thumbs = spread(found, FRAMES).map(({ images }) => images.thumb);
  return {
    frames: thumbs.length === 0 ? [] : Array.from({ length: FRAMES }, (_, i) => thumbs[i % thumbs.length] as SiteImage),
    slides: spread(found, MAX_SLIDES).map((each) => createSlide(each, site)),
  };
}

/** Returns elements from the entire list, at most `count`. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, i) => i % step === 0).slice(0, count);
}

/** Returns an enlarged frame, with the label that a museum would give it. */
function createSlide({ entry, images }: { entry: ListedEntry; images: ImageDerivatives }, site: Site) {
  const { locale, relations } = site;
  const makers = relations.entry(entry.id)?.facets.creator ?? [];
  return {
    image: images.page,
    alt: describeImage(entry, site),
    title: entry.title,
    /** Date and makers. */
    facts: [
      ...(entry.date === undefined ? [] : [locale.formatRecordDate(entry.date)]),
      ...makers.slice(0, 2).map((maker) => facetLabel(locale, 'creator', maker)),
    ],
  };
}
