/** Writes entries of RIS and BibTeX, for files that reference managers import. Runs in Node and in browsers. */
import { toOneLine } from './legible.ts';

/** A tag of RIS with its value, or one value for each line. Those without a value are left out. */
export type RisField = readonly [tag: string, value: string | readonly string[] | undefined];

/** Returns an entry in RIS (2011). One value per line: text after a line break could be taken for another field. */
export function risEntry(type: string, fields: readonly RisField[]): string {
  const lines = fields.flatMap(([tag, value]) =>
    [value ?? []].flat().flatMap((part) => {
      const line = toOneLine(part);
      return line === '' ? [] : [`${tag}  - ${line}`];
    }),
  );
  return [`TY  - ${type}`, ...lines, 'ER  -'].join('\n');
}

/** Returns an entry in BibTeX. Values are in braces already, or macros; fields without a value are left out. */
export function bibtexEntry(type: string, key: string, fields: ReadonlyArray<readonly [name: string, value: string]>): string {
  const lines = fields.flatMap(([name, value]) => (value === '' || value === '{}' ? [] : [`\t${name} = ${value},`]));
  return [`@${type}{${key.replace(/[^\w:./+-]/g, '_') || 'record'},`, ...lines, '}'].join('\n');
}

/** Returns a text as a value of BibTeX, in braces. */
export const bibtexText = (value: string): string => `{${escapeBibtex(value)}}`;

/** Returns a URL as a value of BibTeX. Braces would end the field. */
export const bibtexUrl = (url: string): string => `{${toOneLine(url).replace(/[{}\\\s]/g, encodeURIComponent)}}`;

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** Returns text as BibTeX writes it. Unbalanced braces end the field even with a backslash, so braces become parentheses. */
export function escapeBibtex(value: string): string {
  return toOneLine(value)
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replace(/[\\~^]/g, (sign) => SPECIAL[sign] as string)
    .replace(/[&%$#_]/g, '\\$&');
}
