/** Where the terms behind a rights code can be read (docs/upstream-api.md, “Codes”). */

/** Which Creative Commons licence it is no record says: the address is that of all of them. */
const TERMS: Readonly<Record<string, string>> = {
  cc: 'https://creativecommons.org/licenses/',
  pdm: 'https://creativecommons.org/publicdomain/mark/1.0/',
  pcc: 'https://rightsstatements.org/vocab/InC/1.0/',
  nocc: 'https://rightsstatements.org/vocab/InC/1.0/',
};
/** A licence or statement that the record itself names, in whatever field of prose. */
const NAMED =
  /https?:\/\/(?:creativecommons\.org\/(?:licenses|publicdomain)\/[\w./-]{1,100}|rightsstatements\.org\/(?:vocab|page)\/[\w./-]{1,100})/;

/** The address of the terms: the one that the record's own statement names, else the one that its code stands for. */
export function termsOf(code: string | undefined, statement: unknown): string | undefined {
  const named = typeof statement === 'string' ? NAMED.exec(statement)?.[0] : undefined;
  if (named) return named.replace(/[.]+$/, '');
  return code !== undefined && Object.hasOwn(TERMS, code) ? TERMS[code] : undefined;
}
