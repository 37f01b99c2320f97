/** Replaces stretches of a page that a parser has found; every other byte stays. */

export interface Cut {
  from: number;
  to: number;
  html: string;
}

/** The page with each stretch `from` (included) to `to` (not included) replaced. The stretches do not overlap. */
export function spliced(html: string, cuts: Cut[]): string {
  let out = '';
  let done = 0;
  for (const { from, to, html: instead } of cuts.sort((a, b) => a.from - b.from)) {
    out += html.slice(done, from) + instead;
    done = to;
  }
  return out + html.slice(done);
}
