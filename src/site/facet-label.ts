/** Labels of facet values. */
import { type Facet, type FacetValue, UNDATED } from '../catalogue/facets.ts';
import type { PersonIds } from '../model/name-with-id.ts';
import { stepsOfTerm } from '../model/term-steps.ts';
import { codeLabel, type Locale } from './language/locale.ts';

/** What the label of a facet value depends on. */
type Labeled = Pick<FacetValue, 'slug' | 'label' | 'ids' | 'sharesName'>;

/** Returns the ID that distinguishes a person from others of the same name, in words. */
export function personId({ oh, nr = '' }: PersonIds, t: Locale['t']): string {
  return oh === undefined ? t.nameRecord(nr) : t.narrator(oh);
}

/** Returns the label of a facet value in a language. */
export function facetLabel({ t, languageName }: Locale, facet: Facet, { slug, label: value, ids, sharesName }: Labeled): string {
  if (sharesName && ids) return t.personWithId(value, personId(ids, t));
  if (facet === 'genre' || facet === 'format' || facet === 'rights') return codeLabel(t.codes[facet], value);
  if (facet === 'language') return languageName(value);
  if (facet === 'topic' || facet === 'facility') return stepsOfTerm(value);
  if (facet !== 'time') return value;
  if (slug === UNDATED) return t.dates.undated;
  return slug.endsWith('s') ? t.decade(Number(slug.slice(0, -1))) : slug;
}
