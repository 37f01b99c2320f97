/** The pictures that the build has made, and which of them stands for a record. */

/** One derivative in dist: its address and its size in pixels. */
export interface Picture {
  path: string;
  width: number;
  height: number;
}

/** By the address upstream: the thumbnail for lists, and the larger picture for the record's own page. */
export type Pictures = Readonly<Record<string, { thumb: Picture; page: Picture }>>;

/** The same pictures with paths from a place that is `root` away. */
export function below(root: string, pictures: Pictures): Pictures {
  if (root === '') return pictures;
  const moved = (picture: Picture): Picture => ({ ...picture, path: `${root}${picture.path}` });
  return Object.fromEntries(
    Object.entries(pictures).map(([url, { thumb, page }]) => [url, { thumb: moved(thumb), page: moved(page) }]),
  );
}

export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** The first picture of a record that could be made. */
export function pictureOf(images: string[], pictures: Pictures): Pictures[string] | undefined {
  for (const url of images) if (Object.hasOwn(pictures, url)) return pictures[url];
  return undefined;
}

const KIND_OF_FORMAT: ReadonlyMap<string, string> = new Map([
  ['img', 'image'],
  ['doc', 'document'],
  ['vh', 'interview'],
  ['av', 'interview'],
]);
const KIND_OF_MODEL: ReadonlyMap<string, string> = new Map([
  ['segment', 'interview'],
  ['file', 'document'],
  ['entity', 'document'],
]);

/** The drawn placeholder for a record without a picture: by its format, else by its model. */
export function placeholderFor(entry: { format: string | undefined; model: string }, root = ''): Picture {
  const kind = KIND_OF_FORMAT.get(entry.format ?? '') ?? KIND_OF_MODEL.get(entry.model) ?? 'collection';
  return { path: `${root}assets/no-picture-${kind}.svg`, ...PLACEHOLDER_SIZE };
}
