/** Formats what commands print: counts with their nouns, long lists in groups, and untrusted text without control characters. */

/** Formats a count and its noun: `1 file`, `2 files`. `plural` is for nouns that need more than an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * Returns untrusted text as one safe line for a terminal, report or log. Control characters and direction marks become spaces.
 * Text longer than `maxLength` characters is cut and ends in an ellipsis.
 */
export function printable(text: string, maxLength = 500): string {
  const safe = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
}

/** Maximum lines of a group; the others are only counted. */
export const MOST_LINES = 10;

/** How to group a list for printing. */
export interface Grouping<T> {
  /** Returns the heading that items of one group share, such as the cause of a failure. */
  group: (item: T) => string;
  /** Returns the line of one item, without its group. */
  line: (item: T) => string;
  /** Where to find the complete list, such as `report.txt`: the last line is then “… and 290 more, in report.txt”. */
  rest?: string;
  /** Maximum groups, and maximum lines of each group. Default: `MOST_LINES`. */
  most?: number;
}

/** Formats items in groups, the largest group first: a heading with the count, then the first lines, indented by two and four spaces. */
export function grouped<T>(items: readonly T[], { group, line, rest, most = MOST_LINES }: Grouping<T>): string[] {
  const groups = [...Map.groupBy(items, group)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const shown = groups.slice(0, most);
  const hidden = groups.slice(most).reduce((count, [, members]) => count + members.length, 0);
  return [
    ...shown.flatMap(([name, members]) => [
      `  ${members.length} × ${printable(name)}`,
      ...members.slice(0, most).map((member) => `    ${printable(line(member))}`),
      ...(members.length > most ? [`    … and ${members.length - most} more${rest ? `, in ${rest}` : ''}`] : []),
    ]),
    ...(hidden > 0
      ? [`  … and ${hidden} more with ${counted(groups.length - most, 'other cause')}${rest ? `, in ${rest}` : ''}`]
      : []),
  ];
}
