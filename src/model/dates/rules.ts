/** The rules by which the text of a date is split into tokens, and what rules are made of. */
import type { Part } from './calendar.ts';

/**
 * One token. Its values are those of a `PartialDate`: `number` is a number of one or two digits, which may be a day, a month, or
 * the end of a year.
 */
export type Token =
  /** `eraStart`: of a year of a Japanese or Chinese era, what is added to its number. */
  | { is: 'year'; year: number; eraStart?: number }
  /** “18年” and the like: a year whose century or era is stated before it. */
  | { is: 'short year'; shortYear: number }
  | { is: 'date'; year: number; month: number; day?: number }
  | { is: 'holiday'; month: number; day: number }
  | { is: 'month'; month: number }
  | { is: 'number'; number: number }
  | { is: 'season'; season: number }
  | { is: 'decade'; decade: number }
  /** “40s”: a decade of a century that is stated before it. */
  | { is: 'short decade'; tens: number }
  | { is: 'century'; century: number }
  | { is: 'era'; era: string }
  /** “± 5 years” */
  | { is: 'margin'; margin: number }
  | { is: 'part'; part: Part }
  /** A word without a meaning in dates. */
  | { is: 'unknown'; hasDigit: boolean }
  | { is: Sign };

/**
 * Tokens without a value. `to` and `dash`: a range; only a dash can end a text. `before` and `after` exclude the date, `until`,
 * `by` and `since` include it.
 */
type Sign =
  | 'approximate'
  | 'uncertain'
  | 'to'
  | 'dash'
  | 'not'
  | 'by'
  | 'and'
  | 'or'
  | ','
  | ';'
  | 'between'
  | 'from'
  | 'before'
  | 'after'
  | 'until'
  | 'since'
  | 'present'
  | 'undated'
  | 'stop';

/** A lexer rule: what begins at the current place, and its tokens. It may reject its match by returning undefined. */
export type Rule = [pattern: RegExp, tokens: (match: RegExpExecArray) => Token[] | undefined];

/** The end of a pattern: a letter or digit of a longer word may not follow. */
export const END = '(?![\\p{Script=Latin}\\p{N}])';

/** Returns a rule. `pattern` is the source of a regular expression that matches at the current place. */
export const rule = (pattern: string, tokens: Rule[1]): Rule => [new RegExp(pattern, 'uy'), tokens];
/** Returns a rule for whole words, given as the alternatives of a pattern. */
export const word = (words: string, ...tokens: Token[]): Rule => rule(`(?:${words})${END}`, () => tokens);
/** A part of what follows, as in “mid-1940s”, “end of 1942” and “principios de 1942”. */
export const part = (name: Part, words: string): Rule =>
  rule(`(?:${words})\\.?(?:-|(?: (?:in|of|de|del)(?: (?:the|los?|la))?)?${END})`, () => [{ is: 'part', part: name }]);
/** Words that say nothing about time. */
export const noise = (words: string): Rule => word(words);
/** Returns a rule for a token without a value, written in any script. */
export const sign = (pattern: string, is: Sign): Rule => rule(pattern, () => [{ is }]);
/** Returns a rule for a token without a value, written as whole words. */
export const signWord = (words: string, is: Sign): Rule => word(words, { is });
/** Returns the number of a group of digits. */
export const number = (text: string | undefined): number => Number(text);

/** Returns a decade, given its first three digits. */
export const decade = (digits: string | undefined): Token[] => [{ is: 'decade', decade: number(digits) * 10 }];
/** Returns a decade without its century, given its digit. */
export const shortDecade = (digit: string | undefined): Token[] => [{ is: 'short decade', tens: number(digit) * 10 }];

/** Returns the token of a date in digits. A month or day of 0 is one that is not stated. */
export function dateToken(yearText = '', monthText = '', dayText = ''): Token[] {
  const [year, month, day] = [number(yearText), number(monthText), number(dayText)];
  if (month === 0) return [{ is: 'year', year }];
  return [day === 0 ? { is: 'date', year, month } : { is: 'date', year, month, day }];
}

/** Returns the tokens of a range of years, with the same marks of certainty on both sides. */
export function yearRange(first: number, last: number, ...marks: Token[]): Token[] {
  return [...marks, { is: 'year', year: first }, { is: 'dash' }, ...marks, { is: 'year', year: last }];
}
