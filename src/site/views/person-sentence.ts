/** The sentence at the beginning of a person's page, made of what the catalogue has stored of the person's records. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { PersonEntry } from '../../catalogue/person-entries.ts';
import type { TermSummary } from '../../catalogue/term-summaries.ts';
import { facetLabel } from '../facet-label.ts';
import type { Site } from '../site.ts';
import { yearsOf } from './kind-counts.ts';

/** Returns the sentence: in how many records the person has a part, from which years, mostly where, and when there was an interview. Empty without records. */
export function describePerson(
  { slug, created, mentioned }: Pick<PersonEntry, 'slug' | 'created' | 'mentioned'>,
  interviews: readonly ListedEntry[],
  site: Pick<Site, 'relations' | 'locale'>,
): string {
  const [facet, count] = created > 0 ? (['creator', created] as const) : (['person', mentioned] as const);
  if (count === 0) return '';
  const { sentence } = site.locale.t.people;
  const summary = site.relations.summary(facet, slug);
  const years = summary ? yearsOf(summary, site.locale) : '';
  const place = summary && mainPlace(summary, count, site);
  const interviewed = [...new Set(interviews.flatMap(({ date }) => /\b\d{4}\b/.exec(date ?? '')?.[0] ?? []))].sort();
  return [
    sentence[facet](count, years),
    place === undefined ? '' : sentence.mostly(place),
    interviewed.length === 0 ? '' : sentence.interviewed(new Intl.ListFormat(site.locale.language).format(interviewed)),
    sentence.end,
  ].join('');
}

/** Returns the name of the place of more than half of the records. */
function mainPlace(
  { spots: [spot] }: TermSummary,
  count: number,
  { relations, locale }: Pick<Site, 'relations' | 'locale'>,
): string | undefined {
  if (!spot || spot.count * 2 <= count) return undefined;
  const term = relations.term('place', spot.place);
  return term && facetLabel(locale, 'place', term);
}
