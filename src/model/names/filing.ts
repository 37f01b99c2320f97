/** How lists file names: one rule decides by which word a name is sorted, and how it is shown. */
import { withoutPrefix } from '../text/sort-key.ts';
import { parseName } from './names.ts';

/**
 * Returns how lists show a name, such as “Ikeda, Russell K., Jr.” and “Lantern Society, The”, and by what they sort it. It is
 * direct or inverted, of any length. A person is filed under the surname, without particles in lower case; then by given name,
 * then by suffix. An organization or a family is filed under its own first word, without an article, and so is an Arabic name. A
 * name whose parts are not certain is filed as it is written.
 */
export function filedName(text: string) {
  const { kind, literal, family, given, particle, suffix } = parseName(text);
  if (kind !== 'person' || family === undefined || given === undefined) {
    const { article, rest = literal } = (kind === 'person' ? undefined : ARTICLE.exec(literal)?.groups) ?? {};
    return { shown: article === undefined ? literal : `${rest}, ${article}`, sort: withoutPrefix(rest), kind };
  }
  const first = [given, particle].filter(Boolean).join(' ');
  const filed = [family, first, suffix].filter(Boolean).join(', ');
  // Archives write more than the name: years of life, a role, another script.
  const shown = startsWithSurname(text, family) || !/\p{Script=Latin}/u.test(family) ? text.trim() : filed;
  return { shown, sort: [withoutPrefix(family), given, rankOf(suffix)].filter(Boolean).join(', '), kind };
}

const ARTICLE = /^(?<article>the|an?|la|las|los|el)\s+(?<rest>\S.*)$/iu;

function startsWithSurname(text: string, family: string): boolean {
  return text
    .replace(/^[\s[［(（]+/u, '')
    .toLowerCase()
    .startsWith(`${family.toLowerCase()},`);
}

/** Suffixes in the order of generations. */
const GENERATIONS: readonly RegExp[] = [
  /^(?:sr|snr|senior)\b/i,
  /^(?:jr|jnr|junior|ii|2nd)\b/i,
  /^(?:iii|3rd)\b/i,
  /^(?:iv|4th)\b/i,
];

/** Returns a digit for a suffix, so that a father comes before his son; all others come after them. */
function rankOf(suffix: string | undefined): string | undefined {
  if (suffix === undefined) return undefined;
  const generation = GENERATIONS.findIndex((pattern) => pattern.test(suffix));
  return generation === -1 ? `9 ${suffix}` : String(generation + 1);
}
