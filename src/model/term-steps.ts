/** Terms that contain their hierarchy, such as “Work -- Fishing”. */

/** Between the steps of a term, as readers know it. */
export const STEP = ' › ';

/** Returns a term with that sign between its steps: `Work -- Fishing` becomes `Work › Fishing`. */
export const stepsOfTerm = (term: string): string => term.replace(/\s+--\s+/g, STEP);

/** Returns the last step of a term with that sign. */
export const lastStep = (term: string): string => term.split(STEP).pop() ?? term;
