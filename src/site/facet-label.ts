/** Labels of facet values. */
import { type Facet, type FacetValue, UNDATED } from '../catalogue/facets.ts';
import { stepsOfTerm } from '../model/term-steps.ts';
import { codeLabel, type Locale } from './language/locale.ts';

/** What the label of a facet value depends on. */
type Labeled = Pick<FacetValue, 'slug' | 'label' | 'ids' | 'sharesName'>;

/** Returns the label of a facet value in a language. */
export function facetLabel({ t, languageName }: Locale, facet: Facet, { slug, label: value, ids, sharesName }: Labeled): string {
  if (sharesName && ids) return t.personWithId(value, ids.oh === undefined ? t.nameRecord(ids.nr ?? '') : t.narrator(ids.oh));
  if (facet === 'genre' || facet === 'format' || facet === 'rights') return codeLabel(t.codes[facet], value);
  if (facet === 'language') return languageName(value);
  if (facet === 'topic' || facet === 'facility') return stepsOfTerm(value);
  if (facet !== 'time') return value;
  if (slug === UNDATED) return t.dates.undated;
  return slug.endsWith('s') ? t.decade(Number(slug.slice(0, -1))) : slug;
}
