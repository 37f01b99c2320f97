/** The mirror in one language: its dictionary, its way to write numbers and dates, and where its pages stand. */
import { formatBytes } from '../../platform/durations.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';

const DICTIONARIES = { en, es, ja } satisfies Record<string, Messages>;
export type Language = keyof typeof DICTIONARIES;
/** BCP 47 tags. */
export const LANGUAGES = Object.keys(DICTIONARIES) as Language[];

export interface Edition {
  language: Language;
  t: Messages;
  /** What stands before the path of each of its pages: nothing for the first language of a build, `es/` for a further one. */
  prefix: string;
  /** The way from the top of its pages to what all languages share: pictures, style, scripts, search index. */
  root: '' | '../';
  /** All languages of the build, this one included. */
  all: Array<Pick<Edition, 'language' | 'prefix'> & { name: string }>;
  number(n: number): string;
  /** Such as `1.5 KB`. */
  bytes(n: number): string;
  /** A moment (ISO 8601; without a zone it counts as UTC) as a day in words, in UTC; what is no moment comes back as it is. */
  date(moment: string): string;
  /** The name of an ISO 639-2/B code (`jpn` → Japanese); a code that no one knows comes back as it is. */
  languageName(code: string): string;
  compare(a: string, b: string): number;
}

/** One edition a language; the first one stands at the top of the site, where the addresses are a contract. */
export function createEditions(languages: readonly Language[]): Edition[] {
  const all = languages.map((language, i) => ({
    language,
    prefix: i === 0 ? '' : `${language}/`,
    name: DICTIONARIES[language].name,
  }));
  return all.map(({ language, prefix }): Edition => {
    const t: Messages = DICTIONARIES[language];
    const numbers = new Intl.NumberFormat(language);
    const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });
    const known = new Map<string, string>();
    const collator = new Intl.Collator(language, { numeric: true });
    return {
      language,
      t,
      prefix,
      root: prefix === '' ? '' : '../',
      all,
      number: (n) => numbers.format(n),
      bytes: (n) => formatBytes(n, language),
      date(moment) {
        const date = new Date(/T[\d:.]+$/.test(moment) ? `${moment}Z` : moment);
        return Number.isNaN(date.getTime()) ? moment : dates.format(date);
      },
      languageName(code) {
        if (!/^[A-Za-z]{2,3}$/.test(code)) return code;
        const own = label(t.codes.language, code);
        const name = known.get(code) ?? (own === code ? (names.of(code) ?? code) : own);
        known.set(code, name);
        return name;
      },
      compare: (a, b) => collator.compare(a, b),
    };
  });
}

/** The label of a code, or the code itself. */
export function label(labels: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(labels, code) ? (labels[code] as string) : code;
}
