/** The letter under which a sort key stands in an A–Z list. */

export const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0–9', 'Other'] as const;
/** `A`…`Z` for Latin letters with or without marks, `0–9` for digits, `Other` for other scripts and signs. */
export type Letter = (typeof LETTERS)[number];

export function letterOf(sortKey: string): Letter {
  const first = sortKey
    .normalize('NFKD')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .charAt(0)
    .toUpperCase();
  if (/[A-Z]/.test(first)) return first;
  return /\d/.test(first) ? '0–9' : 'Other';
}
