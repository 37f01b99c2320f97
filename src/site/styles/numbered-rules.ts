/** Style rules that differ only in a number, which is in an attribute: the Content-Security-Policy blocks inline styles. */

/** Images of the attract screen of a kiosk. */
export const MAX_SLIDES = 8;

/** Returns the rules of all pages: each digit of `data-ratio` is a number, and together they are the ratio. */
export function ratioRules(): string {
  const rules = Array.from('0123456789', (digit) => [
    ...(Number(digit) <= MAX_RATIO ? [`[data-ratio^="${digit}"] { --whole: ${digit}; }`] : []),
    `[data-ratio*=".${digit}"] { --tenths: 0.${digit}; }`,
    `[data-ratio$="${digit}"] { --hundredths: 0.0${digit}; }`,
  ]);
  return inComponents(rules.flat());
}

/** Returns the rules of a kiosk: how many slides its attract screen has, and which one each is. */
export function slideRules(): string {
  const rules = Array.from({ length: MAX_SLIDES }, (_, i) => [
    `.attract[data-slides="${i + 1}"] { --slides: ${i + 1}; }`,
    `.attract figure:nth-of-type(${i + 1}) { --slide: ${i}; }`,
  ]);
  return inComponents(rules.flat());
}

const inComponents = (rules: readonly string[]): string => `@layer components {\n${rules.join('\n')}\n}`;

/** Ratios of wider images are given as this one. */
const MAX_RATIO = 4.99;
const MIN_RATIO = 0.01;

/** Returns width / height, rounded down to two decimals (`1.33`): the style sheet has a rule for each digit. */
export function formatAspectRatio({ width, height }: { width: number; height: number }): string {
  const ratio = Math.floor((width / height) * 100) / 100;
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio || MIN_RATIO)).toFixed(2);
}
