/** Reads the dates that cataloguers write. All that shows, sorts, finds or cites a date uses this one reading, and its words. */
import { createRecent } from '../../platform/recent.ts';
import { calendarDate, type DatePoint } from './calendar.ts';
import { dateCandidates, withoutCopies } from './candidates.ts';
import { readEdtf } from './edtf.ts';
import { KANJI_DATE, KANJI_NUMBER, KANJI_NUMBER_IN_DATE, kanjiNumber } from './eras.ts';
import { CERTAIN, type DateInterval, intervalOf } from './interval.ts';
import { parseList } from './lists.ts';
import { onlyYear, readAfterWords, withoutOtherNumbers } from './surroundings.ts';
import { tokenize, tokenizeLeniently } from './tokens.ts';

/** What the text of a date says. */
export interface DateReading {
  /** At least one; several if the text lists dates, such as “1942 and 1945”. In chronological order. */
  intervals: readonly DateInterval[];
  /** The whole reading in EDTF, such as `1942-03~` or `{1942,1945}`. */
  edtf: string;
}

type Reading = DateReading | 'undated' | undefined;

/** What the last texts say: archives repeat their dates, and a record's date is read for each of its uses. */
const remembered = createRecent<string, Reading>(40_000);
/** Characters. Longer texts are rarely repeated. */
const MAX_REMEMBERED_LENGTH = 60;

/** Returns what a text says about a date; `'undated'` if it says there is none; undefined if unreadable. Never throws. */
export function readDate(text: string | undefined): Reading {
  if (text === undefined || text.length > MAX_REMEMBERED_LENGTH) return interpret(text);
  return remembered.get(text, () => {
    const reading = interpret(text);
    if (typeof reading === 'object') Object.freeze(reading.intervals);
    return reading;
  });
}

function interpret(text: string | undefined): Reading {
  const normal = text === undefined ? undefined : normalize(text);
  if (text === undefined || !normal) return undefined;
  const edtf = readEdtf(text.trim());
  if (edtf) return toReading(edtf);
  for (const candidate of dateCandidates(normal)) {
    const found = readForm(candidate);
    if (found === 'undated') return found;
    if (found) return toReading(found);
  }
  return readAmongWords(normal);
}

/** Reads a text of which a part has no meaning in a date. */
function readAmongWords(text: string): DateReading | undefined {
  const rest = withoutOtherNumbers(withoutCopies(text));
  if (rest === undefined || rest === '') return undefined;
  const found = rest === text || /^\(?\d{4}\)?$/.test(rest) ? undefined : readForm(rest);
  if (found && found !== 'undated') return toReading(found);
  const tokens = tokenizeLeniently(rest);
  const latter = readAfterWords(tokens);
  if (latter) return toReading(latter);
  const year = onlyYear(rest, tokens);
  return year && toReading([intervalOf(year, { approximate: true, uncertain: false })]);
}

function readForm(text: string): DateInterval[] | 'undated' | undefined {
  const roman = romanYear(text);
  if (roman) return [intervalOf(roman, CERTAIN)];
  const tokens = tokenize(text);
  const found = tokens && parseList(tokens);
  return found === undefined || found.length === 0 ? readRestated(text) : found;
}

/** “Shōwa 17-20 [1942-1945]”: the same date twice, in two calendars. */
function readRestated(text: string): DateInterval[] | undefined {
  const [, first, second] = /^([^[(]*\d[^[(]*)[[(]([^[\]()]*\d[^[\]()]*)[\])]$/.exec(text) ?? [];
  if (!first || !second) return undefined;
  const [one, other] = [readForm(first), readForm(second)];
  if (!one || !other || one === 'undated' || other === 'undated') return undefined;
  return toReading(one).edtf === toReading(other).edtf ? one : undefined;
}

/** A year in Roman numerals, as on title pages. */
function romanYear(text: string): DatePoint | undefined {
  const match = /^(m{1,2})(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})\.?$/.exec(text);
  if (!match || text.length < 4) return undefined;
  const VALUES: Record<string, number> = { m: 1000, d: 500, c: 100, l: 50, x: 10, v: 5, i: 1 };
  const digits = [...text.replace('.', '')].map((letter) => VALUES[letter] as number);
  return calendarDate(digits.reduce((year, value, i) => year + (value < (digits[i + 1] ?? 0) ? -value : value), 0));
}

/** Returns intervals, of which there is at least one, as one reading, in order, each once: “July 4, 1943, Independence Day”. */
export function toReading(intervals: DateInterval[]): DateReading {
  const distinct = [...new Map(intervals.map((interval) => [interval.edtf, interval])).values()];
  const keyOf = ({ start, end }: DateInterval) => start ?? end ?? '';
  const sorted = distinct.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
  const [first, ...others] = sorted as [DateInterval, ...DateInterval[]];
  return { intervals: sorted, edtf: others.length === 0 ? first.edtf : `{${sorted.map(asElement).join(',')}}` };
}

/** An interval as an element of a list of EDTF, where “..” is all that a range has. */
function asElement({ edtf }: DateInterval): string {
  return edtf.replace(/^\[(.*),(.*)\]$/, '$1/$2').replace(/\/\.\.$|^\.\.\/|\//, '..');
}

/** Longer texts are not dates. */
const MAX_LENGTH = 160;

/** Returns the text as the rules expect: lower case, no accents, no full-width letters, one dash; undefined if too long. */
function normalize(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const folded = text
    .replace(/[～∼]/g, '〜') // a sign of ranges, which NFKC would turn into the “~” of EDTF
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  if (folded.length > MAX_LENGTH) return undefined; // one character may become eighteen
  const western = folded
    .replace(/[‐‑‒–—―−ー](?=\s*[\d〇一二三四五六七八九十明大昭平令c?\]])|[‐‑‒–—―−]|(?<=[\d年月日])ー/g, '-')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/(?<=[\d〇一二三四五六七八九十])[·‧•](?=[\d〇一二三四五六七八九十])/g, '・')
    .replace(/년대/g, '年代')
    .replace(/년/g, '年')
    .replace(/월/g, '月')
    .replace(/일/g, '日')
    .replace(/世纪/g, '世紀')
    .replace(/(?<=\d)\[(\d{1,2}\??)\]/g, '$1')
    .replace(/\[(\d{1,3})\](?=\d)/g, '$1')
    .replace(/[\p{Cf}\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const inDigits = (digits: string) => String(kanjiNumber(digits));
  return western.replace(KANJI_DATE, (date) => date.replace(KANJI_NUMBER_IN_DATE, inDigits)).replace(KANJI_NUMBER, inDigits);
}
