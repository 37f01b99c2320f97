/** The parts that every page has: path, title, description and breadcrumbs; and the paging of long lists. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { COLLECTIONS_PATH, objectPath } from '../../../catalogue/urls.ts';
import { shortTitle } from '../../fields/record-title.ts';
import type { Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { type TextLangContext, titleLang } from '../../text/text-lang.ts';

/** One step of the breadcrumbs, or another link with a label. */
export interface Crumb {
  label: string;
  /** Undefined for the page itself, and for a record without a page. */
  path: string | undefined;
  /** The label's language, if it is not the page's: a BCP 47 tag. */
  lang?: string | undefined;
}

/** Returns a link to a record; to a segment, beside its interview. */
export function recordCrumb(entry: ListedEntry, site: Pick<Site, 'relations'> & TextLangContext): Crumb {
  const label = shortTitle(entry, site);
  return { label, path: objectPath(entry.id), lang: titleLang(entry, site, label) };
}

/** Returns the breadcrumbs of a record's ancestors, from the collection down. File roles, and those without page, are text. */
export function ancestorCrumbs(
  { ancestors, fileRoleAbove }: Pick<ListedEntry, 'ancestors' | 'fileRoleAbove'>,
  site: Pick<Site, 'relations'> & TextLangContext,
): Crumb[] {
  const crumbs = ancestors.map((id): Crumb => {
    const ancestor = site.relations.object(id);
    return ancestor ? recordCrumb(ancestor, site) : { label: id, path: undefined };
  });
  return fileRoleAbove === undefined ? crumbs : [...crumbs, { label: fileRoleAbove, path: undefined }];
}

/** Returns the breadcrumbs of a record’s page, or of a page below it, which has a label. */
export function recordTrail(entry: ListedEntry, site: Pick<Site, 'relations'> & TextLangContext, label?: string): Crumb[] {
  const own = recordCrumb(entry, site);
  return [
    { label: site.locale.t.sections.collections, path: COLLECTIONS_PATH },
    ...ancestorCrumbs(entry, site),
    ...(label === undefined ? [{ ...own, path: undefined }] : [own, { label, path: undefined }]),
  ];
}

/** Returns the notice that a record was removed from the live archive; empty if it was not. */
export function removedNotices(removedAt: string | undefined, { t, formatDate }: Locale): string[] {
  return removedAt === undefined ? [] : [t.object.removed(formatDate(removedAt))];
}

/** Returns the URL of a page, if that of the site is known. */
export function addressOfPage(path: string, { siteUrl, locale }: Pick<Site, 'siteUrl' | 'locale'>): string | undefined {
  return siteUrl && new URL(`${locale.pathPrefix}${path}`, siteUrl).href;
}

/** Records on one page of a list. */
export const PAGE_SIZE = 50;

/** The position of one page in a list. */
export interface Paging {
  /** From 1. */
  number: number;
  /** The number of pages. */
  count: number;
  /** Returns the path of a page by its number. */
  pathOf: (number: number) => string;
}

/** Returns the number of pages that a number of records fills; at least 1. */
export const pageCount = (entries: number): number => Math.max(1, Math.ceil(entries / PAGE_SIZE));

/** Returns the elements of a list on one page, from 1. */
export function pageSlice<T>(entries: { slice(from: number, to: number): T[] }, page: number): T[] {
  return entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}
