/** View models of replacement pages: for pages that could not be rendered, and for withdrawn records. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { Withdrawn } from '../../../catalogue/read/visible-store.ts';
import { ABOUT_PATH, BROWSE_PATH, COLLECTIONS_PATH, EXHIBITS_PATH, facetPath, objectPath } from '../../../catalogue/urls.ts';
import type { Facet } from '../../../model/facets.ts';
import { parseId } from '../../../model/ids.ts';
import { type Crumb, recordCrumb } from '../../parts/frame/page-parts.ts';
import type { Site } from '../../site.ts';

/** A replacement page. */
export interface UnavailableView {
  path: string;
  title: string;
  /** The record's ID, if it is the page of a record. */
  id: string | undefined;
  text: string;
  /** Path of the page to which this one leads. */
  movedTo?: string;
  /** Where the reader can continue: the record's collection, or the list that the page belongs to. */
  parentCrumb: Crumb;
}

/** Returns the replacement of a record's page. */
export function createUnavailableObjectView(entry: ListedEntry, path: string, site: Site): UnavailableView {
  const { relations, locale } = site;
  const { t } = locale;
  const collection = entry.ancestors.map((id) => relations.object(id)).find((record) => record !== undefined);
  const parentCrumb = collection ? recordCrumb(collection, site) : { label: t.sections.collections, path: COLLECTIONS_PATH };
  return { path, title: entry.title, id: entry.id, text: t.failedPage.record, parentCrumb };
}

/** Returns the page of a withdrawn record, which shows nothing of it but its ID, or of one that has another ID now. */
export function createWithdrawnObjectView({ id, date, reason, movedTo }: Withdrawn, site: Site): UnavailableView {
  const { relations, locale } = site;
  const { t } = locale;
  // Looking up the old ID too has the page rendered again once there is such a record.
  const moved = movedTo === undefined || relations.object(id) ? undefined : relations.object(movedTo);
  if (moved) {
    const path = objectPath(moved.id);
    return {
      path: objectPath(id),
      title: moved.title,
      id,
      text: t.withdrawn.moved,
      movedTo: path,
      parentCrumb: recordCrumb(moved, site),
    };
  }
  const [above] = ancestorIds(id).flatMap((ancestor) => relations.object(ancestor) ?? []);
  return {
    path: objectPath(id),
    title: t.withdrawn.title,
    id,
    text: t.withdrawn.text(locale.formatDate(`${date}T00:00:00Z`), reason),
    parentCrumb: above ? recordCrumb(above, site) : { label: t.sections.collections, path: COLLECTIONS_PATH },
  };
}

/** Returns the IDs of a record's ancestors, which its own ID contains; the nearest first. */
function ancestorIds(id: string): string[] {
  const above: string[] = [];
  for (let next = parseId(id).parent; next !== undefined; next = parseId(next).parent) above.push(next);
  return above;
}

/** Returns the replacement of a page that is not that of a record. */
export function createUnavailableView(title: string, path: string, parentCrumb: Crumb, { locale }: Site): UnavailableView {
  return { path, title, id: undefined, text: locale.t.failedPage.page, parentCrumb };
}

/** Returns the replacement of an own page or exhibit. */
export function createUnavailableOwnView(title: string, path: string, site: Site): UnavailableView {
  const { own, sections } = site.locale.t;
  const isExhibit = path.startsWith('exhibits/');
  const parentCrumb = isExhibit ? { label: own.exhibits, path: EXHIBITS_PATH } : { label: sections.about, path: ABOUT_PATH };
  return createUnavailableView(title, path, parentCrumb, site);
}

/** Returns the replacement of the page of a facet, or of one of its values. */
export function createUnavailableFacetView(facet: Facet, title: string, path: string, site: Site): UnavailableView {
  const { sections, facets } = site.locale.t;
  const list = facetPath(facet);
  const parentCrumb = path === list ? { label: sections.browse, path: BROWSE_PATH } : { label: facets[facet].plural, path: list };
  return createUnavailableView(title, path, parentCrumb, site);
}
