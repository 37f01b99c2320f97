/** The words, dates and quotation marks of citations in the styles of Chicago, APA and MLA, in the language of a page. */

import { quoted } from '../../model/citation-prose.ts';
import { formatPlainDate } from '../../model/dates/format.ts';
import { codeLabel, createLocales, type Locale } from '../language/locale.ts';
import { type CitedDate, type DateStyle, formatDate, formatDay } from './dates.ts';
import type { CitedItem } from './item.ts';

/** How a language writes citations. */
export interface Wording {
  words: Locale['t']['citation'];
  /** The genre in words, as within a sentence; empty without one. */
  genre(item: Pick<CitedItem, 'genre' | 'medium'>): string;
  /** A title in quotation marks, with the punctuation that follows it. */
  quoted(title: string, punctuation: '.' | ','): string;
  date(date: CitedDate, style: DateStyle): string;
  /** A year, month or day. */
  day(parts: number[], style: DateStyle): string;
  /** A list of names, such as “A, B, and C”. `and` is one of `words`. */
  list(names: readonly string[], and: string, options?: { commaBeforeSecond?: boolean }): string;
}

const [ENGLISH_LOCALE] = createLocales(['en']) as [Locale];

/** The styles in English, for which they are made. */
export const ENGLISH: Wording = {
  words: ENGLISH_LOCALE.t.citation,
  genre: ({ medium = '' }) => medium,
  quoted,
  date: formatDate,
  day: formatDay,
  list: listInEnglish,
};

/** Returns the wording of a language. */
export function wordingOf(locale: Pick<Locale, 'language' | 't' | 'formatRecordDate'>): Wording {
  const { language, t, formatRecordDate } = locale;
  if (language === 'en') return ENGLISH;
  const write = (plain: string, order: DateStyle['order']) => {
    const date = formatPlainDate(plain, language, t.dates);
    // APA begins with the year: “2010, 2 de junio”.
    return language === 'es' && order === 'ymd' ? date.replace(/^(hacia )?(.*\p{L}.*) de (\d{4})$/u, '$1$3, $2') : date;
  };
  return {
    words: t.citation,
    genre: ({ genre, medium = '' }) => {
      const label = genre === undefined ? genre : codeLabel(t.codes.item, genre);
      return label === undefined || label === genre ? medium : label.charAt(0).toLowerCase() + label.slice(1);
    },
    quoted: (title, punctuation) => {
      const name = language === 'ja' ? `「${title}」` : `«${title}»`;
      return punctuation === '.' ? name : `${name}${punctuation}`;
    },
    date: ({ parts, words, circa }, { order }) =>
      parts ? write(`${parts.map(plainOf).join('/')}${circa ? '~' : ''}`, order) : formatRecordDate(words),
    day: (parts, { order }) => write(plainOf(parts), order),
    list: language === 'ja' ? (names) => names.join('、') : listInSpanish,
  };
}

/** Returns year, month and day as a point of a plain date. */
function plainOf(parts: readonly number[]): string {
  return parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0')).join('-');
}

function listInEnglish(names: readonly string[], and: string, { commaBeforeSecond = false } = {}): string {
  if (names.length <= 1) return names[0] ?? '';
  if (names.length === 2) return `${names[0]}${commaBeforeSecond ? ',' : ''} ${and} ${names[1]}`;
  return `${names.slice(0, -1).join(', ')}, ${and} ${names.at(-1)}`;
}

/** “A, B y C”; “e” before the sound of an i. */
function listInSpanish(names: readonly string[], and: string, { commaBeforeSecond = false } = {}): string {
  if (names.length <= 1) return names[0] ?? '';
  const last = names.at(-1) as string;
  const word = and === 'y' && /^h?[ií](?![aeouáéóú])/iu.test(last) ? 'e' : and;
  return `${names.slice(0, -1).join(', ')}${commaBeforeSecond ? ',' : ''} ${word} ${last}`;
}
