/** Lists of people and organizations, filed by name. */
import type { AuthorEntry } from '../../../catalogue/entries.ts';
import type { LabeledValue } from '../../../catalogue/lists/facets.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { personPath } from '../../../catalogue/urls.ts';
import { filedName } from '../../../model/names/filing.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import { codeLabel, type Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { pathOfAuthor } from '../../text/links.ts';
import { createListCache, type NameLine, sortLines } from './name-lists.ts';

/** Returns how a list shows and sorts someone: as the name is filed, with an ID if others have the same name. */
export function filedLine(named: LabeledValue, locale: Locale): Pick<NameLine, 'label' | 'sort'> {
  const { shown, sort } = filedName(named.label);
  const label = facetLabel(locale, 'person', { ...named, label: shown || named.label });
  return { label, sort: sort || label };
}

const listOf = createListCache<NameLine>();

/** Returns all who have a page. */
export function readPersonLines(site: Site): NameLine[] {
  const { relations, locale } = site;
  const people = relations.people();
  return listOf(site, 'people', () => {
    const lines = people.map((person) => ({
      ...filedLine(person, locale),
      path: personPath(person.slug),
      ...(person.records > 0 ? { count: person.records } : noteOf(person, site)),
    }));
    return sortLines(lines, locale);
  });
}

/** Returns the number of guide pages of someone whom no record names; without any, what the person is. */
function noteOf({ authors }: PersonEntry, { relations, locale }: Pick<Site, 'relations' | 'locale'>): Pick<NameLine, 'note'> {
  if (authors.length === 0) return { note: codeLabel(locale.t.codes.creatorRole, 'narrator') };
  const { size } = new Set(authors.flatMap((author) => relations.author(author)?.articles ?? []));
  return { note: size > 0 ? locale.t.people.tally.guidePages(size) : locale.t.guide.author };
}

/** Returns the authors of the guide, with links to the pages of the people who they are. */
export function createAuthorLines(authors: readonly AuthorEntry[], { relations, locale }: Site): NameLine[] {
  const lines = authors.map(({ title, slug }) => ({
    ...filedLine({ slug, label: title }, locale),
    path: pathOfAuthor(slug, relations),
  }));
  return sortLines(lines, locale);
}
