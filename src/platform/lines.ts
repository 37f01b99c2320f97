/** What commands print, kept short and safe: counts that agree with their nouns, long lists grouped and cut, and no control characters of others. */

/** `1 file`, `2 files`; `plural` where an s does not do. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Text from outside on one line of a terminal, report or log: control characters and marks of direction become spaces, and it has at most `most` characters. */
export function printable(text: string, most = 500): string {
  const safe = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return safe.length > most ? `${safe.slice(0, most)}…` : safe;
}

/** Lines under one heading at most, before the rest is only counted. */
export const MOST_LINES = 10;

export interface Grouping<T> {
  /** What the items of one group have in common, such as the cause of a failure. */
  group: (item: T) => string;
  /** One item, without its group. */
  line: (item: T) => string;
  /** Where the whole list can be read, such as `report.txt`; it ends “… and 290 more, in report.txt”. */
  rest?: string;
  /** Lines of each group at most. */
  most?: number;
}

/** Items by what they have in common, the largest group first: a heading with a count, and the first lines of each. Indented by two spaces. */
export function grouped<T>(items: readonly T[], { group, line, rest, most = MOST_LINES }: Grouping<T>): string[] {
  const groups = [...Map.groupBy(items, group)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const shown = groups.slice(0, most);
  const hidden = groups.slice(most).reduce((sum, [, members]) => sum + members.length, 0);
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
