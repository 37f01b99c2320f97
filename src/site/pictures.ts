/** The pictures that the build has made, and which of them stands for a record. */

/** One derivative in dist: its address and its size in pixels. */
export interface Picture {
  path: string;
  width: number;
  height: number;
}

/** By the address upstream: the thumbnail for lists, and the larger picture for the record's own page. */
export type Pictures = Readonly<Record<string, { thumb: Picture; page: Picture }>>;

export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** The first picture of a record that could be made. */
export function pictureOf(images: string[], pictures: Pictures): Pictures[string] | undefined {
  for (const url of images) if (Object.hasOwn(pictures, url)) return pictures[url];
  return undefined;
}

/** The drawn placeholder for a record without a picture: by its format, else by its model. */
export function placeholderFor(entry: { format: string | undefined; model: string }): Picture {
  const kind =
    { img: 'image', doc: 'document', vh: 'interview', av: 'interview' }[entry.format ?? ''] ??
    { segment: 'interview', file: 'document', entity: 'document' }[entry.model] ??
    'collection';
  return { path: `assets/no-picture-${kind}.svg`, ...PLACEHOLDER_SIZE };
}
