/** Parses and formats durations and sizes. Formats of upstream: docs/upstream-api.md, “Media metadata”. */
import { parseDurationInWords } from './duration-words.ts';

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

function finiteOrUndefined(seconds: number | undefined): number | undefined {
  return Number.isFinite(seconds) ? seconds : undefined;
}

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
  return new Intl.NumberFormat(language, {
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
