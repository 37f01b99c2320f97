/** Cards: records as lists show them. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { shownTitle, subjectOf } from '../../fields/record-title.ts';
import type { SiteImage } from '../../images.ts';
import type { Site } from '../../site.ts';
import { type TextLangContext, titleLang } from '../../text/text-lang.ts';
import { createNoticeMarks, type NoticeMark } from '../notices/notices.ts';
import { kindLabel } from './image-text.ts';
import { findListedImage } from './record-thumbnail.ts';

/** One card. */
export interface Card {
  id: string;
  path: string;
  title: string;
  /** The complete title of a segment whose `title` is what it is about. */
  fullTitle?: string;
  /** The title's language, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** What the record is, such as “Photograph”; empty if that is not known. In a list of collections, its number of items. */
  kind: string;
  /** The record's date as text; on a collection's card among other records, its number of items. */
  date: string | undefined;
  /** What the record is and its date, if `kind` and `date` are something else. */
  saved?: { kind: string; date: string | undefined };
  /** Lines below, such as why a record is related. */
  notes?: string[];
  /** The language of these, if it is not the page's. */
  noteLang?: string | undefined;
  /** By which a script sorts the card, if the page sorts by date; empty without a date. */
  dateKey?: string;
  image: SiteImage;
  /** Whether the image is a placeholder. */
  isPlaceholder: boolean;
  /** Content warnings; then the image is a placeholder. */
  warnings?: NoticeMark[];
  /** Cultural-protocol labels: of the record, and of the one that the image shows. */
  labels?: NoticeMark[];
}

/** The part of a site that a card needs. */
export type CardContext = Pick<Site, 'images' | 'relations' | 'notices'> & TextLangContext;

/** Returns the card of a record. */
export function createCard(entry: ListedEntry, site: CardContext): Card {
  const { locale } = site;
  const { shows, ...listed } = findListedImage(entry, site, locale.rootPath);
  const title = shownTitle(entry, locale);
  const subject = subjectOf(entry, site);
  return {
    id: entry.id,
    path: objectPath(entry.id),
    title: subject ?? title,
    lang: titleLang(entry, site),
    kind: entry.model === 'entity' && (entry.genre ?? entry.format) === undefined ? '' : kindLabel(entry, locale.t),
    date: entry.date && locale.formatRecordDate(entry.date),
    ...listed,
    ...createNoticeMarks(entry, site, shows),
    ...(subject === undefined ? {} : { fullTitle: title }),
  };
}
