/** The direction in which texts are written. */
import { memoized } from '../platform/lazy.ts';

/** Whether a language is written from right to left. To find it out takes as long as to write a field of a record. */
const isRightToLeft = memoized((lang) =>
  /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Aran)$/.test(new Intl.Locale(lang).maximize().script ?? ''),
);

/**
 * Returns the `dir` attribute of a text with a `lang` attribute; undefined if it is written from left to right, as pages are.
 * Text in several scripts (`und`) has the direction of its first letter.
 */
export function directionOf(lang: string | undefined): 'rtl' | 'auto' | undefined {
  if (lang === 'und') return 'auto';
  return lang !== undefined && isRightToLeft(lang) ? 'rtl' : undefined;
}

/** Returns the attributes `lang` and `dir` of an element in a language, as HTML. */
export function langAttributes(lang: string): string {
  const dir = directionOf(lang);
  return dir === undefined ? `lang="${lang}"` : `lang="${lang}" dir="${dir}"`;
}
