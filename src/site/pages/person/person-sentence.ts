/** The sentences at the beginning of a person's page, made of what the catalogue has stored of the person's records. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { Site } from '../../site.ts';

/** Returns the sentences: the years of the records, mostly where, and when there was an interview. Empty without any. */
export function describePerson(
  { slug, records }: Pick<PersonEntry, 'slug' | 'records'>,
  interviews: readonly ListedEntry[],
  site: Pick<Site, 'relations' | 'locale'>,
): string {
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
    interviewed.length === 0 ? '' : sentences.interviewed(new Intl.ListFormat(site.locale.language).format(interviewed)),
  ]
    .join('')
    .trim();
}
