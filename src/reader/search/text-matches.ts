/** Finds the words of a query in the texts of a result, with the same folding as the index. */
import { CUT, eastAsian } from '../../formats/search/fold-letters.ts';
import type { SearchedWords } from '../../formats/search/parse-query.ts';
import * as searchable from '../../formats/search/searchable-text.ts';

/** A word or phrase of the query, found in a text. `term` is its number: words first, then phrases. */
export type TextMatch = Record<'start' | 'end' | 'term', number>;

/** A word of a text, folded, with its position. */
interface PlacedWord {
  text: string;
  start: number;
  end: number;
  /** Returns the position in the text after the first `length` characters of the folded word. */
  startOf(length: number): number;
}

/** Finds the words and phrases of a query in texts. */
export type Matcher = ReturnType<typeof createMatcher>;

/** Words of folded text with their apostrophes. */
const TOKEN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}]*[\p{L}\p{N}])?['’‘`´′](?=\p{L}))*[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MAX_WORD_LENGTH = 60;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const ASCII = /^[\u0000-\u007f]*$/;

/** Returns a matcher for the words and phrases that were searched. */
export function createMatcher({ words, phrases }: SearchedWords = { words: [], phrases: [] }) {
  const beginnings = [...words.map(({ text }) => text), ...phrases.map(([first = '']) => first)];
  return {
    /**
     * Returns the numbers of the words and phrases that a document with the words `own` has; without them, all. `own` has no
     * phrases: every document has those.
     */
    termsOf(own: ReadonlySet<string> | undefined) {
      const all = [...words.map(({ text }) => own === undefined || own.has(text)), ...phrases.map(() => true)];
      return new Set(all.flatMap((has, term) => (has ? [term] : [])));
    },
    /** Returns the matches in a text, by position. The text must be in Unicode's composed form (NFC). */
    find(text: string) {
      const folded = searchable.foldText(text);
      if (!beginnings.some((beginning) => folded.includes(beginning))) return [];
      const placed = placeWords(text);
      const matchWords = (word: PlacedWord) =>
        words.flatMap((term, number): TextMatch[] => {
          if (term.isPrefix ? !word.text.startsWith(term.text) : word.text !== term.text) return [];
          // Of a pair of Japanese characters, only the one that was typed is marked.
          const end = searchable.isUnspaced(word.text) ? word.startOf(term.text.length) : word.end;
          return [{ start: word.start, end, term: number }];
        });
      const matchPhrases = (i: number) =>
        phrases.flatMap((phrase, number): TextMatch[] => {
          if (!phrase.every((text, k) => placed[i + k]?.text === text)) return [];
          const last = placed[i + phrase.length - 1] as PlacedWord;
          return [{ start: (placed[i] as PlacedWord).start, end: last.end, term: words.length + number }];
        });
      const matches = [
        ...placed.flatMap((word, i) => [...matchWords(word), ...matchPhrases(i)]),
        ...placeNameParts(text).flatMap(matchWords),
      ];
      return matches.sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

/** Replaces words of what a reader typed, given folded, and leaves everything else unchanged. */
export function replaceWords(typed: string, replacements: ReadonlyArray<{ from: string; to: string }>): string {
  const text = typed.normalize('NFC');
  let result = '';
  let end = 0;
  for (const word of placeWords(text)) {
    const replacement = replacements.find(({ from }) => from === word.text);
    if (!replacement || word.start < end) continue;
    result += text.slice(end, word.start) + replacement.to;
    end = word.end;
  }
  return result + text.slice(end);
}

/** Returns a folded word as the reader typed it; unchanged if it is not there. */
export function asTyped(word: string, typed: string): string {
  const text = typed.normalize('NFC');
  const { folded, origins } = foldWithOrigins(text);
  const at = folded.indexOf(word);
  return at === -1 ? word : text.slice(origins(at), origins(at + word.length));
}

/** Returns the words of a text as the index has them (searchable-text.ts), with their positions. */
function placeWords(text: string): PlacedWord[] {
  const { folded, origins } = foldWithOrigins(text);
  const placed: PlacedWord[] = [];
  const place = (word: string, start: number, end: number) => {
    if (start >= end) return;
    const text = searchable.withoutApostrophes(word).slice(0, MAX_WORD_LENGTH);
    placed.push({ text, start: origins(start), end: origins(end), startOf: (length) => origins(start + length) });
  };
  for (const { 0: token, index } of folded.matchAll(TOKEN)) {
    let end = 0;
    for (const run of token.matchAll(searchable.UNSPACED_RUN)) {
      place(token.slice(end, run.index), index + end, index + run.index);
      let at = index + run.index;
      const letters = searchable.lettersOf(run[0]);
      for (const [i, letter] of letters.entries()) {
        const pair = letter + (letters[i + 1] ?? '');
        place(pair, at, at + pair.length);
        at += letter.length;
      }
      end = run.index + run[0].length;
    }
    place(token.slice(end), index + end, index + token.length);
  }
  return placed;
}

/** Returns the parts of names after an apostrophe, which are words too, with their positions. */
function placeNameParts(text: string): PlacedWord[] {
  if (!/['’‘`´′]/.test(text)) return [];
  const { folded, origins } = foldWithOrigins(text);
  return searchable.findNameParts(folded).map(({ part, index }) => ({
    text: part.slice(0, MAX_WORD_LENGTH),
    start: origins(index),
    end: origins(index + part.length),
    startOf: (length) => origins(index + length),
  }));
}

/** Returns the folded text with its apostrophes, and where each of its characters is in the text. */
function foldWithOrigins(text: string): { folded: string; origins: (at: number) => number } {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), origins: (at) => at };
  let folded = '';
  const positions: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(searchable.CLUSTER)) {
    const piece = cluster.length === 1 && cluster < '\u0080' ? cluster.toLowerCase() : searchable.foldCluster(cluster);
    for (let i = 0; i < piece.length; i++) positions.push(index);
    folded += piece;
  }
  positions.push(text.length);
  const spelled = eastAsian.spell(folded);
  const own = positions.filter((_, i) => spelled[i] !== CUT);
  return { folded: spelled.replaceAll(CUT, ''), origins: (at) => own[Math.min(at, own.length - 1)] as number };
}
