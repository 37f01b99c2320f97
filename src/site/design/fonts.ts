/** Fonts of a design, as rules of the style sheet. */

/** What a font is for: running text, headings, or buttons and lists. */
export type FontRole = 'text' | 'headings' | 'interface';

/** A font file of a design. */
export interface FontFace {
  role: FontRole;
  /** Path relative to the style sheet. */
  name: string;
  /** Such as 700, or `100 900` for a variable font. */
  weight: number | string | undefined;
  style: 'normal' | 'italic' | undefined;
}

/** The names of the fonts in the style sheet. */
const FAMILIES = {
  text: 'Design Text',
  headings: 'Design Headings',
  interface: 'Design Interface',
} satisfies Record<FontRole, string>;
/** What applies each font. Characters that it lacks come from the reader's fonts. */
const RULES = {
  text: `:root { --serif: "${FAMILIES.text}", Georgia, "Noto Serif CJK JP", serif; }`,
  headings: `h1, h2, h3 { font-family: "${FAMILIES.headings}", Georgia, "Noto Serif CJK JP", serif; }`,
  interface: `:root { --sans: "${FAMILIES.interface}", system-ui, "Noto Sans CJK JP", sans-serif; }`,
} satisfies Record<FontRole, string>;

/** Returns the rules of fonts. */
export function fontCss(faces: readonly FontFace[]): string {
  const roles = new Set(faces.map(({ role }) => role));
  return [
    ...faces.map(
      ({ role, name, weight = 'normal', style = 'normal' }) =>
        `@font-face { font-family: "${FAMILIES[role]}"; src: url("${name}"); font-weight: ${weight}; font-style: ${style}; font-display: swap; }`,
    ),
    ...[...roles].map((role) => RULES[role]),
  ].join('\n');
}
