/**
 * Decides on the parts of the search index. A clean build divides all documents evenly. Later builds keep these base parts, from
 * which they erase the documents that are not current any more, and have what changed since in a further small part, the delta.
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
  /** Of a base part that stays: the pages whose documents are erased from it. */
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

/**
 * Returns the parts as they have to be. No part has a document that is not current, so that nothing of it can be read. `known` are
 * the parts that exist, by name; `hashOf` returns the hash of a document as it is now, undefined if it is new.
 */
export function planParts(
  pages: readonly SearchedPage[],
  { parts: known, hashOf }: { parts: ReadonlyMap<string, KnownPart>; hashOf: (page: SearchedPage) => string | undefined },
  limits: PartLimits,
): PlannedPart[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const current = new Set<string>();
  const base = [...known]
    .filter(([name]) => name !== DELTA)
    .map(([name, documents]) => {
      const [kept, erased]: [SearchedPage[], string[]] = [[], []];
      for (const [path, hash] of documents) {
        const page = byPath.get(path);
        if (page && hash === hashOf(page)) kept.push(page);
        else erased.push(path);
      }
      for (const { path } of kept) current.add(path);
      return { name, pages: kept, erased };
    });
  const delta = pages.filter(({ path }) => !current.has(path));
  const isChanged = base.some(({ erased }) => erased.length > 0) || delta.length > 0 || known.has(DELTA);
  const isSmall = isChanged && pages.length < limits.documentsForDelta;
  const maxDelta = Math.min(limits.documentsInPart, pages.length * MAX_DELTA_SHARE);
  if (base.length === 0 || isSmall || delta.length > maxDelta) return divideEvenly(pages, limits);
  return delta.length > 0 ? [...base, { name: DELTA, pages: delta }] : base;
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
