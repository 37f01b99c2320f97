/** Converts language codes (docs/upstream-api.md, “Codes”) to BCP 47 tags. Their labels are in src/site/language. */

const LANGUAGE_CODE = /^[A-Za-z]{2,3}$/;
const tagsByCode = new Map<string, string | undefined>();

/** Returns the BCP 47 tag for a `lang` attribute, such as `ja` for `jpn`; undefined if the text is not a language code. */
export function languageTag(code: string): string | undefined {
  if (!LANGUAGE_CODE.test(code)) return undefined;
  if (!tagsByCode.has(code)) tagsByCode.set(code, Intl.getCanonicalLocales(code)[0]);
  return tagsByCode.get(code);
}
