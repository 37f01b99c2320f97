/** The codes that records use (docs/upstream-api.md, “Codes”); their labels stand in the dictionaries of src/site/language. */

const CODE = /^[A-Za-z]{2,3}$/;
const tags = new Map<string, string | undefined>();

/** The BCP 47 tag for a `lang` attribute (`jpn` → `ja`), or undefined for what is no language code. */
export function languageTag(code: string): string | undefined {
  if (!CODE.test(code)) return undefined;
  if (!tags.has(code)) tags.set(code, Intl.getCanonicalLocales(code)[0]);
  return tags.get(code);
}
