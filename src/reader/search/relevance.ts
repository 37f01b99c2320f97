/** Orders what a search has found. */
import type { Column } from '../../formats/search/facet-table.ts';
import type { Found } from './word-index.ts';

/** What readers look for is rather a collection or an entire interview than a segment or file of it. */
const KIND_FACTORS: Readonly<Record<string, number>> = {
  collection: 1.35,
  article: 1.35,
  entity: 1.2,
  segment: 0.9,
  file: 0.4,
};

/** With more documents, scores that differ by less are equal. */
const EXACT_DOCUMENTS = 2 ** 22;
/** Greater than the bits of any score. */
const MAX_BITS = 0x7f800000;

/** Returns documents by their scores and kinds; equal ones by their positions, so that the order is always the same. */
export function orderByRelevance({ documents, scores }: Found, { values, offsets, codes }: Column): Uint32Array {
  const factors = values.map((kind) => KIND_FACTORS[kind] ?? 1);
  const factorOf = (document: number) => factors[codes[offsets[document] ?? 0] ?? 0] ?? 1;
  const relevances = scores.map((score, i) => score * factorOf(documents[i] as number));
  // Numbers that are not negative have the order of their bits: a score and a position are one number, and are sorted fast.
  const bits = new Uint32Array(relevances.buffer);
  const last = documents[documents.length - 1] ?? 0;
  const step = Math.max(1, 2 ** Math.ceil(Math.log2((last + 1) / EXACT_DOCUMENTS)));
  const places = EXACT_DOCUMENTS * step;
  const sortable = Float64Array.from(bits, (own, i) => Math.floor((MAX_BITS - own) / step) * places + (documents[i] as number));
  return Uint32Array.from(sortable.sort(), (one) => one % places);
}
