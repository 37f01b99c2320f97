/** View models of replacement pages: for pages that could not be rendered, and for withdrawn records. */
import type { Withdrawn } from '../../../catalogue/read/visible-store.ts';
import {
  ABOUT_PATH,
  COLLECTIONS_PATH,
  EXHIBITS_PATH,
  facetPath,
  GUIDE_PATH,
  objectPath,
  PEOPLE_PATH,
} from '../../../catalogue/urls.ts';
import type { Facet } from '../../../model/facets.ts';
import { parseId } from '../../../model/ids.ts';
import type { RoutedPage } from '../../hand-over.ts';
import { type OwnKind, versionIn } from '../../own/own-content.ts';
import { type Crumb, recordCrumb } from '../../parts/frame/page-parts.ts';
import type { Site } from '../../site.ts';
import { personLabel } from '../person/person-names.ts';

/** A replacement page. */
export interface UnavailableView {
  path: string;
  title: string;
  /** The record's ID, if it is the page of a record. */
  id: string | undefined;
  text: string;
  /** Path of the page to which this one leads. */
  movedTo?: string | undefined;
  /** Where the reader can continue: the record's collection, or the list that the page belongs to. */
  parentCrumb: Crumb;
}

/** Returns the replacement of a page that could not be rendered; undefined for one that then does without what failed. */
export function createReplacement(path: string, { kind, props }: Pick<RoutedPage, 'kind' | 'props'>, site: Site) {
  const { relations, locale, own } = site;
  const { sections, facets, own: words } = locale.t;
  const { id = '', slug = '', facet, kind: ownKind } = props as { id?: string; slug?: string; facet?: Facet; kind?: OwnKind };
  const replace = (title: string | undefined, parentCrumb: Crumb): UnavailableView | undefined =>
    title === undefined ? undefined : { path, title, id: undefined, text: locale.t.failedPage.page, parentCrumb };
  switch (kind) {
    case 'object':
    case 'contents':
    case 'fiche':
    case 'transcript': {
      const entry = site.withdrawn.has(id) ? undefined : relations.object(relations.idOfPage(id) ?? id);
      if (!entry) return undefined;
      const { title, ancestors } = entry;
      return { path, title, id: entry.id, text: locale.t.failedPage.record, parentCrumb: crumbAmong(ancestors, site) };
    }
    case 'guide':
      return replace(relations.article(slug)?.title, { label: sections.guide, path: GUIDE_PATH });
    case 'person': {
      const person = relations.person(slug);
      return replace(person && personLabel(person, site), { label: sections.people, path: PEOPLE_PATH });
    }
    case 'term':
      if (!facet) return undefined;
      return replace(relations.term(facet, slug)?.label, { label: facets[facet].plural, path: facetPath(facet) });
    case 'own': {
      const page = ownKind && own.find(ownKind, slug);
      const parent =
        ownKind === 'exhibits' ? { label: words.exhibits, path: EXHIBITS_PATH } : { label: sections.about, path: ABOUT_PATH };
      return replace(page && versionIn(page, locale.language).title, parent);
    }
    default:
      return undefined;
  }
}

/** Returns a link to the first of some records that has a page, or else to the list of collections. */
function crumbAmong(ids: readonly string[], site: Site): Crumb {
  const [record] = ids.flatMap((id) => site.relations.object(id) ?? []);
  return record ? recordCrumb(record, site) : { label: site.locale.t.sections.collections, path: COLLECTIONS_PATH };
}

/** Returns the page of a withdrawn record, which shows nothing of it but its ID, or of one that has another ID now. */
export function createWithdrawnObjectView({ id, date, reason, movedTo }: Withdrawn, site: Site): UnavailableView {
  const { t, formatDate } = site.locale;
  const { relations } = site;
  const path = objectPath(id);
  // Looking up the old ID too has the page rendered again once there is such a record.
  const moved = movedTo === undefined || relations.object(id) ? undefined : relations.object(movedTo);
  if (moved) {
    const view = { path, title: moved.title, id, text: t.withdrawn.moved, parentCrumb: recordCrumb(moved, site) };
    return { ...view, movedTo: objectPath(moved.id) };
  }
  return {
    path,
    title: t.withdrawn.title,
    id,
    text: t.withdrawn.text(formatDate(`${date}T00:00:00Z`), reason),
    parentCrumb: crumbAmong(ancestorIds(id), site),
  };
}

/** Returns the IDs of a record's ancestors, which its own ID contains; the nearest first. */
function ancestorIds(id: string): string[] {
  const above: string[] = [];
  for (let next = parseId(id).parent; next !== undefined; next = parseId(next).parent) above.push(next);
  return above;
}
