/** An image's aspect ratio as an attribute: the Content-Security-Policy blocks inline styles. CSS cannot compute with it. */

/** Ratios of wider images are given as this one. */
export const MAX_RATIO = 4.99;
const MIN_RATIO = 0.01;

/** Returns width / height, rounded down to two decimals (`1.33`). The style sheet has a rule per digit (numbered-rules.ts). */
export function formatAspectRatio({ width, height }: { width: number; height: number }): string {
  const ratio = Math.floor((width / height) * 100) / 100;
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio || MIN_RATIO)).toFixed(2);
}
