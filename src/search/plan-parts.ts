/**
 * Decides on the parts of the search index. A clean build divides all documents evenly. Later builds keep these base parts, and
 * add what changed since as a further small part, the delta; documents in base parts that are not current any more are outdated:
 * search leaves them out. Those that the site does not show any more are erased.
 */
import type { SearchedPage } from './create-document.ts';

/** The name of the part with what changed since the base parts were made. */
export const DELTA = 'delta';

/** Sizes of parts. */
export interface PartLimits {
  /** Maximum documents in a base part. Pagefind takes more time and memory for each document of a larger index. */
  documentsInPart: number;
  /** A site with fewer documents never has a delta: all parts are made again, which takes a few seconds. */
  documentsForDelta: number;
}

/** A part as it has to be. */
export interface PlannedPart {
  name: string;
  /** The pages of its documents, in their order. */
  pages: readonly SearchedPage[];
  /** Of a base part that stays as it is, with outdated documents: the pages whose documents are erased from it. */
  erased?: readonly string[];
}

/** The documents of a part that exists: the hash of each by its page, in their order. */
export type KnownPart = ReadonlyMap<string, string>;

/** A larger share of the documents, or more than a part may have, is not in a delta: the base parts are made again. */
const MAX_DELTA_SHARE = 0.1;

/** Divides all documents into base parts of equal size. There is at least one part. */
export function divideEvenly(pages: readonly SearchedPage[], { documentsInPart }: PartLimits): PlannedPart[] {
  const count = Math.max(1, Math.ceil(pages.length / documentsInPart));
  const startOf = (part: number) => Math.round((part * pages.length) / count);
  return Array.from({ length: count }, (_, part) => ({
    name: `p${part}`,
    pages: pages.slice(startOf(part), startOf(part + 1)),
  }));
}

/** The parts that exist, and what became of their documents. */
export interface KnownParts {
  /** By name. */
  parts: ReadonlyMap<string, KnownPart>;
  /** Returns the hash of a document as it is now; undefined if it is new. */
  hashOf: (page: SearchedPage) => string | undefined;
  /** The pages of documents that have something of what the site does not show any more, by part. */
  revealing: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the parts as they have to be. None has a document that the site has dropped, so that nothing of it can be read. */
export function planParts(
  pages: readonly SearchedPage[],
  { parts: known, hashOf, revealing }: KnownParts,
  limits: PartLimits,
): PlannedPart[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const base = [...known]
    .filter(([name]) => name !== DELTA)
    .map(([name, documents]) => {
      const isErased = (page: string) => !byPath.has(page) || (revealing.get(name)?.has(page) ?? false);
      const [erased, kept] = [[...documents.keys()].filter(isErased), [...documents.keys()].filter((page) => !isErased(page))];
      return { name, documents, erased, kept };
    });
  const current = new Set(
    base.flatMap(({ documents, kept }) =>
      kept.filter((page) => documents.get(page) === hashOf(byPath.get(page) as SearchedPage)),
    ),
  );
  const delta = pages.filter(({ path }) => !current.has(path));
  const isChanged = base.some(({ erased }) => erased.length > 0) || delta.length > 0 || known.has(DELTA);
  const isSmall = isChanged && pages.length < limits.documentsForDelta;
  const maxDelta = Math.min(limits.documentsInPart, pages.length * MAX_DELTA_SHARE);
  if (base.length === 0 || isSmall || delta.length > maxDelta) return divideEvenly(pages, limits);
  const parts = base.map(({ name, erased, kept }) => ({
    name,
    pages: kept.map((page) => byPath.get(page) as SearchedPage),
    erased,
  }));
  return delta.length > 0 ? [...parts, { name: DELTA, pages: delta }] : parts;
}

/** Whether a part exists as it has to be. `hashOf` is as for `planParts`. */
export function isKept(
  { pages, erased }: PlannedPart,
  known: KnownPart | undefined,
  hashOf: (page: SearchedPage) => string | undefined,
): boolean {
  if (erased) return true;
  if (known?.size !== pages.length) return false;
  const documents = known.entries();
  return pages.every((page) => {
    const [path, hash] = documents.next().value as [string, string];
    return path === page.path && hash === hashOf(page);
  });
}
