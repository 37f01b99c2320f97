/** The terms under which an item may be used: the license or statement that its record names, or that of its rights code. */
import { keyByWord } from '../platform/key-by-word.ts';
import type { ArchivalRecord } from './records.ts';
import { toPlainText } from './text/text.ts';
import { hasValue, text } from './values.ts';

/**
 * URLs of the terms of rights codes (docs/upstream-api.md, “Codes”). The code `cc` has none: it does not say which of the
 * Creative Commons licenses applies.
 */
const TERMS_BY_CODE: ReadonlyMap<string, string> = keyByWord({
  'https://creativecommons.org/publicdomain/mark/1.0/': 'pdm',
  'https://rightsstatements.org/vocab/InC/1.0/': 'pcc nocc',
});
/** The URL of one license, dedication or rights statement. */
const TERMS_URL =
  /https?:\/\/(?:www\.)?(?:creativecommons\.org\/(?:licenses|publicdomain)\/[a-z]{1,20}[\w./+-]{0,80}|rightsstatements\.org\/(?:vocab|page)\/[\w./-]{1,80})/;
/** Fields that can name the terms, the most specific first. */
const FIELDS = ['rights_statement', 'rights', 'userrestrict', 'accessrestrict'];

/** Returns the URL of the terms: those that the record names, by URL or as “CC BY-NC 4.0”, or else those of its code. */
export function rightsTermsUrl({ raw }: Pick<ArchivalRecord, 'raw'>): string | undefined {
  const texts = FIELDS.flatMap((name) => (hasValue(raw[name]) ? (text(raw[name]) ?? []) : []));
  return texts.map(termsNamed).find((url) => url !== undefined) ?? TERMS_BY_CODE.get(text(raw['rights']) ?? '');
}

/** One Creative Commons license or dedication, with its version and its country. */
const LICENSE_URL =
  /\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/(by(?:-(?:nc|nd|sa)){0,2}|zero|mark)\/([1-4]\.\d)(?:\/([a-z]{2,3})(?=\/|$))?/;
/** A license by the name that `statedRights` gives it. */
const LICENSE_NAME = /^CC(?:0| BY(?:-(?:NC|ND|SA)){0,2}) [1-4]\.\d(?: [A-Z]{2,3})?$/;

/**
 * Returns what a record says about its rights: the name of its Creative Commons license, such as “CC BY-NC 4.0”, if it names one
 * with its version, and otherwise its rights code. The code `cc` alone does not say which conditions apply.
 */
export function statedRights(record: Pick<ArchivalRecord, 'raw'>): string | undefined {
  const code = text(record.raw['rights']);
  if (code === undefined || TERMS_BY_CODE.has(code)) return code;
  const [, license, version, country] = LICENSE_URL.exec((code === 'cc' ? rightsTermsUrl(record) : termsNamed(code)) ?? '') ?? [];
  if (license === undefined) return code;
  if (license === 'mark') return 'pdm';
  const name = license === 'zero' ? 'CC0' : `CC ${license.toUpperCase()}`;
  return [name, version, country?.toUpperCase()].filter(Boolean).join(' ');
}

/** Whether stated rights are a Creative Commons license or dedication by its name. */
export const isNamedLicense = (stated: string): boolean => LICENSE_NAME.test(stated);

/** Whether a URL is that of a license or dedication to the public, and not of a statement about rights. */
export function isLicenseUrl(url: string): boolean {
  return url.includes('//creativecommons.org/') || url.includes('//www.creativecommons.org/');
}

function termsNamed(statement: string): string | undefined {
  return TERMS_URL.exec(statement)?.[0].replace(/[./]+$/, '/') ?? licenseNamed(toPlainText(statement));
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

const licenseUrl = (code: string, version: string): string => `https://creativecommons.org/licenses/${code}/${version}/`;
