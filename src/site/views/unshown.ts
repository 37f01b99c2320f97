/** What stands in place of a page that could not be made: what it is about, that it could not be shown, and where to go on. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Facet } from '../../catalogue/facets.ts';
import { AUTHORS, BROWSE, COLLECTIONS, facetPath, GUIDE, objectPath } from '../../catalogue/urls.ts';
import type { Withdrawn } from '../../catalogue/view.ts';
import { parseId } from '../../model/ids.ts';
import type { Site } from '../site.ts';
import type { Crumb } from './page.ts';

export interface UnshownView {
  path: string;
  title: string;
  /** The record's id, where it is one. */
  id: string | undefined;
  text: string;
  /** A page that leads on: the record's collection, or the list that it stands in. */
  above: Crumb;
}

export function unshownObject(entry: ObjectEntry, path: string, { relations, edition: locale }: Site): UnshownView {
  const { t } = locale;
  const collection = entry.ancestors.map((id) => relations.object(id)).find((one) => one !== undefined);
  const above = collection
    ? { label: collection.title, path: objectPath(collection.id) }
    : { label: t.sections.collections, path: COLLECTIONS };
  return { path, title: entry.title, id: entry.id, text: t.failedPage.record, above };
}

/** What stands in place of a record that the archive withdrew: nothing of the record itself. */
export function withdrawnObject({ id, date, reason }: Withdrawn, { relations, edition: locale }: Site): UnshownView {
  const { t } = locale;
  const [above] = idsAbove(id).flatMap((one) => relations.object(one) ?? []);
  return {
    path: objectPath(id),
    title: t.withdrawn.title,
    id,
    text: t.withdrawn.text(locale.date(`${date}T00:00:00Z`), reason),
    above: above ? { label: above.title, path: objectPath(above.id) } : { label: t.sections.collections, path: COLLECTIONS },
  };
}

/** The IDs above one, by its shape, the nearest first. */
function idsAbove(id: string): string[] {
  const above: string[] = [];
  for (let next = parseId(id).parent; next !== undefined; next = parseId(next).parent) above.push(next);
  return above;
}

export function unshownAuthor(title: string, path: string, { edition: locale }: Site): UnshownView {
  return {
    path,
    title,
    id: undefined,
    text: locale.t.failedPage.page,
    above: { label: locale.t.sections.authors, path: AUTHORS },
  };
}

export function unshownArticle(title: string, path: string, { edition: locale }: Site): UnshownView {
  return { path, title, id: undefined, text: locale.t.failedPage.page, above: { label: locale.t.sections.guide, path: GUIDE } };
}

/** A page of a facet, or of one of its values. */
export function unshownFacet(facet: Facet, title: string, path: string, { edition: locale }: Site): UnshownView {
  const { t } = locale;
  const list = facetPath(facet);
  const above = path === list ? { label: t.sections.browse, path: BROWSE } : { label: t.facets[facet][0], path: list };
  return { path, title, id: undefined, text: t.failedPage.page, above };
}
