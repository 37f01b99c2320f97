/** The letter under which a sort key stands in an A–Z list. */

/** `A`…`Z` for Latin letters with or without marks, `0–9` for digits, `Other` for other scripts and signs. */
export function letterOf(sortKey: string): string {
  const first = sortKey
    .normalize('NFKD')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .charAt(0)
    .toUpperCase();
  if (/[A-Z]/.test(first)) return first;
  return /\d/.test(first) ? '0–9' : 'Other';
}
