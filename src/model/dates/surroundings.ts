/** A date among words that have no meaning in dates, such as the title of a photograph, and numbers that are not years. */
import { calendarDate, type DatePoint } from './calendar.ts';
import type { DateInterval } from './interval.ts';
import { parseList } from './lists.ts';
import { split } from './ranges.ts';
import type { Token } from './rules.ts';

type Words = Token['is'];

/** Words before numbers that are not years. */
const UNIT =
  'box|folder|no|nos|num|numero|number|item|vol|volume|volumen|page|pp?|lot|acc|accession|photo|img|image|file|id|room|suite|apt|ext|tel|phone|route|rte|highway|hwy|street|avenue|cat|inv|ref|series|roll|reel|tape|disc|frame|plate|fig|sheet|block|unit|part|rg|mss?|coll|collection|law|act|order|legajo|exp|expediente|caja|carpeta|tomo|folio|registro|inventario|ley|decreto';
/** Words after numbers that are not years. */
const COUNTED =
  'yen|dollars?|usd|pesos|pesetas|euros?|items?|pages?|pp|feet|ft|leaves|copies|volumes|vols|boxes|people|persons|miles|km|acres|lbs?|pounds|paginas|hojas|folios|fojas|personas|cajas|円|枚|頁|点|件';
const OTHER_NUMBER = new RegExp(
  `#|[第nº]°?\\d|(?:^|[^\\p{L}])(?:${UNIT})\\.? *\\d|\\d{4} ?(?:${COUNTED})(?!\\p{L})|\\d{4} [\\p{L}. ]*(?:street|st|avenue|ave|road|rd|blvd|lane)(?!\\p{L})`,
  'u',
);
/** Numbers that are too short for a year, with the word before them: “Folder 12,” and “Tape 2 of 3:”. */
const SHORT_NUMBERS = new RegExp(
  `(?<!\\p{L})(?:(?:${UNIT})s?\\.? *(?:no\\.? *)?#?|#|n[º°o]\\.? ?)\\d{1,3}[a-z]?(?: ?[-/] ?\\d{1,3}| (?:of|de) \\d{1,3})?(?![\\p{L}\\d]|[-./]\\d)[ ,:;-]*`,
  'gu',
);

/** Returns a text without the short numbers of boxes, volumes and so on; undefined if another number may look like a year. */
export function withoutOtherNumbers(text: string): string | undefined {
  const rest = text.replace(SHORT_NUMBERS, ' ').trim();
  return OTHER_NUMBER.test(rest) ? undefined : rest;
}

/** What a date cannot do without: if such a token is among the words that are left out, what remains is not the date. */
const DATED: readonly Words[] = ['year', 'short year', 'date', 'number', 'decade', 'short decade', 'century', 'era', 'margin'];
/** What is part of a date, but may also be a word of another meaning. */
const AMBIGUOUS: readonly Words[] = ['month', 'season', 'holiday', 'part', 'before', 'after', 'until', 'since', 'between', 'not'];

/**
 * Reads the date after the words of a text: “Bautismos 1701–1723”, “Poston, Arizona, March 1943”. A year alone is read only after
 * a comma, because it might be the number of something. Words before a comma may also have a meaning, as in “After the move, May
 * 1942”.
 */
export function readAfterWords(tokens: readonly Token[]): DateInterval[] | undefined {
  const last = tokens.findLastIndex(({ is }) => is === 'unknown');
  if (last < 0 || tokens.some((token) => token.is === 'unknown' && token.hasDigit)) return undefined;
  const words = tokens.slice(0, last + 1);
  const isAfterComma = tokens[last + 1]?.is === ',';
  const segments = split(words, [',', ';']);
  const isMeant = (segment: Token[], i: number) =>
    segment.some(({ is }) => DATED.includes(is)) ||
    (segment.some(({ is }) => AMBIGUOUS.includes(is)) &&
      !(segment.some(({ is }) => is === 'unknown') && (isAfterComma || i < segments.length - 1)));
  if (segments.some(isMeant)) return undefined;
  const date = withoutLink(tokens.slice(last + 1));
  if (!date || (date.length === 1 && date[0]?.is === 'year' && !isAfterComma)) return undefined;
  const found = parseList(date);
  return found === 'undated' || found?.length === 0 ? undefined : found;
}

/** Removes what links a date to the words before it; undefined if it might also mean a range. */
function withoutLink(tokens: readonly Token[]): Token[] | undefined {
  const start = tokens.findIndex(({ is }) => is !== ',' && is !== ';' && is !== 'and' && is !== 'dash');
  const date = tokens.slice(Math.max(start, 0));
  if (date[0]?.is === 'to' || date[0]?.is === 'by' || date[0]?.is === 'present') return undefined;
  const isRange = date.some(({ is }) => is === 'to' || is === 'dash' || is === 'since');
  return date[0]?.is === 'from' && !isRange ? date.slice(1) : date;
}

const BOUNDS: readonly Words[] = ['before', 'after', 'until', 'since', 'by', 'to', 'between', 'not', 'present'];

/** Returns the year of a text that states a single one, if nothing around it suggests that it is another number or a bound. */
export function onlyYear(text: string, tokens: readonly Token[]): DatePoint | undefined {
  const numbers = [...text.matchAll(/[\p{L}\p{N}./-]*\d[\p{L}\p{N}./-]*/gu)].map(([found]) => found.replace(/[.]+$/, ''));
  const years = numbers.filter((found) => /^(?:1[4-9]\d\d|20\d\d)年?$/.test(found));
  const others = numbers.filter((found) => /\d{3}/.test(found) && !years.includes(found));
  if (years.length !== 1 || others.length > 0) return undefined;
  return hasBoundBefore(tokens) ? undefined : calendarDate(Number(years[0]?.slice(0, 4)));
}

/** Whether “10 years after 1942” or the like is not the year: a bound precedes it, without comma or other words between. */
function hasBoundBefore(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(
    (token) => token.is === 'year' || token.is === 'date' || (token.is === 'unknown' && token.hasDigit),
  );
  const isEnd = (token: Token, i: number) =>
    token.is === 'unknown' ||
    token.is === ';' ||
    (token.is === ',' && tokens[i - 1]?.is !== 'number' && tokens[i - 1]?.is !== 'month');
  const start = tokens.slice(0, Math.max(at, 0)).findLastIndex(isEnd);
  return tokens.slice(start + 1, Math.max(at, 0)).some(({ is }) => BOUNDS.includes(is));
}
