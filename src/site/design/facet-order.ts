/** The facets by which readers browse and filter, as a design orders them. */
import { FACETS, type Facet } from '../../model/facets.ts';

/** Whether a filter of the search page is a facet of the catalogue. */
export const isFacet = (name: string): name is Facet => FACETS.includes(name as Facet);

/**
 * Returns filters of the search page in the order of a design, without facets that it leaves out. Other filters, such as the
 * collection, stay before them.
 */
export function inDesignedOrder<Name extends string>(names: readonly Name[], facets: readonly Facet[] | undefined): Name[] {
  if (!facets) return [...names];
  const others = names.filter((name) => !isFacet(name));
  return [...others, ...facets.flatMap((facet) => names.filter((name) => name === facet))];
}
