/** Colors of a design: the palette of the style sheet, from an accent and a paper color, and whether text in them can be read. */

import type { SettingProblem } from '../../model/setting-problem.ts';

/** A color in light and in dark appearance: `#rrggbb`. */
export interface ColorPair {
  light: string;
  dark: string;
}

/** The colors that a design can set. */
export interface Palette {
  accent: ColorPair;
  paper: ColorPair;
}

/** Those of src/site/styles/site.css. */
export const DEFAULT_PALETTE: Palette = {
  accent: { light: '#7a3b1d', dark: '#eca877' },
  paper: { light: '#fbf9f4', dark: '#17160f' },
};
/** Colors of text in src/site/styles/site.css, which a design does not change. */
const TEXT = {
  ink: { light: '#22201a', dark: '#ebe6d8' },
  soft: { light: '#5d584b', dark: '#b4ad9a' },
  free: { light: '#2c5e2e', dark: '#9cc79a' },
} satisfies Record<string, ColorPair>;
/** For text of normal size: WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5;
const MODES = ['light', 'dark'] as const;

/** Returns the contrast ratio of two colors, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastRatio(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the mistakes: pairs of colors with too little contrast. */
export function contrastProblems(palette: Palette): SettingProblem[] {
  return MODES.flatMap((mode) => {
    const paper = palette.paper[mode];
    const accent = palette.accent[mode];
    const texts = Object.entries(TEXT).map(([, color]) => ({
      setting: 'paper',
      color: color[mode],
      what: `text in ${color[mode]}`,
    }));
    const onPaper = [{ setting: 'accent', color: accent, what: 'it' }, ...texts];
    const bad = onPaper
      .map((one) => ({ ...one, ratio: contrastRatio(one.color, paper) }))
      .filter(({ ratio }) => ratio < MIN_CONTRAST)
      .sort((a, b) => a.ratio - b.ratio)
      .filter(({ setting }, i, all) => all.findIndex((other) => other.setting === setting) === i);
    const other = mode === 'light' ? 'darker' : 'lighter';
    const first = bad.some(({ setting }) => setting === 'paper') ? bad.filter(({ setting }) => setting === 'paper') : bad;
    return first.map(({ setting, what, ratio }) => ({
      path: ['design', 'colors', setting],
      problem:
        setting === 'accent'
          ? `"design.colors.accent": ${accent} on the paper ${paper} (${mode}) has a contrast of ${formatRatio(ratio)}, and at least ${MIN_CONTRAST}:1 is needed. Choose a ${other} accent.`
          : `"design.colors.paper": on ${paper} (${mode}), ${what} has a contrast of ${formatRatio(ratio)}, and at least ${MIN_CONTRAST}:1 is needed. Choose a ${mode === 'light' ? 'lighter' : 'darker'} paper.`,
    }));
  });
}

/** Returns the declarations of the palette's custom properties. */
export function paletteCss({ accent, paper }: Palette): string {
  const derived = (towards: ColorPair, share: ColorShare) =>
    lightDark({ light: mix(paper.light, towards.light, share.light), dark: mix(paper.dark, towards.dark, share.dark) });
  const WHITE = { light: '#ffffff', dark: '#ffffff' };
  return [
    `--accent: ${lightDark(accent)};`,
    `--paper: ${lightDark(paper)};`,
    `--card: ${derived(WHITE, { light: 0.9, dark: 0.05 })};`,
    `--line: ${derived(TEXT.soft, { light: 0.2, dark: 0.25 })};`,
    `--mat: ${derived({ light: '#000000', dark: '#000000' }, { light: 0.06, dark: 0.35 })};`,
  ].join(' ');
}

type ColorShare = Record<'light' | 'dark', number>;

/** Returns a color between two: `share` of the second one. */
function mix(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  return `#${a
    .map((value, i) =>
      Math.round(value + ((b[i] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function lightDark({ light, dark }: ColorPair): string {
  return `light-dark(${light}, ${dark})`;
}

/** Rounded down, so that a ratio that is too small never reads as enough. */
function formatRatio(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns red, green and blue, from 0 to 255. */
function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
