/** Compares texts without regard to case, accents and the kind of white space, and knows where in the text a match is. */
import { foldLetters } from '../../model/text/fold-letters.ts';
import { MARKED_SCRIPTS } from './fold-letters.ts';

/** A text in the form in which it is compared. */
export type FoldedText = ReturnType<typeof foldText>;

/** Accents of alphabets in which words are the same without them. In other scripts, such as kana, a mark makes another letter. */
const ACCENTS = new RegExp(`([${MARKED_SCRIPTS}])\\p{M}+`, 'gu');

/** An accent, or a vowel of Arabic or Hebrew, of the letter before it. Among their code points are also signs of their own. */
const ACCENT = /^(?:(?=\p{M})[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed])+$/u;

/** Returns the form of a text in which it is compared. */
export function foldText(text: string) {
  /** For each UTF-16 unit of `folded`, the position of its character in the text; at the end, the length of the text. */
  const positions: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const own = /\s/.test(character) ? ' ' : foldCharacter(character);
    if (own !== ' ' || !folded.endsWith(' ')) {
      folded += own;
      for (let i = 0; i < own.length; i++) positions.push(at);
    }
    at += character.length;
  }
  positions.push(at);
  return { folded, positions };
}

function foldCharacter(character: string): string {
  if (/[\0-\x7f]/.test(character)) return character.toLowerCase();
  const own = character.normalize('NFKD').replace(ACCENTS, '$1').normalize('NFC').toLowerCase();
  return ACCENT.test(own) ? '' : foldLetters(own);
}

/** Returns where a text contains some words, as ranges of the text: each match, without overlaps. */
export const findText = (text: string, words: string): Array<[start: number, end: number]> => findFolded(foldText(text), words);

/** As `findText`, in a text that was folded before. */
export function findFolded({ folded, positions }: FoldedText, words: string): Array<[start: number, end: number]> {
  const wanted = foldText(words).folded.trim();
  if (wanted === '') return [];
  const found: Array<[number, number]> = [];
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
    const start = positions[at] as number;
    if (start < (found[found.length - 1]?.[1] ?? 0)) continue;
    // A character that becomes several, such as a ligature, is matched as a whole.
    let next = at + wanted.length;
    while (positions[next] === positions[next - 1]) next++;
    found.push([start, positions[next] as number]);
  }
  return found;
}
