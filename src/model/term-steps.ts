/** Terms that contain their hierarchy, such as “Work -- Fishing”. */

/** Between the steps of a term, as readers know it. */
export const STEP = ' › ';

/** Returns a term with that sign between its steps: `Work -- Fishing` becomes `Work › Fishing`. */
export function stepsOfTerm(term: string): string {
  return term.replace(/\s+--\s+/g, STEP);
}
