/** Locales: the site in one language, with its dictionary, number and date formats, and path prefix. */
import { createAlphabet } from '../../catalogue/lists/letters.ts';
import { mapStrings } from '../../catalogue/read/redaction.ts';
import { directionOf } from '../../formats/direction.ts';
import { type DateWords, formatPlainDate, withDashes } from '../../model/dates/format.ts';
import { isPoint, type PlainDate, readPlainDate } from '../../model/dates/plain.ts';
import { LANGUAGE_FILES, type Language, type ShippedLanguage } from '../../model/text/languages.ts';
import { inLanguage, type LocalText } from '../../model/text/local-text.ts';
import { asPatterns, createTexts, type Texts } from '../../model/text/messages.ts';
import { withoutArticlesOf } from '../../model/text/sort-key.ts';
import { readTimestamp, toW3cdtf } from '../../model/timestamps.ts';
import { lazy, memoized } from '../../platform/lazy.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { createRecent } from '../../platform/recent.ts';

export { LANGUAGES, type Language } from '../../model/text/languages.ts';

type Words = Texts<typeof LANGUAGE_FILES.en>;
type Labels = Readonly<Record<string, string>>;
/** All words of the interface in one language. Genres have labels in the plural, and items of them in the singular. */
export type Dictionary = Omit<Words, 'codes'> & { codes: Omit<Words['codes'], 'genre'> & { genre: Labels; item: Labels } };

/** The site in one language. */
export type Locale = ReturnType<typeof createLocales>[number];

/** Dates in memory that were read or formatted. */
const MAX_DATES = 10_000;
/** Of all languages: what a date says does not depend on them. */
const readings = createRecent<string, PlainDate | undefined>(MAX_DATES);
const readPlain = (text: string) => readings.get(text, readPlainDate);

/** Labels of an archive's own, instead of those of the dictionaries. */
export interface OwnLabels {
  fields: ReadonlyArray<{ name: string; label: LocalText | undefined }>;
  /** By facet: for one value, and for several. */
  facetLabels: Readonly<Partial<Record<string, { one: LocalText; many: LocalText }>>>;
}

/** Words of a project by language: files that have been checked (translations.ts), without what awaits translation. */
export type OwnWords = Readonly<Record<string, object>>;

/**
 * Returns one locale per language, with the labels of a design and a project's own words. The first one is at the top of the
 * site, where the paths are a contract (docs/addresses.md).
 */
export function createLocales(languages: readonly Language[], design?: OwnLabels, words: OwnWords = {}) {
  const alternatives = languages.map((language, i) => ({
    language,
    pathPrefix: i === 0 ? '' : `${language}/`,
    name: dictionaryOf(language, words).name,
  }));
  return alternatives.map(({ language, pathPrefix }) => {
    const dictionary = withOwnLabels(dictionaryOf(language, words), language, design);
    const dateWords: DateWords = asPatterns(dictionary.dates);
    const numbers = new Intl.NumberFormat([language, 'en']);
    const dates = new Intl.DateTimeFormat([language, 'en'], { dateStyle: 'long', timeZone: 'UTC' });
    const names = new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'none' });
    const scripts = new Intl.DisplayNames([language, 'en'], { type: 'script' });
    const nameOf = memoized((code) => {
      const coded = codeLabel(dictionary.codes.language, code.toLowerCase());
      return coded === code.toLowerCase() ? (names.of(code) ?? dictionary.search.unknownLanguage(code)) : coded;
    });
    // Records of one day have the same dates: of the harvest, and of the item.
    const formatted = createRecent<string, string>(MAX_DATES);
    const formatDate = (moment: string) =>
      formatted.get(moment, () => {
        const timestamp = readTimestamp(moment);
        return timestamp === undefined ? formatRecordDate(moment) : dates.format(new Date(toW3cdtf(timestamp)));
      });
    const plainDates = createRecent<PlainDate, string>(MAX_DATES);
    const formatPlain = (date: PlainDate) => plainDates.get(date, () => formatPlainDate(date, language, dateWords));
    const formatRecordDate = (text: string) => {
      const plain = readPlain(text);
      return plain === undefined ? withDashes(text) : formatPlain(plain);
    };
    return {
      language,
      t: dictionary,
      dateWords,
      /** Precedes the path of each page: empty for the first language of a build, such as `es/` for another one. */
      pathPrefix,
      /** Relative path from the top of its pages to the files that all locales share: images, style, scripts, search index. */
      rootPath: pathPrefix === '' ? ('' as const) : ('../' as const),
      /** All languages of the build, this one included. */
      alternatives,
      /** Such as `1,200`. */
      formatNumber: (n: number) => numbers.format(n),
      /** Such as `1.5 KB`. */
      formatBytes: (n: number) => formatBytes(n, language),
      /** Formats a time (ISO 8601) as a date, `November 21, 2026`: in UTC if it has a zone. Other text is a record’s date. */
      formatDate,
      /**
       * Formats a record's date in the language and in one style if its words say nothing else: “1942年3月” is “March 1942”.
       * Returns other words of the archive with en dashes in spans of years.
       */
      formatRecordDate,
      formatPeriod(from: string, to: string) {
        const [first, last] = [readPlain(from), readPlain(to)];
        if (first !== undefined && first === last) return formatPlain(first);
        return first !== undefined && last !== undefined && isPoint(first) && isPoint(last)
          ? formatPlain(`${first}/${last}`)
          : `${formatRecordDate(from)} – ${formatRecordDate(to)}`;
      },
      /** Returns the name of an ISO 639-2/B code (`jpn` → Japanese), or that it is unknown. Other text is returned unchanged. */
      languageName: (code: string) => (/^[A-Za-z]{2,3}$/.test(code) ? nameOf(code) : code),
      /** Returns the name of a script by its code in ISO 15924. */
      scriptName: (code: string) => scripts.of(code) ?? code,
      ...createAlphabet(language),
      /** Returns a title without its article, also one of the project's words. */
      withoutArticle: withoutArticlesOf(dictionary.sorting),
    };
  });
}

/** Whether Microfiche has the words of a language itself. */
export const isShipped = (language: string): language is ShippedLanguage => Object.hasOwn(LANGUAGE_FILES, language);

/** By the file with the first words. Dictionaries do not change, and take time to create. */
const dictionaries = new WeakMap<object, Dictionary>();

function dictionaryOf(language: Language, { [language]: own }: OwnWords): Dictionary {
  const shipped = isShipped(language) ? LANGUAGE_FILES[language] : { name: nameOfLanguage(language) };
  const known = dictionaries.get(own ?? shipped);
  if (known) return known;
  const words = [shipped, ...(own ? [own] : [])].reduce<object>(
    (fallback, file) => withFallback(createTexts(file, language), fallback),
    createTexts(directionOf(language) === undefined ? LANGUAGE_FILES.en : (englishFromLeft() as object), 'en'),
  ) as Words;
  const genresIn = (form: 'plural' | 'singular') =>
    Object.fromEntries(Object.entries(words.codes.genre).map(([code, label]) => [code, label[form]]));
  const dictionary = { ...words, codes: { ...words.codes, genre: genresIn('plural'), item: genresIn('singular') } };
  dictionaries.set(own ?? shipped, dictionary);
  return dictionary;
}

/** How a text ends that is a sentence of its own. */
const SENTENCE = /[.!?:…)]$/;
/** English sentences whose punctuation keeps its place on pages that are read from right to left. */
const englishFromLeft = lazy(() => mapStrings(LANGUAGE_FILES.en, (text) => (SENTENCE.test(text) ? `\u200e${text}\u200e` : text)));

/** Returns a language's name in itself. */
export const nameOfLanguage = (language: string) =>
  new Intl.DisplayNames([language, 'en'], { type: 'language' }).of(language) ?? language;

/** Returns the texts of a language, with those of another one in place of what it does not have yet. */
export function withFallback(translated: object, fallback: object): object {
  const texts = Object.entries(fallback).map(([name, other]) => {
    const text = (translated as Record<string, unknown>)[name] ?? other;
    return [name, typeof text === 'object' && !Array.isArray(text) ? withFallback(text, other) : text];
  });
  return { ...translated, ...Object.fromEntries(texts) };
}

/** Returns a dictionary with the labels of a design. */
function withOwnLabels(dictionary: Dictionary, language: Language, design: OwnLabels | undefined): Dictionary {
  if (!design) return dictionary;
  const fields = design.fields.flatMap(({ name, label }) => (label === undefined ? [] : [[name, inLanguage(label, language)]]));
  const facets = Object.entries(design.facetLabels).flatMap(([facet, labels]) =>
    labels ? [[facet, { plural: inLanguage(labels.many, language), singular: inLanguage(labels.one, language) }]] : [],
  );
  return {
    ...dictionary,
    fields: { ...dictionary.fields, ...Object.fromEntries(fields) },
    facets: { ...dictionary.facets, ...Object.fromEntries(facets) },
  };
}

/** Returns the label of a code, or the code itself. */
export function codeLabel(labels: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(labels, code) ? (labels[code] as string) : code;
}
