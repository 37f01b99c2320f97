/** The shape of a picture as an attribute: the Content-Security-Policy refuses inline styles, and the style sheet cannot read numbers of an attribute. */

const WIDEST = 4.99;
const NARROWEST = 0.01;

/** Width by height with two decimals, rounded down, such as `1.33`: the style sheet has a rule for each digit (`[data-ratio]`). */
export function ratioOf({ width, height }: { width: number; height: number }): string {
  const ratio = Math.floor((width / height) * 100) / 100;
  return Math.min(WIDEST, Math.max(NARROWEST, ratio || NARROWEST)).toFixed(2);
}
