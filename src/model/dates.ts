/** Reads the free-text dates of archival description (`creation`, `chronology`, `digitize_date`) as ranges, keeping doubt as doubt. */

/** A closed range of days, EDTF level 1 in spirit: `start` and `end` are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
export interface DateRange {
  start: string;
  end: string;
  /** “c.”, “ca.”, “circa”, “about”, “?”, “early”, “late”. */
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
/** Meteorological seasons of the northern half, as the months that they begin and end with. Winter is read as the beginning of its year. */
const SEASONS: Record<string, [string, string]> = {
  spring: ['03', '05'],
  summer: ['06', '08'],
  autumn: ['09', '11'],
  fall: ['09', '11'],
  winter: ['01', '02'],
};
const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const YEAR = '(1[4-9]\\d\\d|20\\d\\d)';

type Reader = (match: RegExpExecArray) => [start: string, end: string] | undefined;

/** Each way to write one point in time, most exact first. */
const FORMS: Array<[RegExp, Reader]> = [
  [new RegExp(`^${YEAR}-(\\d\\d)-(\\d\\d)(?:[T ][\\d:.]+Z?)?$`), (m) => day(m[1], m[2], m[3])],
  [new RegExp(`^(\\d{1,2})/(\\d{1,2})/${YEAR}$`), (m) => day(m[3], m[1], m[2])],
  [new RegExp(`^${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?,? ${YEAR}$`, 'i'), (m) => day(m[3], month(m[1]), m[2])],
  [new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? ${MONTH_NAME},? ${YEAR}$`, 'i'), (m) => day(m[3], month(m[2]), m[1])],
  [new RegExp(`^${MONTH_NAME},? ${YEAR}$`, 'i'), (m) => both(`${m[2]}-${month(m[1])}`)],
  [new RegExp(`^${YEAR}-(0[1-9]|1[0-2])$`), (m) => both(`${m[1]}-${m[2]}`)],
  [new RegExp(`^(0?[1-9]|1[0-2])/${YEAR}$`), (m) => both(`${m[2]}-${m[1]?.padStart(2, '0')}`)],
  [new RegExp(`^(spring|summer|autumn|fall|winter)(?: of)?,? ${YEAR}$`, 'i'), (m) => season(m[1], m[2])],
  [/^(1[4-9]\d|20\d)0'?s$/, (m) => [`${m[1]}0`, `${m[1]}9`]],
  [new RegExp(`^${YEAR}$`), (m) => both(m[1] as string)],
];

/** A range from text such as “c. 1942”, “1942-1945”, “ca. 1930s”, “Spring 1943”, “March 1, 1942”; undefined for “n.d.” and whatever cannot be read. */
export function parseDateRange(text: string | undefined): DateRange | undefined {
  if (!text) return undefined;
  const approximate = /\b(?:ca?|circa|about|early|mid|late|probably|before|after)\b|\?/i.test(text);
  const plain = text
    .replace(/\b(?:ca?|circa|about|early|mid|late|probably|before|after)\b\.?[- ]?/gi, '')
    .replace(/[[\]()?]/g, '')
    .replace(/[–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  const single = point(plain);
  if (single) return { start: single[0], end: single[1], approximate };
  const shortEnd = new RegExp(`^${YEAR} ?[-/] ?(\\d\\d)$`).exec(plain);
  const [from, to] = shortEnd ? [shortEnd[1] as string, `${shortEnd[1]?.slice(0, 2)}${shortEnd[2]}`] : splitRange(plain);
  const start = from === undefined ? undefined : point(from);
  const end = to === undefined ? undefined : point(to);
  if (!start || !end) return undefined;
  return start[0] <= end[1] ? { start: start[0], end: end[1], approximate } : { start: end[0], end: start[1], approximate };
}

/** The decades (`1940`) and, for ranges of ten years or less, the single years that a range touches. */
export function yearsOf(range: DateRange): { decades: number[]; years: number[] } {
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

function point(text: string): [string, string] | undefined {
  for (const [form, read] of FORMS) {
    const match = form.exec(text);
    if (match) return read(match);
  }
  return undefined;
}

function day(year?: string, monthNumber?: string, dayNumber?: string): [string, string] | undefined {
  const [y, m, d] = [Number(year), Number(monthNumber), Number(dayNumber)];
  const date = new Date(Date.UTC(y, m - 1, d));
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined;
  return both(date.toISOString().slice(0, 10));
}

function month(name: string | undefined): string {
  const index = MONTHS.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3)));
  return String(index + 1).padStart(2, '0');
}

function season(name: string | undefined, year: string | undefined): [string, string] | undefined {
  const months = SEASONS[(name ?? '').toLowerCase()];
  return months && [`${year}-${months[0]}`, `${year}-${months[1]}`];
}

function both(value: string): [string, string] {
  return [value, value];
}
