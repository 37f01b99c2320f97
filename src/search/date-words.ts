/** The words with which a date is found, other than those that the archive wrote: years, decades, months and seasons. */
import { coveredYears } from '../model/dates/coverage.ts';
import type { DateReading } from '../model/dates/read.ts';
import type { Locale } from '../site/language/locale.ts';

/** A bound with a month, and perhaps a day. */
const PRECISE = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
const SEASONS: Readonly<Record<string, string>> = { 21: 'spring', 22: 'summer', 23: 'autumn fall', 24: 'winter' };

/** Returns the words of a date as one text: its years, its decades (1940s), and its days and months as they are written in each language and in ISO 8601. */
export function dateWords(reading: DateReading, locales: readonly Locale[]): string {
  const { decades, years } = coveredYears(reading);
  const words = [
    ...years.map(String),
    ...decades.flatMap((decade) => [`${decade}s`, ...locales.map(({ t }) => t.decade(decade))]),
    ...reading.intervals.flatMap(({ start, end, edtf }) => {
      const season = /^\d{4}-(2[1-4])/.exec(edtf)?.[1];
      if (season !== undefined) return [SEASONS[season] as string];
      return [start, end].flatMap((bound) => formatBound(bound, locales));
    }),
  ];
  // A record of these years is more relevant than one of a long span that includes them.
  const repeated = decades.length <= 2 ? [...years.map(String), ...decades.map((decade) => `${decade}s`)] : [];
  return [...new Set(words), ...repeated].join(' ');
}

function formatBound(bound: string | undefined, locales: readonly Locale[]): string[] {
  const [, year, month, day] = PRECISE.exec(bound ?? '') ?? [];
  if (year === undefined) return [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  const formatted = locales.flatMap(({ language }) =>
    (['long', 'short'] as const).map((form) => formatOf(language, form, day !== undefined).format(date)),
  );
  const isSeptember = month === '09' && locales.some(({ language }) => language === 'en');
  return [bound as string, ...formatted, ...(isSeptember ? ['sept'] : [])];
}

/** Formats are slow to create: one for each language, form of the month, and precision. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, month: 'long' | 'short', hasDay: boolean): Intl.DateTimeFormat {
  const key = `${language} ${month} ${hasDay}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(language, {
      ...{ year: 'numeric', month, timeZone: 'UTC' },
      ...(hasDay ? { day: 'numeric' } : {}),
    });
  formats.set(key, format);
  return format;
}
