/** Where search gets the one spelling of words that have several in Chinese and Japanese (east-asian.ts). */

/** Stands for a character that the spelling lacks. Folded text has no soft hyphens. */
export const CUT = '\u00ad';

/** `spell` returns folded text in that spelling, of the same length. It changes nothing until a program, or a query, needs it. */
export const eastAsian = { spell: (folded: string): string => folded };

/** Returns folded text in the one spelling. */
export function spellFolded(folded: string): string {
  return eastAsian.spell(folded).replaceAll(CUT, '');
}
