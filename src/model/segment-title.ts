/** Returns the title of a segment without the name of its interview, if it begins with that. */
export function withoutName(title: string, name: string | undefined): string {
  return name !== undefined && title.startsWith(`${name} `) ? title.slice(name.length + 1) : title;
}

/** Returns what lists of an interview call a segment: its title without the interview's, or its subject if that is a number. */
export function segmentLabel(
  { title, subject }: { title: string; subject: string | undefined },
  name: string | undefined,
): string {
  const rest = withoutName(title, name);
  return (/^\p{L}+ \d+$/u.test(rest) && subject) || rest;
}
