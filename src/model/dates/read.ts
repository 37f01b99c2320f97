/** Reads the dates that cataloguers write. Everything that shows, sorts, finds or cites a date uses this one reading, beside the record's own words. */

import { calendarDate, type DatePoint } from './calendar.ts';
import { dateCandidates, withoutLeadingWords } from './candidates.ts';
import { readEdtf } from './edtf.ts';
import { CERTAIN, type DateInterval, intervalOf } from './interval.ts';
import { parseList } from './ranges.ts';
import { normalize, tokenize } from './tokens.ts';

/** What the text of a date says. */
export interface DateReading {
  /** At least one; several if the text lists dates, such as “1942 and 1945”. In chronological order. */
  intervals: DateInterval[];
  /** The whole reading in EDTF, such as `1942-03~` or `{1942,1945}`. */
  edtf: string;
}

/** Returns what a text says about a date; `'undated'` if it says that there is none; undefined if it cannot be read. Never throws. */
export function readDate(text: string | undefined): DateReading | 'undated' | undefined {
  const normal = text === undefined ? undefined : normalize(text);
  if (text === undefined || !normal) return undefined;
  const edtf = readEdtf(text.trim());
  if (edtf) return toReading(edtf);
  for (const candidate of dateCandidates(normal)) {
    const found = readForm(candidate);
    if (found === 'undated') return found;
    if (found) return toReading(found);
  }
  if (OTHER_NUMBER.test(normal)) return undefined;
  const latter = readLatterPart(normal);
  if (latter) return toReading(latter);
  const year = onlyYear(normal);
  return year && toReading([intervalOf(year, { approximate: true, uncertain: false })]);
}

function readForm(text: string): DateInterval[] | 'undated' | undefined {
  const roman = romanYear(text);
  if (roman) return [intervalOf(roman, CERTAIN)];
  const tokens = tokenize(text);
  const found = tokens && parseList(tokens);
  return found === undefined || found.length === 0 ? undefined : found;
}

/** Reads the date at the end of a text, if it is more than a year, which might be the number of something. */
function readLatterPart(text: string): DateInterval[] | undefined {
  for (const rest of withoutLeadingWords(text)) {
    if (/^(?:of |in )?\d{4}$/.test(rest)) return undefined;
    const found = readForm(rest);
    if (found && found !== 'undated') return found;
  }
  return undefined;
}

/** A year in Roman numerals, as on title pages. */
function romanYear(text: string): DatePoint | undefined {
  const match = /^(m{1,2})(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})\.?$/.exec(text);
  if (!match || text.length < 4) return undefined;
  const VALUES: Record<string, number> = { m: 1000, d: 500, c: 100, l: 50, x: 10, v: 5, i: 1 };
  const digits = [...text.replace('.', '')].map((letter) => VALUES[letter] as number);
  return calendarDate(digits.reduce((year, value, i) => year + (value < (digits[i + 1] ?? 0) ? -value : value), 0));
}

/** Returns the year of a text that states a single one, if nothing around it suggests that it is another number. */
function onlyYear(text: string): DatePoint | undefined {
  const numbers = [...text.matchAll(/[\p{L}\p{N}./-]*\d[\p{L}\p{N}./-]*/gu)].map(([found]) => found.replace(/[.]+$/, ''));
  const years = numbers.filter((found) => /^(?:1[4-9]\d\d|20\d\d)年?$/.test(found));
  const others = numbers.filter((found) => /\d{3}/.test(found) && !years.includes(found));
  return years.length === 1 && others.length === 0 ? calendarDate(Number(years[0]?.slice(0, 4))) : undefined;
}

/** Words before numbers that are not years. */
const OTHER_NUMBER =
  /#|[第nº]°?\d|(?:^|[^\p{L}])(?:box|folder|no|nos|num|number|item|vol|volume|page|pp?|lot|acc|accession|photo|img|image|file|id|room|suite|apt|ext|tel|phone|route|rte|highway|hwy|street|avenue|cat|inv|ref|series|roll|reel|frame|plate|fig|sheet|block|unit|legajo|exp|expediente|caja|carpeta|tomo|folio|registro|inventario)\.? *\d|\d{4} [\p{L}. ]*(?:street|st|avenue|ave|road|rd|blvd|lane)(?!\p{L})/u; // prose-ok: a room of a building

/** Returns intervals as one reading, in chronological order. There must be at least one. */
export function toReading(intervals: DateInterval[]): DateReading {
  const sorted = [...intervals].sort((a, b) => compare(sortKeyOf(a), sortKeyOf(b)));
  const [first] = sorted as [DateInterval];
  return {
    intervals: sorted,
    edtf: sorted.length === 1 ? first.edtf : `{${sorted.map(({ edtf }) => edtf.replace('/', '..')).join(',')}}`,
  };
}

function sortKeyOf({ start, end }: DateInterval): string {
  return start ?? end ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
