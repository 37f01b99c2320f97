/** Replaces parts of a page that a parser has found, and leaves all other bytes unchanged. */

/** One replacement. */
export interface Replacement {
  /** Start of the replaced text, in UTF-16 units. */
  from: number;
  /** End of the replaced text, exclusive. */
  to: number;
  /** What replaces it. */
  html: string;
}

/** Returns a page with all replacements made. They must not overlap. */
export function replaceRanges(html: string, replacements: Replacement[]): string {
  let out = '';
  let copied = 0;
  for (const { from, to, html: replacement } of replacements.sort((a, b) => a.from - b.from)) {
    out += html.slice(copied, from) + replacement;
    copied = to;
  }
  return out + html.slice(copied);
}
