import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastProblems, contrastRatio, DEFAULT_PALETTE, paletteCss } from './colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it('computes the contrast ratio of WCAG', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastRatio('#ffffff', '#ffffff')).toBe(1);
});

it('accepts the usual colors', () => {
  expect(contrastProblems(DEFAULT_PALETTE)).toEqual([]);
});

it('names the ratio, and never accepts links or text that have too little contrast with the paper', () => {
  fc.assert(
    fc.property(color, color, (accent, paper) => {
      const palette = { accent: { ...DEFAULT_PALETTE.accent, light: accent }, paper: { ...DEFAULT_PALETTE.paper, light: paper } };
      const problems = contrastProblems(palette);
      const isLegible = [accent, '#22201a', '#5d584b', '#2c5e2e'].every((text) => contrastRatio(text, paper) >= 4.5);
      expect(problems.length === 0).toBe(isLegible);
      for (const { problem } of problems)
        expect(problem).toMatch(/has a contrast of (?:[1-3]\.\d|4\.[0-4]):1, and at least 4\.5:1 is needed/);
    }),
  );
});

it('derives the other surfaces from the paper', () => {
  expect(paletteCss(DEFAULT_PALETTE)).toMatch(
    /^--accent: light-dark\(#7a3b1d, #eca877\); --paper: .*--mat: light-dark\(#[\da-f]{6}, #[\da-f]{6}\);$/,
  );
});
