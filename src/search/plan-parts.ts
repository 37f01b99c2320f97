/**
 * Decides on the parts of the search index. A clean build divides all documents evenly. Later builds keep these base parts, and
 * add what changed since as a further small part, the delta; documents in base parts that are not current any more are outdated:
 * search leaves them out.
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
  pages: readonly SearchedPage[];
  /** Whether documents in it may be outdated. */
  mayBeOutdated: boolean;
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
    mayBeOutdated: false,
  }));
}

/** The parts that exist, and what became of their documents. */
export interface KnownParts {
  /** By name. */
  parts: ReadonlyMap<string, KnownPart>;
  /** Returns the hash of a document as it is now; undefined if it is new. */
  hashOf: (page: SearchedPage) => string | undefined;
  /** The names of the parts that have something of what the site does not show any more. */
  revealing: ReadonlySet<string>;
}

/** Returns the parts as they have to be. None has a document that the site has dropped, so that nothing of it can be read. */
export function planParts(
  pages: readonly SearchedPage[],
  { parts: known, hashOf, revealing }: KnownParts,
  limits: PartLimits,
): PlannedPart[] {
  const base = [...known].filter(([name]) => name !== DELTA);
  const partOf = new Map(base.flatMap(([name, documents]) => Array.from(documents.keys(), (page) => [page, name] as const)));
  const isCurrent = (page: SearchedPage) => {
    const part = partOf.get(page.path);
    return part !== undefined && known.get(part)?.get(page.path) === hashOf(page);
  };
  const shown = new Set(pages.map(({ path }) => path));
  const isLacking = (documents: KnownPart) => documents.keys().some((page) => !shown.has(page));
  const lacking = base.filter(([name, documents]) => revealing.has(name) || isLacking(documents)).map(([name]) => name);
  const isChanged = lacking.length > 0 || pages.some((page) => !isCurrent(page)) || known.has(DELTA);
  const delta = pages.filter((page) => !isCurrent(page) && !lacking.includes(partOf.get(page.path) ?? ''));
  const isSmall = isChanged && pages.length < limits.documentsForDelta;
  const maxDelta = Math.min(limits.documentsInPart, pages.length * MAX_DELTA_SHARE);
  if (base.length === lacking.length || isSmall || delta.length > maxDelta) return divideEvenly(pages, limits);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const parts = base.map(([name, documents]): PlannedPart => {
    const own = Array.from(documents.keys(), (page) => byPath.get(page)).filter((page) => page !== undefined);
    return { name, pages: own, mayBeOutdated: !lacking.includes(name) };
  });
  return delta.length > 0 ? [...parts, { name: DELTA, pages: delta, mayBeOutdated: false }] : parts;
}

/** Whether a part exists as it has to be. `hashOf` is as for `planParts`. */
export function isKept(
  { pages, mayBeOutdated }: PlannedPart,
  known: KnownPart | undefined,
  hashOf: (page: SearchedPage) => string | undefined,
): boolean {
  if (known?.size !== pages.length) return false;
  const documents = known.entries();
  return pages.every((page) => {
    const [path, hash] = documents.next().value as [string, string];
    return path === page.path && (mayBeOutdated || hash === hashOf(page));
  });
}
