/** The one place that says which characters of others may reach a page, a feed, an index or a citation. Runs in Node and in browsers. */

/**
 * Characters that no page or XML file may hold or that would only mislead a reader: control characters but for white space, lone surrogates,
 * noncharacters, and the bidirectional embeddings, overrides and isolates, which reorder the text around them. The marks that scripts
 * need stay: ZWJ, ZWNJ, LRM, RLM, ALM.
 */
const ILLEGIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]|[\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]/gu;
/** White space that XML 1.0 does not know: it becomes a space, so that words stay apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OTHER_SPACE = /[\u000b\u000c\u0085]/g;
/** Marks on one letter at most, as Unicode's stream-safe text format has it (UAX 15): more take normalisation quadratic time. */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
const MOST_MARKS = 30;
const MARK = /\p{M}/u;
const FIRST_MARK = 0x300;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** Finds quickly that a text may hold some of them: most hold none. */
const SUSPECT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/;

/** Text without the characters that must not be shown; what cannot be read at all (half a surrogate pair) becomes U+FFFD. */
export function withoutIllegible(text: string): string {
  return SUSPECT.test(text) ? text.toWellFormed().replace(ILLEGIBLE, '').replace(OTHER_SPACE, ' ') : text;
}

/** The same for text of others as it comes in, also without heaps of marks on one letter. */
export function legible(text: string): string {
  if (PLAIN.test(text)) return text;
  const shown = withoutIllegible(text);
  return mayHaveManyMarks(shown) ? shown.replace(TOO_MANY_MARKS, '$1') : shown;
}

/** Whether more than thirty marks may follow one another: every 31st character is looked at, since the pattern takes long for a long text. */
function mayHaveManyMarks(text: string): boolean {
  for (let i = MOST_MARKS; i < text.length; i += MOST_MARKS + 1) {
    const code = text.charCodeAt(i);
    if (code >= FIRST_MARK && (isSurrogate(code) || MARK.test(text.charAt(i)))) return true;
  }
  return false;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

/** The same on one line: every run of white space is one space. */
export function oneLine(text: string): string {
  return legible(text).replace(/\s+/g, ' ').trim();
}

/** JSON whose illegible characters are written as JSON's own escapes: it says the same, and nothing in it misleads. */
export function legibleJson(json: string): string {
  return json.replace(/\u200e|\u200f|\u061c/g, escaped).replace(ILLEGIBLE, escaped);
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
