/** Where pages and other files made of the catalogue are between two builds: in the site itself, or in the cache. */
import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { findCurrent, type KnownFile, openSiteState, type SiteState, stampOf } from '../../publish/files/site-state.ts';
import { isOwnKey } from '../../site/own/own-content.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import type { WrittenPage } from '../pages/render-page.ts';
import { hashOfFacts } from './build-key.ts';

/** A planned page, or another file that is made of the catalogue, with its key. */
export interface KeyedPage {
  path: string;
  /** Whether it depends on data of the entire archive. */
  isWhole?: boolean | undefined;
  key: string;
}

/** A rendered page. */
export interface RenderedPage extends WrittenPage {
  /** On the disk. */
  file: string;
}

/** The pages of a site. */
export type PageStore = ReturnType<typeof pagesInSite>;

/** Returns the pages that are in the site in the directory `out`, as `state` knows them. */
export function pagesInSite(out: string, state: SiteState) {
  const safeDir = toSafeDirectory(out);
  const current = new Map<string, KnownFile>();
  const keys = new Map<string, string>();
  return {
    /** As in `SiteState`. */
    lastBuild: state.lastBuild,
    /** Returns the paths of the pages with a dependency that changed. */
    findConcerned: state.findConcerned,
    /** Whether a page has another key than in the last build, or is not as that build left it. */
    isStale(page: KeyedPage) {
      const known = findCurrent(state, safeDir, page);
      if (known) current.set(page.path, known);
      return known === undefined;
    },
    /** Returns all planned pages as files of the site. A page in `failed` is rendered again by the next build. */
    keep: (plan: readonly KeyedPage[], rendered: ReadonlyMap<string, RenderedPage>, failed: (path: string) => boolean) =>
      plan.map(({ path, key }): SiteFile => {
        const page = rendered.get(path);
        if (!page) return { path, file: undefined, known: current.get(path) };
        if (!failed(path)) keys.set(path, key);
        return { path, ...page, isMoved: true };
      }),
    /**
     * Notes that the build is complete. If it does not get there, the next one renders the same pages again: what changed is only
     * known since the last complete build.
     */
    confirm: () => state.setPageKeys(keys),
    close: () => {},
  };
}

/** Returns the pages that are in a cache, in the directory `directory`. */
export function pagesInCache(directory: string, buildKey: string): PageStore {
  mkdirSync(directory, { recursive: true });
  const safeDir = toSafeDirectory(directory);
  const state = openSiteState(`${directory}.sqlite`, buildKey);
  const keys = new Map<string, string>();
  return {
    lastBuild: state.lastBuild,
    findConcerned: state.findConcerned,
    isStale: (page) => findCurrent(state, safeDir, page) === undefined,
    keep(plan, rendered, failed) {
      const planned = new Set(plan.map(({ path }) => path));
      const obsolete = listFiles(directory).filter(([path]) => !planned.has(path));
      for (const [, file] of obsolete) rmSync(file);
      const known = plan.flatMap(({ path, key }) => {
        const page = rendered.get(path);
        if (!page) return [];
        const file = join(directory, path);
        mkdirSync(dirname(file), { recursive: true });
        renameSync(page.file, file);
        const stats = statSync(file);
        if (!failed(path)) keys.set(path, key);
        const { sha256, reads } = page;
        return [{ path, sha256, size: stats.size, stamp: stampOf(stats), sourceStamp: undefined, pageKey: undefined, reads }];
      });
      state.update({ known, forgotten: obsolete.map(([path]) => path) });
      return plan.map(({ path }) => ({ path, file: join(directory, path), sha256: state.get(path)?.sha256 as string }));
    },
    confirm: () => state.setPageKeys(keys),
    close: () => state[Symbol.dispose](),
  };
}

/** The key of pages that do not show data of the entire archive: their dependencies are compared apart. */
const READS_KEY = 'reads';

/** Adds keys to planned pages. Pages about the entire archive also depend on facts about it and on the featured records. */
export function withKeys<Page extends Omit<KeyedPage, 'key'>>(
  plan: Iterable<Page>,
  catalogue: Pick<Catalogue, 'facts' | 'withdrawn'>,
  featured: readonly string[],
): Array<Page & KeyedPage> {
  const factsKey = hash('sha256', JSON.stringify([hashOfFacts(catalogue), featured]));
  return Array.from(plan, (page) => ({ ...page, key: page.isWhole ? factsKey : READS_KEY }));
}

/**
 * Returns the pages with a dependency that changed or may have, and those that are not as the last build left
 * them. All, if `changedKeys` are not known.
 */
export function findStale<Page extends KeyedPage>(
  planned: readonly Page[],
  pages: PageStore,
  changedKeys: ReadonlySet<string> | undefined,
): Page[] {
  if (changedKeys === undefined) return [...planned];
  const concerned = pages.findConcerned(changedKeys);
  const isArchiveChanged = changedKeys.values().some((key) => !isOwnKey(key));
  const isConcerned = ({ path, isWhole }: KeyedPage) => (isWhole && isArchiveChanged) || concerned.has(path);
  return planned.filter((page) => isConcerned(page) || pages.isStale(page));
}
