/** Returns the title of a segment without the name of its interview, if it begins with that. */
export function withoutName(title: string, name: string | undefined): string {
  return name !== undefined && title.startsWith(`${name} `) ? title.slice(name.length + 1) : title;
}
