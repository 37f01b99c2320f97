/** The aspect ratio of an image as an attribute: the Content-Security-Policy blocks inline styles, and CSS cannot compute with attributes. */

const POWERS = [256, 128, 64, 32, 16, 8, 4, 2, 1];
const MAX = 511;

/** Returns width divided by height in hundredths as a sum of powers of two, `128 4 1` for 1.33. The style sheet has a rule for each (`[data-ratio]`). */
export function formatAspectRatio({ width, height }: { width: number; height: number }): string {
  const hundredths = Math.min(MAX, Math.max(1, Math.floor((width / height) * 100) || 1));
  return POWERS.filter((power) => Math.floor(hundredths / power) % 2 === 1).join(' ');
}
