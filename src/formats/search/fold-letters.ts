/** How search spells texts, beside folding their letters. */

/** Scripts in which words are the same without marks: accents, Greek breathings, the vowels of Arabic and Hebrew. */
export const MARKED_SCRIPTS = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}';

/** Stands for a character that the one spelling of a word lacks: folded text has no soft hyphens. */
export const CUT = '\u00ad';
/** `spell` returns folded text of the same length with one spelling of each word, once it is that of east-asian.ts. */
export const eastAsian = { spell: (folded: string): string => folded };
