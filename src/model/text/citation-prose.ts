/** Sentences of citations: no second full stop, and quotation marks within quotation marks. Runs in Node and in browsers. */

/** What closes a sentence, also in East Asian writing, before quotation marks; or a sentence in brackets: “[Two boys.]”. */
const CLOSED = /[.?!。．｡？！](?:[’」』]?”?|”)$|^“?\[[^\]]*\.\]”?$/;

/** Returns parts as sentences. One that ends in a mark of its own gets no full stop. */
export function sentences(parts: ReadonlyArray<string | undefined>): string {
  return parts
    .filter((part): part is string => part !== undefined && part !== '')
    .map((part) => (CLOSED.test(part) ? part : `${part}.`))
    .join(' ');
}

/** A quotation in straight marks, and what precedes it: after a number, they are inches. Old browsers lack lookbehind. */
const STRAIGHT_QUOTATION = /(^|[^\p{L}\p{N}])"(?=\S)([^"]*)"/gu;

/** Returns a title in quotation marks, with the punctuation that follows it inside, as in American English. */
export function quoted(title: string, punctuation: '.' | ',' | ''): string {
  const inner = title
    .replace(/“([^“”]*)”/g, '‘$1’')
    .replace(STRAIGHT_QUOTATION, '$1‘$2’')
    .trim();
  if (punctuation === '.' && CLOSED.test(inner)) return `“${inner}”`;
  // “nets,’ ” and “nets.’ ”: the mark goes inside both quotation marks.
  return inner.endsWith('’') && inner.includes('‘') ? `“${inner.slice(0, -1)}${punctuation}’”` : `“${inner}${punctuation}”`;
}

/** Returns the parts that are not empty, separated by commas. */
export const commas = (...parts: Array<string | undefined>): string => parts.filter(Boolean).join(', ');
