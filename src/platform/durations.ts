/** Lengths of recordings come as HH:MM:SS, MM:SS or decimal seconds (docs/upstream-api.md, “Media metadata”); people read one form. */

/** Seconds from `"01:02:03"`, `"12:34"`, `"754.21"` or `754.21`; undefined when the text is none of these. */
export function parseDuration(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return finite(Number(text));
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (!clock) return undefined;
  return finite(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** `754` → `"12:34"`, `3723` → `"1:02:03"`. Seconds are rounded. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
/** As terminals and English pages have them. */
const ENGLISH: Readonly<Record<(typeof UNITS)[number], string>> = {
  byte: 'bytes',
  kilobyte: 'KB',
  megabyte: 'MB',
  gigabyte: 'GB',
  terabyte: 'TB',
};

/** Bytes as people read them in a language (BCP 47): `1536` → `"1.5 KB"`, in Spanish `"1,5 kB"`. Three digits or one decimal, rounded; a unit is a thousand of the one before. */
export function formatBytes(bytes: number, language = 'en'): string {
  const last = UNITS.length - 1;
  // A value that is 1000 when it is rounded belongs to the next unit.
  let unit = 0;
  while (unit < last && rounded(bytes / 1000 ** unit, unit) >= 1000) unit++;
  const name = UNITS[unit] ?? 'byte';
  const value = rounded(bytes / 1000 ** unit, unit);
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  if (language === 'en') return `${value.toFixed(digits)} ${value === 1 && unit === 0 ? 'byte' : ENGLISH[name]}`;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: name,
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value);
}

function rounded(value: number, unit: number): number {
  const tenths = Math.round(value * 10) / 10;
  return unit === 0 || tenths >= 100 ? Math.round(value) : tenths;
}
