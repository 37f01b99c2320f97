/** The sizes of the parts of the search index. */
import type { PartLimits } from '../../search/plan-parts.ts';

const LIMITS: PartLimits = { documentsInPart: 10_000, documentsForDelta: 2_000 };

/** Returns the limits. MICROFICHE_PART_DOCUMENTS may set the documents per part, so that any site can have a delta. */
export function partLimits(): PartLimits {
  const chosen = Number(process.env['MICROFICHE_PART_DOCUMENTS'] ?? Number.NaN);
  return Number.isSafeInteger(chosen) && chosen > 0 ? { documentsInPart: chosen, documentsForDelta: 0 } : LIMITS;
}
