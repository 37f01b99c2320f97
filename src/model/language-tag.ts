/** Converts language codes (docs/upstream-api.md, “Codes”) to BCP 47 tags. Their labels are in src/site/language. */

const LANGUAGE_CODE = /^[A-Za-z]{2,3}$/;
/** Codes of ISO 639 that name no language: undetermined, no linguistic content, several, uncoded; and the codes for private use. */
const NOT_A_LANGUAGE = /^(?:und|zxx|mul|mis|root|q[a-t][a-z])$/;
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const tagsByCode = new Map<string, string | undefined>();

/** Returns the BCP 47 tag for a `lang` attribute, such as `ja` for `jpn`; undefined if the text is not the code of a known language. */
export function languageTag(code: string): string | undefined {
  if (!LANGUAGE_CODE.test(code)) return undefined;
  if (!tagsByCode.has(code)) {
    const tag = Intl.getCanonicalLocales(code)[0];
    const isLanguage = tag !== undefined && !NOT_A_LANGUAGE.test(tag) && names.of(tag) !== undefined;
    tagsByCode.set(code, isLanguage ? tag : undefined);
  }
  return tagsByCode.get(code);
}
