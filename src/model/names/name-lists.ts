/** Divides a text that names several: “Ito, Alice; Ikeda, Tom”, “Ito, Alice and Ikeda, Tom”, “Alice Ito, Tom Ikeda”. */
import { toOneLine } from '../text/legible.ts';
import { COMMON_GIVEN_NAMES, isOrganization, startsWithGivenName } from './name-kinds.ts';

/** A longer text is not divided. */
const MAX_LENGTH = 5_000;

/** What only separates names: a semicolon, a bar, a slash between spaces; in East Asian writing, also a comma of lists. */
const SEPARATOR = /\s*[;；|｜]\s*|\s+\/\s+|(?<=\p{Script=Han}|\p{Script=Katakana})\s*[、／]\s*/u;
const AND = /\s*,?\s+(?:and|&|y|und|et)\s+/u;
/** Years of life, a role or another addition after a semicolon, which is not a name. */
const ADDITION = /^(?:[^\p{L}]*|[\p{Ll}\p{M}][\p{Ll}\p{M}\s.'’-]*|[jsJS]r\.?|I{2,3}|IV|(?:b|d|ca?)\.?\s*\d{4}.*)$/u;

/**
 * Returns each name that a text has, at least one. Names are separated by a semicolon, or by “and” if what is on both sides of it
 * is a person's whole name, so that “Sato and Sons” stays as it is. What is not certain is one name. `arePersons`: no
 * organizations are named.
 */
export function splitNames(text: string, { arePersons = false } = {}): string[] {
  const line = toOneLine(text);
  if (line.length > MAX_LENGTH) return [line];
  const inBrackets = /^\[(?<inside>[^[\]]*)\]$/.exec(line)?.groups?.['inside'];
  if (inBrackets !== undefined) {
    const inside = splitNames(inBrackets, { arePersons });
    return inside.length > 1 ? inside : [line];
  }
  const parts = outsideParentheses(line)
    .split(SEPARATOR)
    .map((part) => restored(part).trim());
  const names = parts
    .filter((part, i) => part !== '' && (i === 0 || !ADDITION.test(part)))
    .flatMap((part) => splitAtWords(part, arePersons));
  return names.length === 0 ? [line] : names;
}

/** Signs that replace separators in parentheses or brackets while a text is divided. They are for private use. */
const HIDDEN: ReadonlyArray<readonly [sign: string, instead: string]> = [...';；|｜/、／,&'].map(
  (sign, i) => [sign, String.fromCodePoint(0xf_ff00 + i)] as const,
);

function outsideParentheses(line: string): string {
  return line.replace(/\([^()]*\)|（[^（）]*）|\[[^[\]]*\]/gu, (inside) =>
    HIDDEN.reduce((hidden, [sign, instead]) => hidden.replaceAll(sign, instead), inside),
  );
}

const restored = (part: string): string => HIDDEN.reduce((text, [sign, instead]) => text.replaceAll(instead, sign), part);

function splitAtWords(text: string, arePersons: boolean): string[] {
  const sides = text.split(AND);
  if (sides.length > 1 && (sides.every(isInverted) || (sides.every(isDirect) && (arePersons || sides.some(isCommonName)))))
    return sides;
  const list = text.split(/\s*,\s*(?:(?:and|&|y)\s+)?|\s+(?:and|&|y)\s+/u);
  return list.length > 1 && list.every(isCommonName) ? list : [text];
}

/** “Ito, Alice”, “Ikeda, Russell K., Jr.” */
function isInverted(name: string): boolean {
  const isWhole = /^\p{Lu}[\p{L}\p{M}'’ -]*,\s*\p{Lu}[\p{L}\p{M}.'’ -]*(?:,\s*(?:[JS]r\.?|I{2,3}|IV))?$/u.test(name);
  return isWhole && !isOrganization(name);
}

/** Two to four words in capitals, which may be a given name and a surname in this order: “Ansel Adams”, “Ms. Mary Abe”. */
function isDirect(name: string): boolean {
  const words = withoutHonorific(name).split(' ');
  const isName = words.length >= 2 && words.length <= 4 && words.every((word) => /^\p{Lu}[\p{L}\p{M}.'’-]*$/u.test(word));
  return isName && !COMMON_GIVEN_NAMES.has((words.at(-1) as string).toLowerCase()) && !isOrganization(name);
}

/** As `isDirect`, with a given name that many have. */
const isCommonName = (name: string): boolean => isDirect(name) && startsWithGivenName(withoutHonorific(name));

const withoutHonorific = (name: string): string => name.replace(/^(?:Mr|Ms|Mrs|Miss|Dr|Rev)\.?\s+/, '');
