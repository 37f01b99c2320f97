/** Reads what a snapshot says about earlier harvests, and checks whether a new one fits it. Runs before the first request. */
import { UserError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import { type BaseUrls, RECORD_KINDS } from '../model/resources.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { hasStored, readBaseUrls, readLastRun, readMeta, UNKNOWN_BASE_URL } from '../snapshot/read.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { createScope, includesScope, type Scope } from './scope.ts';

/** What a snapshot says about the last harvest. */
export type PreviousHarvest = ReturnType<typeof readPreviousHarvest>;

/** The key in `meta` of the collections that limited the last harvest: a JSON array of IDs, empty for the entire archive. */
export const COLLECTIONS_META_KEY = 'collections';

/** Reads what the snapshot in a directory says about the last harvest. */
export function readPreviousHarvest(dir: string) {
  using store = openSnapshot(dir);
  const collections = parseJson(readMeta(store, COLLECTIONS_META_KEY) ?? '[]'); // malformed JSON sets no limit
  return {
    run: readLastRun(store),
    /** The base URLs that the snapshot was harvested from; empty strings if none are stored yet. */
    bases: readBaseUrls(store),
    /** Whether anything was found there. If not, the URL may have been wrong, and another one may follow. */
    hasFound: { authors: hasStored(store, RECORD_KINDS), catalog: hasStored(store, ['object']) },
    /** The name of the sample archive, if the snapshot contains that. */
    sample: readMeta(store, 'sample'),
    /** What the last harvest was limited to. */
    scope: createScope(Array.isArray(collections) ? collections.filter((id) => typeof id === 'string') : []),
  };
}

/**
 * Checks that a snapshot contains the archive that is to be harvested. With `newUpstream`, the operator has confirmed that the
 * archive moved to other URLs. `sample` is the name of the sample archive, if that is harvested.
 * @throws {UserError} if it contains another one
 */
export function assertSameUpstream(
  before: PreviousHarvest,
  options: { snapshot: string; baseUrls: BaseUrls; newUpstream: boolean; sample: string | undefined },
): void {
  const { snapshot, baseUrls, newUpstream, sample } = options;
  if (before.sample !== undefined) {
    if (sample !== undefined) return; // its port may differ from run to run
    throw new UserError(
      `${snapshot} contains the sample archive, not ${baseUrls.catalog}. Choose another directory with --snapshot.`,
    );
  }
  if (
    newUpstream ||
    (['authors', 'catalog'] as const).every((base) => !before.hasFound[base] || isSameBaseUrl(before.bases[base], baseUrls[base]))
  )
    return;
  throw new UserError(
    `${snapshot} contains the archive at ${formatBases(before.bases)}, not ${formatBases(baseUrls)}. If the archive has moved, first run "microfiche move". Otherwise, choose another directory with --snapshot, or add --new-upstream.`,
  );
}

/** Whether two base URLs are the same, regardless of scheme and trailing slash. */
function isSameBaseUrl(previous: string, current: string): boolean {
  return previous === UNKNOWN_BASE_URL || withoutScheme(previous) === withoutScheme(current);
}

function withoutScheme(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

function formatBases({ authors, catalog }: BaseUrls): string {
  return toPrintable(authors === catalog ? catalog : `${catalog} and ${authors}`);
}

/**
 * Returns what a harvest covers, and whether it resumes the last run (`resume`) or starts a new one (`restart`).
 * @throws {UserError} if the last harvest was interrupted and covers more than this one
 */
export function planStart(
  before: PreviousHarvest | undefined,
  collections: readonly string[],
  retryFailed: boolean,
): { scope: Scope; mode: 'resume' | 'restart' } {
  const scope = createScope(collections);
  if (!before?.run) return { scope, mode: 'restart' };
  if (retryFailed) return { scope: scope.includes ? scope : before.scope, mode: 'resume' };
  if (before.run.finished_at !== null) return { scope, mode: 'restart' };
  if (!includesScope(scope, before.scope)) {
    const { collections: ids } = before.scope;
    const options = ids.length === 0 ? 'without --collection' : `with --collection ${ids.join(' ')}`;
    throw new UserError(
      `The last harvest was interrupted and covers more than these collections. To resume it, first run the same command ${options}.`,
    );
  }
  return { scope, mode: includesScope(before.scope, scope) ? 'resume' : 'restart' };
}
