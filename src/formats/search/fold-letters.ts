/** How search spells texts, beside folding their letters. */

/** Scripts in which words are the same without marks: accents, Greek breathings, the vowels of Arabic and Hebrew. */
export const MARKED_SCRIPTS =
  '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}';

/** Stands for a character that the one spelling of a word lacks: folded text has no soft hyphens. */
export const CUT = '\u00ad';
/** `spell` returns folded text of the same length with one spelling of each word, once it is that of east-asian.ts. */
export const eastAsian = { spell: (folded: string): string => folded };

/** The blocks of Indic scripts, which have the same letters at the same places, begin so far after that of Devanagari. */
const INDIC_BLOCKS = [0, 0x80, 0x100, 0x180, 0x200, 0x300, 0x380];
/** A nasal before a consonant of its kind, which may also be written as a dot: हिन्दी, हिंदी. */
const NASAL = 'ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])';
const inBlock = (text: string, distance: number): string =>
  text.replace(/[\u0900-\u097f]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + distance));

/** What has several spellings, except in Chinese and Japanese, and as what of the same length it is compared. */
const SEQUENCES: ReadonlyArray<readonly [sequence: RegExp, compared: string]> = [
  [/[ئء](?=و)/g, 'و'], // شئون, شؤون
  [/ئ/g, 'ي'],
  [/([\u0e4d\u0ecd][าາ]?)([\u0e48-\u0e4b\u0ec8-\u0ecb])/g, '$2$1'], // a vowel before the tone: นํ้า, นำ้, น้ำ
  [/เเ/g, `แ${CUT}`],
  [/ຼ/g, 'ລ'],
  [/եւ/g, 'եվ'],
  [/്്/g, `്${CUT}`],
  ...INDIC_BLOCKS.map((distance) => [new RegExp(inBlock(NASAL, distance), 'g'), inBlock(`ं${CUT}`, distance)] as const),
];
const SEQUENCED = /[\u0530-\u0eff]/;

/** Returns folded text of the same length with one spelling of each word, except of those in Chinese and Japanese. */
export function spellSequences(folded: string): string {
  if (!SEQUENCED.test(folded)) return folded;
  return SEQUENCES.reduce((text, [sequence, compared]) => text.replace(sequence, compared), folded);
}

/** Returns folded text of the same length with one spelling of each word. */
export const spell = (folded: string): string => eastAsian.spell(spellSequences(folded));
