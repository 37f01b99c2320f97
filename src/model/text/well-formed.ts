/** Returns text with U+FFFD instead of lone surrogates, also in engines without `toWellFormed`. */
export function toWellFormed(text: string): string {
  const { toWellFormed: convert } = text as { toWellFormed?: () => string };
  return convert === undefined ? text.replace(/\p{Cs}/gu, '\ufffd') : convert.call(text);
}
