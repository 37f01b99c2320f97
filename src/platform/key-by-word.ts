/** Returns a table of words from what has them: the text of each key is its words, with `separator` between them. */
export function keyByWord<Key extends string>(
  words: Readonly<Record<Key, string>>,
  separator: string | RegExp = ' ',
): ReadonlyMap<string, Key> {
  const entries = Object.entries(words) as Array<[Key, string]>;
  return new Map(entries.flatMap(([key, own]) => own.split(separator).map((word) => [word, key] as const)));
}
