/** Finds the words of a query in the texts of a result, with the same folding as the index. */
import { type FoldedText, foldText, foldWithSigns } from '../../formats/search/fold-text.ts';
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

const MAX_WORD_LENGTH = 60;

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
  const { folded, positions } = foldText(text);
  const at = folded.indexOf(word);
  return at === -1 ? word : text.slice(positions[at], positions[at + word.length]);
}

/** Returns the words of a text as the index has them (searchable-text.ts), with their positions. */
function placeWords(text: string): PlacedWord[] {
  const { folded, positions } = foldText(text);
  const placed: PlacedWord[] = [];
  const place = (word: string, at: number) => {
    if (word !== '') placed.push(placeWord(word, at, positions));
  };
  for (const { 0: token, index } of folded.matchAll(searchable.FOLDED_WORD)) {
    let end = 0;
    for (const run of token.matchAll(searchable.UNSPACED_RUN)) {
      place(token.slice(end, run.index), index + end);
      let at = index + run.index;
      const letters = searchable.lettersOf(run[0]);
      for (const [i, letter] of letters.entries()) {
        place(letter + (letters[i + 1] ?? ''), at);
        at += letter.length;
      }
      end = run.index + run[0].length;
    }
    place(token.slice(end), index + end);
  }
  return placed;
}

/** Returns the parts of words that are words too, with their positions. */
function placeNameParts(text: string): PlacedWord[] {
  const { folded, positions } = foldWithSigns(text);
  return searchable.findNameParts(folded).map(({ part, index }) => placeWord(part, index, positions));
}

function placeWord(word: string, at: number, positions: FoldedText['positions']): PlacedWord {
  const startOf = (length: number) => positions[Math.min(at + length, positions.length - 1)] as number;
  return { text: word.slice(0, MAX_WORD_LENGTH), start: startOf(0), end: startOf(word.length), startOf };
}
