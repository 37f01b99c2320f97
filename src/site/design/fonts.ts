/** Fonts of a design, as rules of the style sheet. */
import { capitalize } from '../../model/text/capitalize.ts';

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

/** Returns the name of a font in the style sheet: “Design Text”. */
const familyOf = (role: FontRole) => `Design ${capitalize(role)}`;
/** What applies each font. Characters that it lacks come from the reader's fonts. */
const RULES = {
  text: `:root { --serif: "${familyOf('text')}", Georgia, "Noto Serif CJK JP", serif; }`,
  headings: `h1, h2, h3 { font-family: "${familyOf('headings')}", Georgia, "Noto Serif CJK JP", serif; }`,
  interface: `:root { --sans: "${familyOf('interface')}", system-ui, "Noto Sans CJK JP", sans-serif; }`,
} satisfies Record<FontRole, string>;

/** Returns the rules of fonts. */
export function fontCss(faces: readonly FontFace[]): string {
  return [
    ...faces.map(
      ({ role, name, weight = 'normal', style = 'normal' }) =>
        `@font-face { font-family: "${familyOf(role)}"; src: url("${name}"); font-weight: ${weight}; font-style: ${style}; font-display: swap; }`,
    ),
    ...[...new Set(faces.map(({ role }) => role))].map((role) => RULES[role]),
  ].join('\n');
}
