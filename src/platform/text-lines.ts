/** Formats what commands print: counts with their nouns, long lists in groups, and untrusted text without control characters. */

/** Formats a count and its noun: `1 file`, `2 files`. `plural` is for nouns that need more than an s. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns a line if it counts something. */
export const lineIf = (count: number, line: string): string[] => (count > 0 ? [line] : []);

/**
 * Returns untrusted text as one safe line for a terminal, report or log. Control characters and direction marks become spaces.
 * Text longer than `maxLength` characters is cut and ends in an ellipsis.
 */
export function toPrintable(text: string, maxLength = 500): string {
  const safe = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
}

/** Returns the first of some untrusted names in their order, and how many more there are: “a, b and 3 more”. */
export function listNames(names: readonly string[], max: number): string {
  const shown = names.toSorted().slice(0, max);
  const more = names.length > max ? ` and ${names.length - max} more` : '';
  return `${shown.map((name) => toPrintable(name, 100)).join(', ')}${more}`;
}

/** Maximum lines of a group; the others are only counted. */
export const MAX_LINES = 10;

/** How to group a list for printing. */
export interface Grouping<T> {
  /** A line before all groups, if there are any. */
  heading?: string;
  /** Returns the heading that items of one group share, such as the cause of a failure. */
  group: (item: T) => string;
  /** Returns the line of one item, without its group. */
  line: (item: T) => string;
  /** Where to find the complete list, such as `report.txt`: the last line is then “… and 290 more, in report.txt”. */
  fullListFile?: string;
  /** Maximum groups, and maximum lines of each group. Default: `MAX_LINES`. */
  maxLines?: number;
}

/** Formats items in groups, the largest first: a heading with the count, then the first lines, indented by 2 and 4 spaces. */
export function groupLines<T>(items: readonly T[], grouping: Grouping<T>): string[] {
  const { heading, group, line, fullListFile = 'the output of --json', maxLines = MAX_LINES } = grouping;
  const groups = [...Map.groupBy(items, group)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const hidden = groups.slice(maxLines).reduce((count, [, members]) => count + members.length, 0);
  const lines = groups.slice(0, maxLines).flatMap(([name, members]) => {
    const shown = members.slice(0, maxLines).map((member) => `    ${toPrintable(line(member))}`);
    if (members.length > maxLines) shown.push(`    … and ${members.length - maxLines} more, in ${fullListFile}`);
    return [`  ${members.length} × ${toPrintable(name)}`, ...shown];
  });
  if (heading !== undefined && items.length > 0) lines.unshift(heading);
  if (hidden > 0)
    lines.push(`  … and ${hidden} more with ${formatCount(groups.length - maxLines, 'other cause')}, in ${fullListFile}`);
  return lines;
}
