/** Converts language codes (docs/upstream-api.md, “Codes”) to BCP 47 tags. Their labels are in src/site/language. */

const CODE = /^[A-Za-z]{2,3}$/;
const tags = new Map<string, string | undefined>();

/** Returns the BCP 47 tag for a `lang` attribute, such as `ja` for `jpn`; undefined if the text is not a language code. */
export function languageTag(code: string): string | undefined {
  if (!CODE.test(code)) return undefined;
  if (!tags.has(code)) tags.set(code, Intl.getCanonicalLocales(code)[0]);
  return tags.get(code);
}
