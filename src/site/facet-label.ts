/** The names of the values of facets, in the words of a language. */
import { type Facet, type FacetValue, UNDATED } from '../catalogue/facets.ts';
import { type Edition, label } from './language/edition.ts';

/** What a value of a facet is called in a language. */
export function facetLabel({ t, languageName }: Edition, facet: Facet, { slug, label: said }: FacetValue): string {
  if (facet === 'genre' || facet === 'format' || facet === 'rights') return label(t.codes[facet], said);
  if (facet === 'language') return languageName(said);
  if (facet !== 'time') return said;
  if (slug === UNDATED) return t.undated;
  return slug.endsWith('s') ? t.decade(Number(slug.slice(0, -1))) : slug;
}
