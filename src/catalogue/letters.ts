/** Letters of A–Z lists. */

/** The headings of an A–Z list, in order. */
export const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0–9', 'Other'] as const;
/** One of `LETTERS`: Latin letters include those with diacritics; `0–9` is for digits, `Other` for other scripts and signs. */
export type Letter = (typeof LETTERS)[number];

/** Returns the heading that a sort key belongs to. */
export function letterOf(sortKey: string): Letter {
  const first = sortKey
    .normalize('NFKD')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .charAt(0)
    .toUpperCase();
  if (/[A-Z]/.test(first)) return first;
  return /\d/.test(first) ? '0–9' : 'Other';
}
