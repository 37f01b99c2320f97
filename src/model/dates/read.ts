/** Reads the dates that cataloguers write. Everything that shows, sorts, finds or cites a date uses this one reading, beside the record's own words. */

import { calendarDate, type DatePoint } from './calendar.ts';
import { readEdtf } from './edtf.ts';
import { type DateInterval, intervalOf } from './interval.ts';
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
  for (const candidate of candidates(normal)) {
    const tokens = tokenize(candidate);
    const found = tokens && parseList(tokens);
    if (found === 'undated') return found;
    if (found && found.length > 0) return toReading(found);
  }
  const year = onlyYear(normal);
  return year && toReading([intervalOf(year, { approximate: true, uncertain: false })]);
}

/** The text, and then the text without what is not its date. */
function* candidates(text: string): Generator<string> {
  const corrected = /\bi\.? ?e\.? (.*?)\]?$/.exec(text)?.[1];
  if (corrected !== undefined) yield corrected;
  const parts = text.split(/;|,(?=[^,]*\()/);
  const originals = parts.filter((part) => /\boriginals?\b/.test(part));
  if (originals.length > 0 && originals.length < parts.length) yield originals.join(';');
  const own = parts.filter((part) => !/^ *(?:bulk|print|copy|reprint|digital|scan)/.test(part));
  if (own.length > 0 && own.length < parts.length) yield own.join(';');
  yield text;
  const withoutNotes = text.replace(/\([^()]*\)/g, ' ').trim();
  if (withoutNotes !== '' && withoutNotes !== text) yield withoutNotes;
  const afterPlace = /^(?:[^\d,]+, *)+(?=.*\d)/.exec(text)?.[0];
  if (afterPlace !== undefined) yield* withoutLeadingWords(text);
}

/** “Poston, Arizona, March 1943”: what begins with a name of a place is read without it, one comma after the other. */
function* withoutLeadingWords(text: string): Generator<string> {
  for (let rest = text, match = LEADING_WORDS.exec(rest); match; match = LEADING_WORDS.exec(rest)) {
    rest = rest.slice(match[0].length);
    yield rest;
  }
}

const LEADING_WORDS = /^[^\d,]+, */;

/** Returns the year of a text that states a single one, if nothing around it suggests that it is another number. */
function onlyYear(text: string): DatePoint | undefined {
  if (OTHER_NUMBER.test(text)) return undefined;
  const numbers = [...text.matchAll(/[\p{L}\p{N}./-]*\d[\p{L}\p{N}./-]*/gu)].map(([found]) => found.replace(/[.]+$/, ''));
  const years = numbers.filter((found) => /^(?:1[4-9]\d\d|20\d\d)年?$/.test(found));
  const others = numbers.filter((found) => /\d{3}/.test(found) && !years.includes(found));
  return years.length === 1 && others.length === 0 ? calendarDate(Number(years[0]?.slice(0, 4))) : undefined;
}

/** Words before numbers that are not years. */
const OTHER_NUMBER =
  /#|[第nº]°?\d|(?:^|[^\p{L}])(?:box|folder|no|nos|num|number|item|vol|volume|page|pp?|lot|acc|accession|photo|img|image|file|id|room|suite|apt|ext|tel|phone|route|rte|highway|hwy|street|avenue|cat|inv|ref|series|roll|reel|frame|plate|fig|sheet|block|unit|legajo|exp|expediente|caja|carpeta|tomo|folio|registro|inventario)\.? *\d/u;

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
