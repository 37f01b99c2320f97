/** Names that are suggested while a reader types, and their kinds. */

const TITLE_KINDS = ['exhibit', 'page', 'article', 'interview', 'item'] as const;
/** The kinds of names, in the order in which they are suggested. */
export const NAME_KINDS = ['person', 'place', 'topic', 'facility', 'collection', ...TITLE_KINDS] as const;
/** One of `NAME_KINDS`. */
export type NameKind = (typeof NAME_KINDS)[number];

/** Whether names of a kind are titles, of which there are many. */
export function isTitleKind(kind: NameKind): boolean {
  return TITLE_KINDS.some((title) => title === kind);
}

/** A name with a page. */
export interface Name {
  kind: NameKind;
  label: string;
  /** Path of the page, below the top of a language. */
  path: string;
  /** The number of records; 0 for a title. */
  count: number;
}
