/** Parses the free-text dates of records (`creation`, `chronology`, `digitize_date`) into ranges, and notes whether they are approximate. */

/** A closed range of days, similar to EDTF level 1. `start` and `end` are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
export interface DateRange {
  start: string;
  end: string;
  /** Whether the text has a word or sign of uncertainty: “c.”, “ca.”, “circa”, “about”, “?”, “early”, “late” and so on. */
  approximate: boolean;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** First and last month of each meteorological season of the northern hemisphere. Winter counts as the start of its year. */
const SEASON_MONTHS: Record<string, [string, string]> = {
  spring: ['03', '05'],
  summer: ['06', '08'],
  autumn: ['09', '11'],
  fall: ['09', '11'],
  winter: ['01', '02'],
};
const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const YEAR = '(1[4-9]\\d\\d|20\\d\\d)';

type FormParser = (match: RegExpExecArray) => [start: string, end: string] | undefined;

/** All forms of a single date, most exact first. */
const DATE_FORMATS: Array<[RegExp, FormParser]> = [
  [new RegExp(`^${YEAR}-(\\d\\d)-(\\d\\d)(?:[T ][\\d:.]+Z?)?$`), (m) => parseDay(m[1], m[2], m[3])],
  [new RegExp(`^(\\d{1,2})/(\\d{1,2})/${YEAR}$`), (m) => parseDay(m[3], m[1], m[2])],
  [new RegExp(`^${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?,? ${YEAR}$`, 'i'), (m) => parseDay(m[3], parseMonth(m[1]), m[2])],
  [new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? ${MONTH_NAME},? ${YEAR}$`, 'i'), (m) => parseDay(m[3], parseMonth(m[2]), m[1])],
  [new RegExp(`^${MONTH_NAME},? ${YEAR}$`, 'i'), (m) => unit(`${m[2]}-${parseMonth(m[1])}`)],
  [new RegExp(`^${YEAR}-(0[1-9]|1[0-2])$`), (m) => unit(`${m[1]}-${m[2]}`)],
  [new RegExp(`^(0?[1-9]|1[0-2])/${YEAR}$`), (m) => unit(`${m[2]}-${m[1]?.padStart(2, '0')}`)],
  [new RegExp(`^(spring|summer|autumn|fall|winter)(?: of)?,? ${YEAR}$`, 'i'), (m) => parseSeason(m[1], m[2])],
  [/^(1[4-9]\d|20\d)0'?s$/, (m) => [`${m[1]}0`, `${m[1]}9`]],
  [new RegExp(`^${YEAR}$`), (m) => unit(m[1] as string)],
];

/**
 * Parses text such as “c. 1942”, “1942-1945”, “ca. 1930s”, “Spring 1943” or “March 1, 1942”.
 * Returns undefined for “n.d.” and for any text of another form.
 */
export function parseDateRange(text: string | undefined): DateRange | undefined {
  if (!text) return undefined;
  const approximate = /\b(?:ca?|circa|about|early|mid|late|probably|before|after)\b|\?/i.test(text);
  const plain = text
    .replace(/\b(?:ca?|circa|about|early|mid|late|probably|before|after)\b\.?[- ]?/gi, '')
    .replace(/[[\]()?]/g, '')
    .replace(/[–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  const single = parsePoint(plain);
  if (single) return { start: single[0], end: single[1], approximate };
  const shortEnd = new RegExp(`^${YEAR} ?[-/] ?(\\d\\d)$`).exec(plain);
  const [from, to] = shortEnd ? [shortEnd[1] as string, `${shortEnd[1]?.slice(0, 2)}${shortEnd[2]}`] : splitRange(plain);
  const start = from === undefined ? undefined : parsePoint(from);
  const end = to === undefined ? undefined : parsePoint(to);
  if (!start || !end) return undefined;
  return start[0] <= end[1] ? { start: start[0], end: end[1], approximate } : { start: end[0], end: start[1], approximate };
}

/** Returns the decades that a range touches, such as `1940`, and the years of a range of up to ten years. */
export function coveredYears(range: DateRange): { decades: number[]; years: number[] } {
  const first = Number(range.start.slice(0, 4));
  const last = Number(range.end.slice(0, 4));
  const decades: number[] = [];
  for (let d = first - (first % 10); d <= last && decades.length < 30; d += 10) decades.push(d);
  const years = last - first > 9 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return { decades, years };
}

function splitRange(text: string): [string | undefined, string | undefined] {
  const parts = / (?:-|to|through|and) /.test(text) ? text.split(/ (?:-|to|through|and) /) : text.split(/[-/]/);
  return parts.length === 2 ? [parts[0]?.trim(), parts[1]?.trim()] : [undefined, undefined];
}

function parsePoint(text: string): [string, string] | undefined {
  for (const [form, parse] of DATE_FORMATS) {
    const match = form.exec(text);
    if (match) return parse(match);
  }
  return undefined;
}

function parseDay(year?: string, monthNumber?: string, dayNumber?: string): [string, string] | undefined {
  const [y, m, d] = [Number(year), Number(monthNumber), Number(dayNumber)];
  const date = new Date(Date.UTC(y, m - 1, d));
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined;
  return unit(date.toISOString().slice(0, 10));
}

function parseMonth(name: string | undefined): string {
  const index = MONTHS.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3)));
  return String(index + 1).padStart(2, '0');
}

function parseSeason(name: string | undefined, year: string | undefined): [string, string] | undefined {
  const months = SEASON_MONTHS[(name ?? '').toLowerCase()];
  return months && [`${year}-${months[0]}`, `${year}-${months[1]}`];
}

function unit(value: string): [string, string] {
  return [value, value];
}
