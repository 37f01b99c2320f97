/** A name that several people have, with an ID, as the filters of search have it: “Hugo Quill (oh:303)”. */

/** What identifies a person: the narrator's number, and the ID of the name record. */
export interface PersonIds {
  oh?: number;
  nr?: string;
}

/** Returns the IDs of a person, as far as they are known. */
export function personIds(oh: number | undefined, nr: string | undefined): PersonIds {
  return { ...(oh === undefined ? {} : { oh }), ...(nr === undefined ? {} : { nr }) };
}

/** Returns a name with the ID of the person. */
export function formatNameWithId(name: string, { oh, nr }: PersonIds): string {
  return `${name} (${oh === undefined ? `nr:${nr}` : `oh:${oh}`})`;
}

/** Returns the name and the ID in a text that `formatNameWithId` made; any other text is a name without an ID. */
export function parseNameWithId(text: string): { name: string; ids?: PersonIds } {
  const { name, oh, nr } = /^(?<name>.*) \((?:oh:(?<oh>\d+)|nr:(?<nr>.+))\)$/s.exec(text)?.groups ?? {};
  if (name === undefined) return { name: text };
  return { name, ids: oh === undefined ? { nr: nr as string } : { oh: Number(oh) } };
}
