/** Compares texts without regard to case, accents and the kind of white space, and knows where in the text a match is. */

/** A text in the form in which it is compared. */
interface FoldedText {
  folded: string;
  /** For each UTF-16 unit of `folded`, the position of its character in the text; at the end, the length of the text. */
  positions: number[];
}

/** Returns the form of a text in which it is compared. */
export function foldText(text: string): FoldedText {
  const positions: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const own = /\s/.test(character) ? ' ' : character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    if (own !== ' ' || !folded.endsWith(' ')) {
      folded += own;
      for (let i = 0; i < own.length; i++) positions.push(at);
    }
    at += character.length;
  }
  positions.push(at);
  return { folded, positions };
}

/** Returns where a text contains some words, as ranges of the text: each match, without overlaps. */
export function findText(text: string, words: string): Array<[start: number, end: number]> {
  const wanted = foldText(words).folded.trim();
  if (wanted === '') return [];
  const { folded, positions } = foldText(text);
  const found: Array<[number, number]> = [];
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length))
    found.push([positions[at] as number, positions[at + wanted.length] as number]);
  return found;
}
