/** The view model of a fiche: the images of a collection, tiny and together, as the frames of a microfiche. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { shownTitle } from '../../fields/record-title.ts';
import { furtherLabels } from '../../notices/notices.ts';
import { findPreview } from '../../parts/cards/record-thumbnail.ts';
import { recordCrumb, recordTrail } from '../../parts/frame/page-parts.ts';
import { createNoticeMarks, createNoticeViews } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { titleLang } from '../../text/text-lang.ts';

/** A record of the collection. */
export type Frame = NonNullable<ReturnType<typeof createFrame>>;

/** Frames on one sheet: as many as on a microfiche of 7 rows and 14 columns. */
const SHEET_SIZE = 98;
/** Records on one page: six sheets, so that it has less than 60 KB with style and scripts. */
const FICHE_PAGE_SIZE = 6 * SHEET_SIZE;
/** Images below which a collection has no fiche. */
const MIN_IMAGES = 12;
/** Of how many records these images are looked for. */
const MAX_SEARCHED = 1000;

/** Whether a collection has a fiche. */
export function hasFiche({ id, model }: Pick<ListedEntry, 'id' | 'model'>, site: Pick<Site, 'relations' | 'images' | 'notices'>) {
  if (model !== 'collection') return false;
  const first = Iterator.from(site.relations.children(id).withMedia()).take(MAX_SEARCHED);
  return [...first.filter((child) => findPreview(child, site)).take(MIN_IMAGES)].length === MIN_IMAGES;
}

/** Returns the number of pages of a collection's fiche, which it must have. */
export function countFichePages({ id }: Pick<ListedEntry, 'id'>, { relations }: Pick<Site, 'relations'>): number {
  return Math.ceil(relations.children(id).withMedia().length / FICHE_PAGE_SIZE);
}

/** Returns one page of a collection's fiche. */
export function createFicheView(entry: ListedEntry, page: number, site: Site) {
  const { t } = site.locale;
  const { label: recordTitle, lang } = recordCrumb(entry, site);
  const records = site.relations.children(entry.id).withMedia();
  const frames = records
    .slice((page - 1) * FICHE_PAGE_SIZE, page * FICHE_PAGE_SIZE)
    .flatMap((record) => createFrame(record, entry, site) ?? []);
  return {
    title: t.fiche.titleOf(recordTitle),
    trail: recordTrail(entry, site, t.fiche.name),
    /** The ID of the collection. */
    id: entry.id,
    recordTitle,
    /** The language of its title, if it is not the page's: a BCP 47 tag. */
    lang,
    /** Cultural-protocol labels of the collection. */
    labels: createNoticeViews(entry, site).labels,
    /** The number of pages. */
    pages: countFichePages(entry, site),
    /** The frames of each sheet. */
    sheets: Array.from({ length: Math.ceil(frames.length / SHEET_SIZE) }, (_, i) =>
      frames.slice(i * SHEET_SIZE, (i + 1) * SHEET_SIZE),
    ),
  };
}

/** Returns the frame of a record below a collection; undefined if it has neither an image nor a notice. */
function createFrame(record: ListedEntry, collection: ListedEntry, site: Site) {
  const { formatRecordDate } = site.locale;
  const { warnings = [], labels = [] } = createNoticeMarks(record, site);
  const hasNotice = warnings.length > 0 || furtherLabels(record, collection, site).length > 0;
  const images = hasNotice ? undefined : findPreview(record, site);
  if (!images && !hasNotice) return undefined;
  const [notice] = [...warnings, ...labels];
  return {
    /** The page of the record. */
    path: objectPath(record.id),
    title: shownTitle(record, site.locale),
    /** The title's language, if it is not the page's: a BCP 47 tag. */
    lang: titleLang(record, site),
    date: record.date && formatRecordDate(record.date),
    /** Undefined if the record has a notice. */
    image: images?.thumb,
    /** The path of the image in a larger size, if there is one. */
    larger: images && images.page.path !== images.thumb.path ? images.page.path : undefined,
    /** Why there is no image: the kind and the title of the notice. */
    notice: hasNotice && notice ? `${notice.kind}: ${notice.title.text}` : undefined,
  };
}
