/** Converts language codes (docs/upstream-api.md, “Codes”) to BCP 47 tags. Their labels are in src/site/language. */
import { lazy, memoized } from '../../platform/lazy.ts';
import languageNames from './language-names.json' with { type: 'json' };
import type { Language } from './languages.ts';

const LANGUAGE_CODE = /^[A-Za-z]{2,3}$/;
/** Codes of ISO 639 that name no language: undetermined, no linguistic content, several, uncoded; and those for private use. */
const NOT_A_LANGUAGE = /^(?:und|zxx|mul|mis|root|q[a-t][a-z])$/;
/** Codes that CLDR, and so `Intl`, replaces by those of another language, with the tags of their own. */
const OWN_TAGS: Readonly<Record<string, string>> = { tgl: 'tl', tl: 'tl', twi: 'tw', tw: 'tw' };
/** The English names of languages. To make them takes longest of a start. */
const names = lazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));

/** Returns the BCP 47 tag for a `lang` attribute, such as `ja` for `jpn`; undefined if the text is no known language code. */
export const languageTag = (code: string): string | undefined => (LANGUAGE_CODE.test(code) ? tagOf(code) : undefined);

const tagOf = memoized((code) => {
  const tag = OWN_TAGS[code.toLowerCase()] ?? Intl.getCanonicalLocales(code)[0];
  return tag !== undefined && !NOT_A_LANGUAGE.test(tag) && names().of(tag) !== undefined ? tag : undefined;
});

/** The tags of languages in which pages can be: a language, and at most a script and a region. */
export const INTERFACE_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

/** Whether pages can be in a language: its tag is canonical, and `Intl` knows its dates, names and plural forms. */
export function isLanguage(tag: string): tag is Language {
  if (!INTERFACE_TAG.test(tag) || Intl.getCanonicalLocales(tag)[0] !== tag) return false;
  const services: Array<{ supportedLocalesOf(tag: string): string[] }> = [
    Intl.DateTimeFormat,
    Intl.DisplayNames,
    Intl.PluralRules,
  ];
  return services.every((service) => service.supportedLocalesOf(tag).length > 0);
}

/**
 * The codes of languages by their names in lower case: English ones of codes of ISO 639-2/B, as upstream uses them, and others
 * (language-names.json).
 */
const codesByName = lazy((): ReadonlyMap<string | undefined, string> => {
  const { namedCodes, otherNames } = languageNames;
  const named = namedCodes.split(' ').map((code) => [names().of(code)?.toLowerCase(), code] as const);
  return new Map([...named, ...Object.entries(otherNames)]);
});

/** Returns a language code as records should have it: `jpn` for `JPN` and `Japanese`. Other text is returned unchanged. */
export function languageCode(text: string): string {
  const short = text.trim().toLowerCase();
  if (LANGUAGE_CODE.test(short)) return short;
  return codesByName().get(short) ?? text;
}
