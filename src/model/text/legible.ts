/** Decides which characters of untrusted text may appear on a page or in a feed, index or citation. In Node and browsers. */
import { toWellFormed } from './well-formed.ts';

/**
 * Characters that pages and XML files must not contain, or that would mislead readers: control characters other than white space,
 * lone surrogates, noncharacters, and bidirectional embeddings, overrides and isolates, which reorder the text around them. The
 * marks that scripts need are not included: ZWJ, ZWNJ, LRM, RLM, ALM.
 */
const ILLEGIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]|[\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]/gu;
/** White space that XML 1.0 forbids. It becomes a space, so that words remain separate. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const OTHER_SPACE = /[\u000b\u000c\u0085]/g;
/** More marks on a letter than Unicode's stream-safe text format allows (UAX 15). To normalize them takes quadratic time. */
const EXCESS_COMBINING_MARKS = /(\p{M}{30})\p{M}+/gu;
const MAX_MARKS = 30;
const COMBINING_MARK = /\p{M}/u;
const FIRST_COMBINING_MARK = 0x300;
const PRINTABLE_ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** A quick test for texts that may contain such characters. Most texts contain none. */
const POSSIBLY_ILLEGIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/;

/** Returns text without characters that must not be shown. A lone surrogate becomes U+FFFD. */
export function stripIllegible(text: string): string {
  return POSSIBLY_ILLEGIBLE.test(text) ? toWellFormed(text).replace(ILLEGIBLE, '').replace(OTHER_SPACE, ' ') : text;
}

/** Returns untrusted text as it may be shown: like `stripIllegible`, and with no more than 30 marks per letter. */
export function toLegible(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const shown = stripIllegible(text);
  return mayHaveExcessMarks(shown) ? shown.replace(EXCESS_COMBINING_MARKS, '$1') : shown;
}

/** Returns whether more than 30 marks may follow one another. Tests every 31st character: the pattern is slow on long text. */
function mayHaveExcessMarks(text: string): boolean {
  for (let i = MAX_MARKS; i < text.length; i += MAX_MARKS + 1) {
    const code = text.charCodeAt(i); // perhaps half of a surrogate pair
    if (code >= FIRST_COMBINING_MARK && ((code >= 0xd800 && code < 0xe000) || COMBINING_MARK.test(text.charAt(i)))) return true;
  }
  return false;
}

/** White space that is not one space. Most texts have none, so that they are not copied. */
const OTHER_THAN_ONE_SPACE = /\s{2,}|[^\S ]/g;

/** Returns untrusted text as it may be shown, on one line: each run of white space becomes one space. */
export const toOneLine = (text: string): string => toLegible(text).replace(OTHER_THAN_ONE_SPACE, ' ').trim();

/** Returns equivalent JSON in which illegible characters and direction marks are written as escapes. */
export function toLegibleJson(json: string): string {
  return json.replace(/\u200e|\u200f|\u061c/g, escapeUnits).replace(ILLEGIBLE, escapeUnits);
}

function escapeUnits(match: string): string {
  return Array.from({ length: match.length }, (_, i) => `\\u${match.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
