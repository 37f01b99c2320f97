/** Returns the title of a segment without the name of its interview, if it begins with that; a number also after a part of it. */
export function withoutName(title: string, name = ''): string {
  if (name !== '' && title.startsWith(`${name} `)) return title.slice(name.length + 1);
  // The last two words: a search for them by a pattern takes minutes in a title of a million letters.
  const words = title.slice(title.lastIndexOf(' ', title.lastIndexOf(' ') - 1) + 1);
  const number = /^\p{L}+ \d+$/u.test(words) ? words : title;
  return name.startsWith(title.slice(0, -number.length)) ? number : title;
}

/** Whether the title of a segment only counts it: “Segment 3” of the interview that `name` is. */
export const isNumberOf = (title: string, name: string | undefined): boolean => /^\p{L}+ \d+$/u.test(withoutName(title, name));
