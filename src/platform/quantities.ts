/** Parses and formats durations and sizes. Formats of upstream: docs/upstream-api.md, “Media metadata”. */

/**
 * Parses a duration into seconds: `"01:02:03"`, `"12:34"`, `"01:02:03;15"` (with frames), `"754.21"`, `754.21`, `"62 minutes"`,
 * `"PT1H2M"`, or a text that states one duration, such as `"1 cassette (62 min.)"`. Returns undefined for anything else.
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'string' && value.length > MAX_LENGTH) return undefined;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.normalize('NFKC').trim() : '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return finiteOrUndefined(Number(text));
  const [, hours = '0', minutes, seconds] = findClock(text) ?? [];
  if (minutes === undefined) return typeof value === 'string' ? finiteOrUndefined(parseDurationInWords(value)) : undefined;
  if (Number(seconds) >= 60 || (hours !== '0' && Number(minutes) >= 60)) return undefined;
  return finiteOrUndefined(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Texts in which a clock may be a time of day. */
const TIME_OF_DAY = /\d[-/.]\d\d?[-/.]\d|\b[ap]\.?m\b|\bat\b|\ba las\b|午[前後]/i;

/** Returns a text's only clock, as hours, minutes and seconds. Inside words it must have hours, or follow a bracket or colon. */
function findClock(text: string): RegExpExecArray | null {
  const whole = /^(?:(\d+):)?(\d{1,3}):(\d{2}(?:\.\d+)?)(?:(?<=^\d+:\d+:\d+)[:;]\d{2})?$/.exec(text);
  if (whole || TIME_OF_DAY.test(text) || (text.match(/\d:\d\d(?:[^:\d]|$)/g) ?? []).length !== 1) return whole;
  return (
    /(?<![\d:])(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)(?![\d:])/.exec(text) ??
    /[(:] ?()(\d{1,3}):(\d{2}(?:\.\d+)?)(?![\d:])/.exec(text)
  );
}

/** Characters. Longer texts are descriptions. */
const MAX_LENGTH = 500;

const finiteOrUndefined = (seconds: number | undefined): number | undefined => (Number.isFinite(seconds) ? seconds : undefined);

/** Formats seconds: `754` as `"12:34"`, `3723` as `"1:02:03"`. Rounds to whole seconds. */
export function formatDuration(seconds: number): string {
  const total = Math.round(seconds);
  const [h, m, s] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const twoDigits = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`;
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
/** Abbreviations in the terminal and on English pages. */
const ENGLISH_UNIT_LABELS: Readonly<Record<(typeof BYTE_UNITS)[number], string>> = {
  byte: 'bytes',
  kilobyte: 'KB',
  megabyte: 'MB',
  gigabyte: 'GB',
  terabyte: 'TB',
};

/**
 * Formats a number of bytes for a language (BCP 47): `1536` as `"1.5 KB"`, in Spanish `"1,5 kB"`. A unit is 1,000 of the one
 * before. The number has one decimal if it is below 100, except for bytes.
 */
export function formatBytes(bytes: number, language = 'en'): string {
  const last = BYTE_UNITS.length - 1;
  // A value that rounds to 1000 belongs to the next unit.
  let unit = 0;
  while (unit < last && roundToUnit(bytes / 1000 ** unit, unit) >= 1000) unit++;
  const name = BYTE_UNITS[unit] ?? 'byte';
  const value = roundToUnit(bytes / 1000 ** unit, unit);
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  if (language === 'en') return `${value.toFixed(digits)} ${value === 1 && unit === 0 ? 'byte' : ENGLISH_UNIT_LABELS[name]}`;
  return new Intl.NumberFormat([language, 'en'], {
    style: 'unit',
    unit: name,
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value);
}

function roundToUnit(value: number, unit: number): number {
  const tenths = Math.round(value * 10) / 10;
  return unit === 0 || tenths >= 100 ? Math.round(value) : tenths;
}

const SECONDS_BY_UNIT = { h: 3600, m: 60, s: 1 } as const;
type Unit = keyof typeof SECONDS_BY_UNIT;

/** Spellings of each unit, in lower case. A single letter is read only beside another unit: “62 m” may be meters of film. */
const UNIT_FORMS: Readonly<Record<Unit, string>> = {
  h: 'hours?|hrs?|hr|h|horas?|hs|時間',
  m: 'minutes?|mins?|minutos?|minute|m|分間?',
  s: 'seconds?|secs?|sec|segundos?|segs?|seg|s|秒間?',
};
const NUMBER = String.raw`\d+(?:[.,]\d+)?(?: ?[1-3]/[24])?|[1-3]/[24]`;
const AMOUNT = new RegExp(`(${NUMBER})(?: |-)?(?:(${UNIT_FORMS.h})|(${UNIT_FORMS.m})|(${UNIT_FORMS.s}))(?![a-zñáéíóú])\\.?`, 'g');
/** The text between two amounts of one duration. */
const JOINT = /^ ?(?:,|and|y|con|,? ?&)? ?$|^ ?, (?:and|y) $/;
/** Words that make the number only part of the length, or a bound of it. */
const UNUSABLE_CONTEXT =
  /\beach\b|\bper\b|\bapiece\b|\bcada\b|\bc\/u\b|各|ずつ|\b(?:over|under|less|more|up to|at least|maximum|minimum|menos|más|hasta)\b|以上|以下|未満|弱|強/;
/** A number before the amount, so that it is the end of a range. */
const RANGE_BEFORE = /(?:\d|分|時間) ?(?:[-‐-―~〜～/]|\bto\b|\bor\b|\ba\b|\bo\b|から|又は|または) ?$/;
/** A unit without a readable number, such as “an hour and 5 minutes”. */
const LONE_UNIT = /\b(?:hours?|minutes?|hrs|mins|horas?|minutos?)\b/;
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    'one two three four five six seven eight nine ten eleven twelve',
    'una dos tres cuatro cinco seis siete ocho nueve diez once doce',
  ].flatMap((words) => words.split(' ').map((word, i) => [word, String(i + 1)] as const)),
);
const ISO_8601 = /^p(?:(\d+)d)?t(?=\d)(?:(\d+(?:[.,]\d+)?)h)?(?:(\d+(?:[.,]\d+)?)m)?(?:(\d+(?:[.,]\d+)?)s)?$/;

/**
 * Returns the seconds of the one duration that a text states, also inside other words (`1 videocassette (62 min.)`). Returns
 * undefined if it states none, or several, a range, a bound (“over an hour”), or the length of each of several things.
 */
function parseDurationInWords(value: string): number | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const text = simplify(value);
  const iso = ISO_8601.exec(text);
  if (iso) return toSeconds(iso[1]) * 86_400 + toSeconds(iso[2]) * 3600 + toSeconds(iso[3]) * 60 + toSeconds(iso[4]);
  const amounts = [...text.matchAll(AMOUNT)];
  const [first] = amounts;
  const last = amounts[amounts.length - 1];
  if (!first || !last || UNUSABLE_CONTEXT.test(text) || RANGE_BEFORE.test(text.slice(0, first.index))) return undefined;
  if (LONE_UNIT.test(text.replaceAll(AMOUNT, ' '))) return undefined;
  const units = amounts.map(unitOf);
  const isLonelyLetter = amounts.length === 1 && /[\d ][ms]\.?$/.test(first[0]);
  if (isLonelyLetter || units.some((unit, i) => i > 0 && rankOf(unit) <= rankOf(units[i - 1] as Unit))) return undefined;
  for (const [i, amount] of amounts.entries()) {
    const before = amounts[i - 1];
    if (before && !JOINT.test(text.slice(before.index + before[0].length, amount.index))) return undefined;
  }
  return amounts.reduce((total, amount) => total + toSeconds(amount[1]) * SECONDS_BY_UNIT[unitOf(amount)], 0);
}

/** Returns a text in lower case, with ASCII digits, simple fractions and single spaces, and with small numbers as digits. */
function simplify(value: string): string {
  return value
    .replace(/[¼½¾]/g, (sign) => ` ${{ '¼': '1/4', '½': '1/2', '¾': '3/4' }[sign]}`)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[a-z]+/g, (word) => NUMBER_WORDS.get(word) ?? word);
}

const unitOf = (amount: RegExpExecArray): Unit => (amount[2] !== undefined ? 'h' : amount[3] !== undefined ? 'm' : 's');

const rankOf = (unit: Unit): number => Object.keys(SECONDS_BY_UNIT).indexOf(unit);

/** Returns the value of `1,5`, `1.5`, `1,200`, `1 1/2` or `1/2`; 0 for undefined. */
function toSeconds(amount: string | undefined): number {
  const [, whole = '', top = '0', bottom = '1'] = /^(\d+(?:[.,]\d+)?)?(?: ?([1-3])\/([24]))?$/.exec(amount ?? '0') ?? [];
  return Number(/,\d{3}$/.test(whole) ? whole.replace(',', '') : whole.replace(',', '.')) + Number(top) / Number(bottom);
}
