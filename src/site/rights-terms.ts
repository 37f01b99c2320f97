/** URLs of the terms of a rights code (docs/upstream-api.md, “Codes”). */

/** Records do not say which Creative Commons license applies, so the URL is that of the list of licenses. */
const TERMS_BY_CODE: Readonly<Record<string, string>> = {
  cc: 'https://creativecommons.org/licenses/',
  pdm: 'https://creativecommons.org/publicdomain/mark/1.0/',
  pcc: 'https://rightsstatements.org/vocab/InC/1.0/',
  nocc: 'https://rightsstatements.org/vocab/InC/1.0/',
};
/** The URL of a license or rights statement in the record's own text. */
const TERMS_URL =
  /https?:\/\/(?:creativecommons\.org\/(?:licenses|publicdomain)\/[\w./-]{1,100}|rightsstatements\.org\/(?:vocab|page)\/[\w./-]{1,100})/;

/** Returns the URL of the terms: the one in the record's own statement, or else that of its code. */
export function rightsTermsUrl(code: string | undefined, statement: unknown): string | undefined {
  const named = typeof statement === 'string' ? TERMS_URL.exec(statement)?.[0] : undefined;
  if (named) return named.replace(/[.]+$/, '');
  return code !== undefined && Object.hasOwn(TERMS_BY_CODE, code) ? TERMS_BY_CODE[code] : undefined;
}
