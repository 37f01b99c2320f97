/** A person's names and identifiers, and the first sentences of the page, made of what the catalogue has of their records. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { facetValuePath, personPath } from '../../../catalogue/urls.ts';
import { facetLabel, personQualifier } from '../../fields/facet-label.ts';
import type { Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';

/** Returns the name of a person as headings show it: with an ID if others have the same name. */
export function personLabel(person: PersonEntry, { locale }: Pick<Site, 'locale'>): string {
  return facetLabel(locale, 'person', person);
}

/** Returns the names and identifiers of a person, and others of the same name. */
export function personNames(person: PersonEntry, { relations, locale }: Pick<Site, 'relations' | 'locale'>) {
  const { slug, label, sharesName, ids } = person;
  const [otherNames, namesakes] = [new Map<string, string>(), new Map<string, string>()];
  for (const facet of ['creator', 'person'] as const) {
    const term = relations.term(facet, slug);
    const names = (term?.names ?? []).flatMap((name) => relations.term(facet, name) ?? []);
    for (const name of names)
      if (name.label !== label) otherNames.set(facetValuePath(facet, name.slug), facetLabel(locale, facet, name));
    const others = new Set([
      ...(term?.people ?? []),
      ...names.filter((name) => name.label === label).flatMap(({ people }) => people),
    ]);
    for (const other of others) {
      const namesake = other === slug ? undefined : relations.person(other);
      if (namesake) namesakes.set(personPath(other), personLabel(namesake, { locale }));
    }
  }
  const toLink = ([path, name]: [path: string, label: string]) => ({ path, label: name });
  return {
    ...(sharesName && ids
      ? { name: label, qualifier: personQualifier(person, locale) }
      : { name: personLabel(person, { locale }), qualifier: undefined }),
    /** Other forms of the name, with the pages of their records. */
    otherNames: Array.from(otherNames, toLink),
    /** Others of the same name. */
    namesakes: Array.from(namesakes, toLink),
    /** The narrator's number, and the name record, which is linked if it has an ARK. */
    identifiers: identifiersOf(person, locale),
  };
}

/** An ARK: the number of the organization that assigned it, and a name. */
const ARK = /^(?:ark:\/?)?(?<ark>\d{5,9}\/[A-Za-z0-9=~*+@_$.\-/]+)$/;
/** Resolves the ARKs of all organizations (https://arks.org). */
const ARK_RESOLVER = 'https://n2t.net/ark:/';

function identifiersOf({ ids = {} }: PersonEntry, { t }: Locale) {
  const { oh, nr } = ids;
  const ark = ARK.exec(nr ?? '')?.groups?.['ark'];
  return [
    ...(oh === undefined ? [] : [{ label: t.narrator(oh), href: undefined }]),
    ...(nr === undefined ? [] : [{ label: t.nameRecord(nr), href: ark === undefined ? undefined : `${ARK_RESOLVER}${ark}` }]),
  ];
}

/** Returns the sentences: from which years the records are, mostly where, and when interviewed. Empty without any of these. */
export function describePerson({ slug, records }: PersonEntry, interviews: readonly ListedEntry[], site: Site): string {
  const { sentences } = site.locale.t.people;
  const summaries = (['creator', 'person'] as const).flatMap((facet) => site.relations.summary(facet, slug) ?? []);
  const years = summaries.flatMap((summary) => summary.years ?? []);
  const spot = summaries.flatMap(({ spots }) => spots).find(({ count }) => count * 2 > records);
  const place = spot && site.relations.term('place', spot.place);
  const interviewed = [...new Set(interviews.flatMap(({ date }) => /\b\d{4}\b/.exec(date ?? '')?.[0] ?? []))].sort();
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return [
    years.every((year) => interviewed.includes(String(year)))
      ? ''
      : first === last
        ? sentences.year(first)
        : sentences.years(first, last),
    place ? sentences.mostly(facetLabel(site.locale, 'place', place)) : '',
    interviewed.length === 0 ? '' : sentences.interviewed(new Intl.ListFormat([site.locale.language, 'en']).format(interviewed)),
  ]
    .join('')
    .trim();
}
