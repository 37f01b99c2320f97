/** Finds the names of withheld persons in texts and URLs, in every spelling that search joins. */
import { spellEastAsian } from '../../formats/search/east-asian.ts';
import { spellSequences } from '../../formats/search/fold-letters.ts';
import { foldCluster, isUnspaced, UNSPACED_RUN } from '../../formats/search/searchable-text.ts';
import { decodePercent } from '../../model/text/percent.ts';
import { createRecent } from '../../platform/recent.ts';

/** Replaces a name or link. */
export const WITHHELD_TEXT = '[withheld]';

/** What is not seen, or not shown on pages: it may be anywhere in a name. */
const HIDDEN = '\\p{Cf}\\p{DI}\\p{NChar}\\u0640\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f';
/** That, and Indic nuktas, which search does not compare. */
const NOT_COMPARED = new RegExp(`[${HIDDEN}\\u093c\\u09bc\\u0a3c\\u0abc\\u0b3c\\u0cbc]+`, 'gu');
/** In place of hidden characters in folded text. */
const GAP = '\u2060';
const JAMO = '\\u1100-\\u11ff\\u3131-\\u318e\\uffa0-\\uffdc';
/** Letters of Hangul, which form syllables; other letters with their marks. */
const UNIT = new RegExp(
  `[${HIDDEN}]+|[${JAMO}가-힣](?:[${HIDDEN}]*[${JAMO}])*|(?:[^\\t-\\r -~]|[ -~](?=[${HIDDEN}]*\\p{M}))(?:[${HIDDEN}]*[\\p{M}\\uff9e\\uff9f\\u0e33\\u0eb3])*`,
  'gu',
);
const PERCENT_ENCODED = /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-4](?:%[89ab][\da-f]){3})/gi;

/** How texts are spelled: the second also as in Chinese and Japanese, where what follows a name may change its spelling. */
const SPELLINGS = [spellSequences, (folded: string) => spellEastAsian(spellSequences(folded))];

/** Returns functions that find persons' names in text: as given, or with the surname first, however they are written. */
export function createNameMatcher(persons: readonly string[]) {
  const forms = persons.flatMap((person) => spellingsOf(fold(person).folded).flatMap(namePatterns));
  if (forms.length === 0) return { matches: () => false, redact: (text: string) => text };
  const pattern = [...new Set(forms)].sort((a, b) => b.length - a.length).join('|');
  const [first, all] = [new RegExp(pattern, 'u'), new RegExp(pattern, 'gu')];
  return {
    /** Returns whether a text contains one of the names. */
    matches: (text: string) => spellingsOf(fold(text).folded).some((spelled) => first.test(spelled)),
    /** Returns the text with each of the names replaced by `WITHHELD_TEXT`. */
    redact(text: string) {
      const { folded, rangeOf } = fold(text);
      const ranges = spellingsOf(folded).flatMap((spelled) =>
        Array.from(spelled.matchAll(all), ({ 0: { length }, index }) => rangeOf(index, index + length)),
      );
      let [result, rest] = ['', 0];
      for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
        if (start >= rest) result += text.slice(rest, start) + WITHHELD_TEXT;
        rest = Math.max(rest, end);
      }
      return result + text.slice(rest);
    },
  };
}

const foldedUnits = createRecent<string, string>(20_000);
const foldUnit = (unit: string) =>
  foldedUnits.get(unit, () => foldCluster(unit.normalize('NFKD').replace(NOT_COMPARED, '').normalize('NFC')) || GAP);
/** Texts of which the form is the same, in lower case. */
const PLAIN = /^[\t-\r -$&-~]*$/;

/** Returns the form of a text in which names are compared, and what gives the range of the text for one of that. */
function fold(text: string) {
  if (PLAIN.test(text))
    return { folded: text.toLowerCase(), rangeOf: (from: number, to: number): [number, number] => [from, to] };
  const decoded = replacePlaced(text, PERCENT_ENCODED, decodePercent);
  const { result, rangeOf } = replacePlaced(decoded.result, UNIT, foldUnit);
  return { folded: result.toLowerCase(), rangeOf: (from: number, to: number) => decoded.rangeOf(...rangeOf(from, to)) };
}

/** Returns folded text in its spellings, each once and of the same length. */
const spellingsOf = (folded: string): string[] => [...new Set(SPELLINGS.map((spelling) => spell(folded, spelling)))];

/** Returns folded text of the same length with one spelling of each word. */
function spell(folded: string, spelling: (folded: string) => string): string {
  const spelled = spelling(folded.replaceAll(GAP, ''));
  let at = 0;
  return folded.includes(GAP) ? folded.replace(/[\s\S]/g, (unit) => (unit === GAP ? GAP : (spelled[at++] as string))) : spelled;
}

/** Replaces parts of a text. `rangeOf` gives the range of the text for one of the result. */
function replacePlaced(text: string, pattern: RegExp, replacement: (part: string) => string) {
  const places: Array<[start: number, end: number]> = [];
  let result = '';
  let end = 0;
  for (const { 0: part, index } of [...text.matchAll(pattern), { 0: '', index: text.length }]) {
    const piece = part === '' ? '' : replacement(part);
    result += text.slice(end, index) + piece;
    for (; end < index; end++) places.push([end, end + 1]);
    end += part.length;
    while (places.length < result.length) places.push([index, end]);
  }
  return {
    result,
    rangeOf: (from: number, to: number): [number, number] => [places[from]?.[0] ?? end, places[to - 1]?.[1] ?? end],
  };
}

/** Apostrophes, which search does not compare, hidden characters, and what east-asian.ts has cut, inside of a word. */
const INSIDE = `[\\u00ad${GAP}'’‘\`´′ʼʻʾʿ]`;
/** What is between the words of a name, in text and in URLs. */
const SIGNS = `\\s${GAP}\\p{Pd}\\p{Pc}.+·・\\u0f0b'’‘\`´′ʼʻʾʿ`;
const BETWEEN = `[${SIGNS}\\u00ad]`;
const SIGN = new RegExp(`[${SIGNS}]+`, 'gu');
const COMMA = /\s*[,،、]\s*/;
/** A comma before the given names; in the names of files, other signs. */
const INVERTED = `(?:${BETWEEN}*[,،、]${BETWEEN}*|[\\p{Pd}_]+)`;

const WORD_CHARACTER = '[\\p{L}\\p{N}\\p{M}]';
/** Words that Arabic and Hebrew write together with the name after them, such as “and” and “of”. */
const PREFIXES: ReadonlyArray<readonly [letter: RegExp, prefixes: string]> = [
  [/^\p{Script=Arabic}/u, '[وفبكل]{0,2}'],
  [/^\p{Script=Hebrew}/u, '[ומהכלבש]{0,3}'],
];

/** Returns patterns for the forms of a folded name: between non-letters, or in a script without spaces anywhere. */
function namePatterns(name: string): string[] {
  const parts = name.split(COMMA).map((part) => part.split(/\s+/).filter((word) => wordPattern(word, BETWEEN) !== ''));
  const [surname = [], given = []] = parts;
  const words = [...given, ...surname];
  // “Doe, Jane Q.” is also “Jane Q. Doe”, and the other way round; “van Doe, Jane” is “Jane van Doe”.
  const forms = words.map((_, at) => [words.slice(at), words.slice(0, at)]);
  return [...forms, ...(parts.length > 2 ? [parts] : [])].map((form) => formPattern(form.filter((part) => part.length > 0)));
}

function formPattern(parts: string[][]): string {
  const words = parts.flat();
  // Names in scripts without spaces are also written with one, or none, between surname and given name.
  const isJoined = words.join('').replace(SIGN, '').replace(UNSPACED_RUN, '') === '';
  const patterns = parts.map((part) =>
    part.map((word) => wordPattern(word, isJoined ? BETWEEN : INSIDE)).join(`${BETWEEN}${isJoined ? '*' : '+'}`),
  );
  const [start = '', end = ''] = [words[0], words.at(-1)];
  const [, prefixes = ''] = PREFIXES.find(([letter]) => letter.test(start)) ?? [];
  // Upstream also writes the end of a line as a backslash and a letter.
  const before = `(?:(?<=\\\\[nr])|(?<=(?<!${WORD_CHARACTER})${prefixes}))`;
  const [isStartJoined, isEndJoined] = [[...start][0] ?? '', [...end].at(-1) ?? ''].map(isUnspaced);
  return `${isStartJoined ? '' : before}${patterns.join(INVERTED)}${isEndJoined ? '' : `(?!${WORD_CHARACTER})`}`;
}

/** Returns a pattern for a word, with or without the signs in it: O’Quay, Jean-Luc, J.R. */
function wordPattern(word: string, between: string): string {
  const pieces = word.split(SIGN).filter((piece) => piece !== '');
  return pieces.map((piece) => [...piece].map(letterPattern).join(`${between}*`)).join(`${BETWEEN}*`);
}

/** Returns a pattern for a letter. The sign of a long vowel that east-asian.ts has cut may be there. */
const letterPattern = (letter: string): string =>
  letter === '\u00ad' ? '[\u00adー]?' : letter.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
