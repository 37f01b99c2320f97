/** Finds whom a record names among its facet values. */
import type { FacetValue } from '../lists/facets.ts';

/** Returns the facet value of someone whom a record names, among the record's values. `slug` is that of the name as written. */
export function findPerson(
  values: readonly FacetValue[] | undefined,
  { slug, oh_id, nr_id }: { slug: string; oh_id: number | undefined; nr_id: string | undefined },
): FacetValue | undefined {
  const hasName = (value: FacetValue) => value.slug === slug || (value.names?.some((name) => name.slug === slug) ?? false);
  const hasId = ({ ids }: FacetValue) =>
    ids !== undefined && ((oh_id !== undefined && ids.oh === oh_id) || (nr_id !== undefined && ids.nr === nr_id));
  return (
    values?.find((value) => hasId(value) && hasName(value)) ??
    values?.find((value) => value.slug === slug) ??
    values?.find(hasName)
  );
}
