/** The words, dates and quotation marks of citations in the styles of Chicago, APA and MLA, in the language of a page. */
import { formatPlainDate } from '../../model/dates/format.ts';
import { quoted } from '../../model/text/citation-prose.ts';
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
  list: createList(ENGLISH_LOCALE),
};

/** Returns the wording of a language. */
export function wordingOf(locale: Pick<Locale, 'language' | 't' | 'dateWords' | 'formatRecordDate'>): Wording {
  const { language, t, dateWords, formatRecordDate } = locale;
  if (language === ENGLISH_LOCALE.language) return ENGLISH;
  const { beforeYear } = t.citation;
  const [circa] = dateWords.circa.split('#');
  const yearLast = new RegExp(`^(${circa})?(.*\\p{L}.*)${beforeYear}(\\d{4})$`, 'u');
  const write = (plain: string, order: DateStyle['order']) => {
    const date = formatPlainDate(plain, language, dateWords);
    // APA begins with the year: “2010, 2 de junio”.
    return order === 'ymd' && beforeYear !== '' ? date.replace(yearLast, '$1$3, $2') : date;
  };
  return {
    words: t.citation,
    genre: ({ genre, medium = '' }) => {
      const label = genre === undefined ? genre : codeLabel(t.codes.item, genre);
      return label === undefined || label === genre ? medium : label.charAt(0).toLowerCase() + label.slice(1);
    },
    quoted: (title, punctuation) => `${t.citation.quotedTitle(title)}${punctuation === '.' ? '' : punctuation}`,
    date: ({ parts, words, circa: isCirca }, { order }) =>
      parts ? write(`${parts.map(plainOf).join('/')}${isCirca ? '~' : ''}`, order) : formatRecordDate(words),
    day: (parts, { order }) => write(plainOf(parts), order),
    list: createList(locale),
  };
}

/** Returns year, month and day as a point of a plain date. */
function plainOf(parts: readonly number[]): string {
  return parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0')).join('-');
}

/** “A, B, and C”, “A, B y C”, “A、B、C”. */
function createList({ t }: Pick<Locale, 't'>): Wording['list'] {
  const { comma, serialComma, commaAfterInverted, and: usual, andBefore } = t.citation;
  const others = Object.entries<string>(andBefore).map(([pattern, word]) => [new RegExp(pattern, 'iu'), word] as const);
  return (names, and, { commaBeforeSecond = false } = {}) => {
    const last = names.at(-1) ?? '';
    if (names.length <= 1) return last;
    const mark = (names.length > 2 && serialComma) || (commaBeforeSecond && commaAfterInverted) || '';
    const word = (and === usual && others.find(([pattern]) => pattern.test(last))?.[1]) || and;
    return `${names.slice(0, -1).join(comma)}${mark}${word}${last}`;
  };
}
