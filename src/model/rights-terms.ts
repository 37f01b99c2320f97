/** The terms under which an item may be used: the license or statement that its record names, or that of its rights code. */
import { toPlainText } from './text.ts';
import { hasValue, text } from './values.ts';

/**
 * URLs of the terms of rights codes (docs/upstream-api.md, “Codes”). The code `cc` has none: it does not say which of the Creative Commons
 * licenses applies.
 */
const TERMS_BY_CODE: Readonly<Record<string, string>> = {
  pdm: 'https://creativecommons.org/publicdomain/mark/1.0/',
  pcc: 'https://rightsstatements.org/vocab/InC/1.0/',
  nocc: 'https://rightsstatements.org/vocab/InC/1.0/',
};
/** The URL of one license, dedication or rights statement. */
const TERMS_URL =
  /https?:\/\/(?:www\.)?(?:creativecommons\.org\/(?:licenses|publicdomain)\/[a-z]{1,20}[\w./+-]{0,80}|rightsstatements\.org\/(?:vocab|page)\/[\w./-]{1,80})/;
/** Fields that can name the terms, the most specific first. */
const FIELDS = ['rights_statement', 'rights', 'userrestrict', 'accessrestrict'];

/** Returns the URL of the terms: those that the record names, by URL or as “CC BY-NC 4.0”, or else those of its code. */
export function rightsTermsUrl(raw: Readonly<Record<string, unknown>>): string | undefined {
  const texts = FIELDS.flatMap((name) => (hasValue(raw[name]) ? (text(raw[name]) ?? []) : []));
  for (const statement of texts) {
    const url = TERMS_URL.exec(statement)?.[0].replace(/[./]+$/, '/');
    const named = url ?? licenseNamed(toPlainText(statement));
    if (named !== undefined) return named;
  }
  const code = text(raw['rights']);
  return code !== undefined && Object.hasOwn(TERMS_BY_CODE, code) ? TERMS_BY_CODE[code] : undefined;
}

/** Whether a URL is that of a license or dedication to the public, and not of a statement about rights. */
export function isLicenseUrl(url: string): boolean {
  return url.includes('//creativecommons.org/') || url.includes('//www.creativecommons.org/');
}

/** A license in words. Its version is required, since each version has terms of its own. */
const ABBREVIATED = /\bCC[ -](BY(?:-(?:NC-SA|NC-ND|NC|SA|ND))?)[ -]?([1-4]\.[0-9])\b/i;
const WRITTEN_OUT =
  /\bCreative Commons Attribution((?:[ -](?:Non-?Commercial|No[ -]?Deriv(?:ative)?s?(?: Works)?|Share-?Alike))*)[ -]([1-4]\.[0-9])\b/i;
const DEDICATION = /\bCC0\b|\bCC Zero\b|\bCreative Commons Zero\b/i;
/** The code of each condition, in the order of the codes. */
const CONDITIONS: ReadonlyArray<[pattern: RegExp, code: string]> = [
  [/non-?commercial/i, 'nc'],
  [/no[ -]?deriv/i, 'nd'],
  [/share-?alike/i, 'sa'],
];

function licenseNamed(statement: string): string | undefined {
  const short = ABBREVIATED.exec(statement);
  if (short) return licenseUrl((short[1] as string).toLowerCase(), short[2] as string);
  const long = WRITTEN_OUT.exec(statement);
  if (long) {
    const conditions = CONDITIONS.flatMap(([pattern, code]) => (pattern.test(long[1] as string) ? [code] : []));
    return licenseUrl(['by', ...conditions].join('-'), long[2] as string);
  }
  return DEDICATION.test(statement) ? 'https://creativecommons.org/publicdomain/zero/1.0/' : undefined;
}

function licenseUrl(code: string, version: string): string {
  return `https://creativecommons.org/licenses/${code}/${version}/`;
}
