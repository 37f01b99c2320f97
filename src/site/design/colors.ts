/** Colors of a design: the palette of the style sheet, from an accent and a paper color, and whether text in them can be read. */
import type { SettingProblem } from '../../model/setting-problem.ts';

/** A color in light and in dark appearance: `#rrggbb`. */
export type ColorPair = Record<Mode, string>;

/** The colors that a design can set. */
export type Palette = Record<'accent' | 'paper', ColorPair>;

/** Those of src/site/styles/tokens.css. */
export const DEFAULT_PALETTE: Palette = {
  accent: { light: '#7a3b1d', dark: '#eca877' },
  paper: { light: '#fbf9f4', dark: '#17160f' },
};
/** Colors of text in src/site/styles/tokens.css, which a design does not change. */
export const TEXT = {
  ink: { light: '#22201a', dark: '#ebe6d8' },
  soft: { light: '#5d584b', dark: '#b4ad9a' },
  free: { light: '#2c5e2e', dark: '#9cc79a' },
} satisfies Record<string, ColorPair>;
/** The color behind marked text there, which a design does not change. */
export const MARK: ColorPair = { light: '#fbe6a2', dark: '#4c3d0f' };
const WHITE: ColorPair = { light: '#ffffff', dark: '#ffffff' };
const BLACK: ColorPair = { light: '#000000', dark: '#000000' };
/** For text of normal size: WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5;
const MODES = ['light', 'dark'] as const;
type Mode = (typeof MODES)[number];

/** Returns the contrast ratio of two colors, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastRatio(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the mistakes: pairs of colors with too little contrast, on the first surface that has any. */
export function contrastProblems(palette: Palette): SettingProblem[] {
  const surfaces = surfacesOf(palette);
  return MODES.flatMap((mode) => surfaces.flatMap((surface) => problemOn(surface, mode, palette) ?? []).slice(0, 1));
}

/** Returns the colors behind text, named for messages. Of those that do not follow from the paper, the accent can be wrong. */
function surfacesOf(palette: Palette) {
  return [
    { name: 'the paper', isPaper: true, ...palette.paper },
    { name: 'cards', isPaper: true, ...cardOf(palette) },
    { name: 'the mats of images', isPaper: true, ...matOf(palette) },
    { name: 'marked text', isPaper: false, ...MARK },
  ];
}

/** Returns the least legible text on a surface as a mistake, or undefined. If a design cannot change it, the accent is wrong. */
function problemOn(
  { name, isPaper, ...surface }: ReturnType<typeof surfacesOf>[number],
  mode: Mode,
  { accent }: Palette,
): SettingProblem | undefined {
  const ground = surface[mode];
  const hardest = (colors: readonly string[]) =>
    colors
      .map((color) => ({ color, ratio: contrastRatio(color, ground) }))
      .filter(({ ratio }) => ratio < MIN_CONTRAST)
      .sort((a, b) => a.ratio - b.ratio)[0];
  const needed = `and at least ${MIN_CONTRAST}:1 is needed`;
  const text = isPaper ? hardest(Object.values(TEXT).map((color) => color[mode])) : undefined;
  if (text) {
    const where = name === 'the paper' ? ground : `${name}, whose color ${ground} follows from it`;
    return {
      path: ['design', 'colors', 'paper'],
      problem: `"design.colors.paper": on ${where} (${mode}), text in ${text.color} has a contrast of ${formatRatio(text.ratio)}, ${needed}. Choose a ${mode === 'light' ? 'lighter' : 'darker'} paper.`,
    };
  }
  const link = hardest([accent[mode]]);
  return (
    link && {
      path: ['design', 'colors', 'accent'],
      problem: `"design.colors.accent": ${link.color} on ${name} ${ground} (${mode}) has a contrast of ${formatRatio(link.ratio)}, ${needed}. Choose a ${mode === 'light' ? 'darker' : 'lighter'} accent.`,
    }
  );
}

/** Returns the declarations of the palette's custom properties. */
export function paletteCss({ accent, paper }: Palette): string {
  return [
    `--accent: ${lightDark(accent)};`,
    `--paper: ${lightDark(paper)};`,
    `--card: ${lightDark(cardOf({ paper }))};`,
    `--line: ${lightDark(mixPair(paper, TEXT.soft, { light: 0.2, dark: 0.25 }))};`,
    `--mat: ${lightDark(matOf({ paper }))};`,
  ].join(' ');
}

const cardOf = ({ paper }: Pick<Palette, 'paper'>) => mixPair(paper, WHITE, { light: 0.9, dark: 0.05 });
const matOf = ({ paper }: Pick<Palette, 'paper'>) => mixPair(paper, BLACK, { light: 0.06, dark: 0.35 });

/** Returns the colors between those of two pairs: `share` of the second one. */
function mixPair(one: ColorPair, other: ColorPair, share: Record<Mode, number>): ColorPair {
  return { light: mix(one.light, other.light, share.light), dark: mix(one.dark, other.dark, share.dark) };
}

/** Returns a color between two: `share` of the second one. */
function mix(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  const mixed = a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const lightDark = ({ light, dark }: ColorPair): string => `light-dark(${light}, ${dark})`;

/** Rounded down, so that a ratio that is too small never reads as enough. */
const formatRatio = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns red, green and blue, from 0 to 255. */
const channels = (color: string): number[] => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
