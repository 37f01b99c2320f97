/** Labels of facet values. */
import { type Facet, type FacetValue, UNDATED } from '../catalogue/facets.ts';
import { codeLabel, type Locale } from './language/locale.ts';

/** Returns the label of a facet value in a language. */
export function facetLabel({ t, languageName }: Locale, facet: Facet, { slug, label: value }: FacetValue): string {
  if (facet === 'genre' || facet === 'format' || facet === 'rights') return codeLabel(t.codes[facet], value);
  if (facet === 'language') return languageName(value);
  if (facet !== 'time') return value;
  if (slug === UNDATED) return t.undated;
  return slug.endsWith('s') ? t.decade(Number(slug.slice(0, -1))) : slug;
}
