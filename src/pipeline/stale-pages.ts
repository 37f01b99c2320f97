/** Finds the pages that a build has to render. */
import { hash } from 'node:crypto';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { isOwnKey } from '../site/own/own-content.ts';
import type { PlannedPage } from '../site/plan.ts';
import { hashOfFacts } from './build-key.ts';
import type { KeyedPage, PageStore } from './page-store.ts';

/** The key of pages that do not show data of the entire archive: what they have read is compared apart. */
const READS_KEY = 'reads';

/** Adds their keys to planned pages. A page that shows data of the entire archive depends on facts about it too, and on the featured records. */
export function withKeys(
  plan: Iterable<PlannedPage>,
  catalogue: Pick<Catalogue, 'facts' | 'withdrawn'>,
  featured: readonly string[],
): KeyedPage[] {
  const factsKey = hash('sha256', JSON.stringify([hashOfFacts(catalogue), featured]));
  return Array.from(plan, (page) => ({ ...page, key: page.isWhole ? factsKey : READS_KEY }));
}

/**
 * Returns the pages of which something changed that they have read, or may have, and those that are not as the last build left them. All, if
 * `changedKeys` are not known.
 */
export function findStale(
  planned: readonly KeyedPage[],
  pages: PageStore,
  changedKeys: ReadonlySet<string> | undefined,
): KeyedPage[] {
  if (changedKeys === undefined) return [...planned];
  const concerned = pages.findConcerned(changedKeys);
  const isArchiveChanged = changedKeys.values().some((key) => !isOwnKey(key));
  const isConcerned = ({ path, isWhole }: KeyedPage) => (isWhole && isArchiveChanged) || concerned.has(path);
  return planned.filter((page) => isConcerned(page) || pages.isStale(page));
}
