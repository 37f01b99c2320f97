/**
 * The languages of the interface: each is one file, with all of its words. Scripts for browsers have only the values of this
 * module that they use (`bundleScript` in src/build/astro/assets.ts).
 */
import ar from '../../site/language/ar.json' with { type: 'json' };
import en from '../../site/language/en.json' with { type: 'json' };
import es from '../../site/language/es.json' with { type: 'json' };
import fr from '../../site/language/fr.json' with { type: 'json' };
import ja from '../../site/language/ja.json' with { type: 'json' };

/** The words of each language, by BCP 47 tag, in the order of the help of `--languages`. English has a note on each text. */
export const LANGUAGE_FILES: Files = { en, es, ja, fr, ar };
type Files = { en: typeof en; es: typeof es; ja: typeof ja; fr: typeof fr; ar: typeof ar };
/** A language of the interface that Microfiche has itself. */
export type ShippedLanguage = keyof typeof LANGUAGE_FILES;
/** A language of the interface: a BCP 47 tag. A project can have its own ones, which `isLanguage` accepts. */
export type Language = ShippedLanguage | (string & { readonly isOfProject: true });
/** All languages of the interface that Microfiche has itself. */
export const LANGUAGES = Object.keys(LANGUAGE_FILES) as ShippedLanguage[];

const files = Object.values(LANGUAGE_FILES);
const inAll = (read: (file: (typeof files)[number]) => string) => files.map(read).filter(Boolean).join(' ');

/** Articles at the start of titles, in all languages: words, separated by spaces, as in all these texts. */
export const ARTICLES = inAll(({ sorting }) => sorting.articles);
/** Words before which they are no articles. */
export const NO_ARTICLE_BEFORE = inAll(({ sorting }) => sorting.noArticleBefore);
/** Words that are too frequent to say what a reader looks for. */
export const STOP_WORDS = inAll(({ searching }) => searching.stopWords);
/** Words of questions. */
export const QUESTION_WORDS = inAll(({ searching }) => searching.questionWords);
/** Endings of one thing and of several: `y/ies`. */
export const ENDINGS = inAll(({ searching }) => searching.endings);

const byPosition = (key: 'months' | 'oldMonths' | 'seasons', length: number) =>
  Array.from({ length }, (_, i) => inAll(({ reading }) => reading[key][i] ?? ''));
/** Names and abbreviations of the twelve months. */
export const MONTHS = byPosition('months', 12);
/** Abbreviations of them in old letters. */
export const OLD_MONTHS = byPosition('oldMonths', 12);
/** Names of the four seasons, from spring. */
export const SEASONS = byPosition('seasons', 4);

/** Rows of keys by language and layout. A key `{name}` switches to another layout, or is one that all keyboards have. */
export const KEYBOARDS: Readonly<Record<string, Readonly<Record<string, string[]>>>> = Object.fromEntries(
  Object.entries(LANGUAGE_FILES).map(([language, { keyboard }]) => [language, keyboard]),
);
