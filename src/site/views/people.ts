/** Lists of people and organizations, filed by name. */
import type { AuthorEntry } from '../../catalogue/entries.ts';
import type { FacetValue } from '../../catalogue/facets.ts';
import { personPath } from '../../catalogue/urls.ts';
import { filedName } from '../../model/filing.ts';
import { facetLabel } from '../facet-label.ts';
import type { Locale } from '../language/locale.ts';
import { pathOfAuthor } from '../links.ts';
import type { Site } from '../site.ts';
import { createListCache, type NameLine } from './name-lists.ts';

/** Returns how a list shows and sorts someone: as the name is filed, with an ID if others have the same name. */
export function filedLine(
  named: Pick<FacetValue, 'slug' | 'label' | 'ids' | 'sharesName'>,
  locale: Locale,
): Pick<NameLine, 'label' | 'sort'> {
  const { shown, sort } = filedName(named.label);
  const label = facetLabel(locale, 'person', { ...named, label: shown || named.label });
  return { label, sort: sort || label };
}

const cache = createListCache<NameLine>();

/** Returns all who have a page. */
export function readPersonLines(site: Site): NameLine[] {
  const { relations, locale } = site;
  const people = relations.people();
  return cache.read(site, 'people', () =>
    sortLines(
      people.map((person) => {
        const count = person.created + person.mentioned;
        return { ...filedLine(person, locale), path: personPath(person.slug), ...(count > 0 ? { count } : {}) };
      }),
      locale,
    ),
  );
}

/** Returns the authors of the guide, with links to the pages of the people who they are. */
export function createAuthorLines(
  authors: readonly AuthorEntry[],
  { relations, locale }: Pick<Site, 'relations' | 'locale'>,
): NameLine[] {
  const lines = authors.map(({ title, slug }) => ({
    ...filedLine({ slug, label: title }, locale),
    path: pathOfAuthor(slug, relations),
  }));
  return sortLines(lines, locale);
}

function sortLines(lines: NameLine[], { compare }: Locale): NameLine[] {
  return lines.sort((a, b) => compare(a.sort, b.sort) || compare(a.label, b.label) || (a.path < b.path ? -1 : 1));
}
