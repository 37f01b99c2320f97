import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastProblems, contrastRatio, DEFAULT_PALETTE, MARK, paletteCss, TEXT } from './colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it('computes the contrast ratio of WCAG', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastRatio('#ffffff', '#ffffff')).toBe(1);
});

it('knows the colors of the style sheet, and text of all of them can be read on marked text', () => {
  const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  for (const [name, { light, dark }] of Object.entries({ ...TEXT, ...DEFAULT_PALETTE, mark: MARK }))
    expect(css, name).toContain(`--${name}: light-dark(${light}, ${dark});`);
  for (const mode of ['light', 'dark'] as const)
    for (const [name, color] of Object.entries(TEXT))
      expect(contrastRatio(color[mode], MARK[mode]), `${name}, ${mode}`).toBeGreaterThanOrEqual(4.5);
});

it('accepts the usual colors', () => {
  expect(contrastProblems(DEFAULT_PALETTE)).toEqual([]);
});

it('names the ratio, and never accepts links or text that have too little contrast with what is behind them', () => {
  fc.assert(
    fc.property(color, color, fc.constantFrom('light' as const, 'dark' as const), (accent, paper, mode) => {
      const palette = {
        accent: { ...DEFAULT_PALETTE.accent, [mode]: accent },
        paper: { ...DEFAULT_PALETTE.paper, [mode]: paper },
      };
      const problems = contrastProblems(palette);
      // What the style sheet gets.
      const surfaces = ['paper', 'card', 'mat'].map((name) => {
        const [, light = '', dark = ''] =
          new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(paletteCss(palette)) ?? [];
        return { light, dark }[mode];
      });
      const texts = Object.values(TEXT).map((text) => text[mode]);
      const isLegible =
        surfaces.every((surface) => [accent, ...texts].every((text) => contrastRatio(text, surface) >= 4.5)) &&
        contrastRatio(accent, MARK[mode]) >= 4.5;
      expect(problems.length === 0).toBe(isLegible);
      for (const { problem } of problems)
        expect(problem).toMatch(/has a contrast of (?:[1-3]\.\d|4\.[0-4]):1, and at least 4\.5:1 is needed/);
    }),
  );
});

it.each([
  // 4.5:1 or more on the paper alone
  [
    { accent: '#7f6a5c', paper: '#ffffff' },
    'light',
    '"design.colors.accent": #7f6a5c on the mats of images #f0f0f0 (light) has a contrast of 4.4:1, and at least 4.5:1 is needed. Choose a darker accent.',
  ],
  [
    { accent: '#8a8678', paper: '#17160f' },
    'dark',
    '"design.colors.accent": #8a8678 on cards #23221b (dark) has a contrast of 4.3:1, and at least 4.5:1 is needed. Choose a lighter accent.',
  ],
  [
    { accent: '#ffffff', paper: '#444444' },
    'dark',
    '"design.colors.paper": on #444444 (dark), text in #b4ad9a has a contrast of 4.3:1, and at least 4.5:1 is needed. Choose a darker paper.',
  ],
  [
    { accent: '#ffffff', paper: '#3f3f3f' },
    'dark',
    '"design.colors.paper": on cards, whose color #494949 follows from it (dark), text in #b4ad9a has a contrast of 4.0:1, and at least 4.5:1 is needed. Choose a darker paper.',
  ],
] as const)('names the surface on which %j cannot be read (%s)', (colors, mode, problem) => {
  const { accent, paper } = DEFAULT_PALETTE;
  expect(
    contrastProblems({ accent: { ...accent, [mode]: colors.accent }, paper: { ...paper, [mode]: colors.paper } }),
  ).toMatchObject([{ problem }]);
});

it('derives the other surfaces from the paper', () => {
  expect(paletteCss(DEFAULT_PALETTE)).toMatch(
    /^--accent: light-dark\(#7a3b1d, #eca877\); --paper: .*--mat: light-dark\(#[\da-f]{6}, #[\da-f]{6}\);$/,
  );
});
