/** Folds text as the index does (searchable-text.ts), and knows where in the text each character and each match is. */
import { CUT, spell, spellSequences } from './fold-letters.ts';
import { CLUSTER, cutSigns, FOLDED_WORD, foldCluster, signNarrowSpaces } from './searchable-text.ts';

/** A text in the form in which it is compared. */
export interface FoldedText {
  folded: string;
  /** For each UTF-16 unit of `folded`, the position of its letter in the text; at the end, the length of the text. */
  positions: readonly number[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const ASCII = /^[\u0000-\u007f]*$/;
/** Signs that a word can begin or end with while it is typed. */
const OUTER_SIGNS = /^['’‘`]+(?=.)|(.)['’‘`]+$/g;

/** Returns a text with its letters folded and the signs in its words. `isPlain`: Chinese and Japanese as they are. */
export function foldWithSigns(text: string, isPlain = false): FoldedText {
  const positions: number[] = [];
  if (ASCII.test(text)) return { folded: text.toLowerCase(), positions: Array.from({ length: text.length + 1 }, (_, i) => i) };
  let folded = '';
  for (const { 0: cluster, index } of signNarrowSpaces(text).matchAll(CLUSTER)) {
    const piece = cluster < '\u0080' && cluster.length === 1 ? cluster.toLowerCase() : foldCluster(cluster);
    for (let i = 0; i < piece.length; i++) positions.push(index);
    folded += piece;
  }
  positions.push(text.length);
  return withoutCuts(isPlain ? spellSequences(folded) : spell(folded), positions);
}

/** Returns the form of a text in which it is compared: any white space as one space, and the signs in words gone. */
export function foldText(text: string): FoldedText {
  const { folded, positions } = foldWithSigns(text);
  const spaced = folded.replace(/\s+/g, (spaces) => `${CUT.repeat(spaces.length - 1)} `);
  return withoutCuts(cutSigns(spaced), positions);
}

/** Returns the words that a filter of names looks for in folded text. */
export const wordsOfFilter = (typed: string): string[] => foldText(typed).folded.match(FOLDED_WORD) ?? [];

/** Returns folded text of which some is cut out. A sign before a word, as in ʻIolani, belongs to it. */
function withoutCuts(folded: string, positions: readonly number[]): FoldedText {
  const own: number[] = [];
  let [inWord, sign]: [boolean, number | undefined] = [false, undefined];
  for (let i = 0; i < folded.length; i++) {
    const [unit, position] = [folded[i] as string, positions[i] as number];
    if (unit === CUT) {
      if (!inWord) sign ??= position;
      continue;
    }
    own.push(sign ?? position);
    [inWord, sign] = [!/[\s\p{P}]/u.test(unit), undefined];
  }
  own.push(positions[folded.length] as number);
  return { folded: folded.replaceAll(CUT, ''), positions: own };
}

/** Returns where a text contains some words, as ranges of the text: each match, without overlaps. */
export const findText = (text: string, words: string): Array<[start: number, end: number]> => findFolded(foldText(text), words);

/** As `findText`, in a text that was folded before. */
export function findFolded({ folded, positions }: FoldedText, words: string): Array<[start: number, end: number]> {
  const wanted = foldText(words.trim()).folded.replace(OUTER_SIGNS, '$1').trim();
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
