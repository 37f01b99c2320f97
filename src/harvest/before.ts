/** What a snapshot says about earlier harvests, and whether a new one fits it. Read before the first request. */
import { UserError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import type { Bases } from '../model/resources.ts';
import { printable } from '../platform/lines.ts';
import { basesOf, lastRun, meta, type RunRow, UNKNOWN_BASE } from '../snapshot/read.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { covers, type Scope, scopeOf } from './scope.ts';

/** What a snapshot says about the last harvest. */
export interface Before {
  run: RunRow | undefined;
  /** The base URLs that the snapshot was harvested from; empty strings if none are stored yet. */
  bases: Bases;
  /** The name of the sample archive, if the snapshot contains that. */
  sample: string | undefined;
  /** What the last harvest was limited to. */
  scope: Scope;
}

/** The key in `meta` of the collections that the last harvest was limited to: a JSON array of IDs, empty for the entire archive. */
export const LIMITED_TO = 'collections';

/** Reads what the snapshot in a directory says about the last harvest. */
export function readBefore(dir: string): Before {
  const store = openSnapshot(dir);
  try {
    return {
      run: lastRun(store),
      bases: basesOf(store),
      sample: meta(store, 'sample'),
      scope: scopeOf(idsIn(meta(store, LIMITED_TO))),
    };
  } finally {
    store.close();
  }
}

function idsIn(json: string | undefined): string[] {
  const parsed = parseJson(json ?? '[]'); // malformed JSON limits nothing
  return Array.isArray(parsed) ? parsed.filter((id) => typeof id === 'string') : [];
}

/** The archive that a harvest is to fetch, and the snapshot for it. */
export interface Wanted {
  /** Snapshot directory. */
  snapshot: string;
  bases: Bases;
  /** Whether the operator has confirmed that the archive moved to other URLs. */
  newUpstream: boolean;
  /** The name of the sample archive, if that is harvested. */
  sample: string | undefined;
}

/**
 * Checks that a snapshot contains the archive that is to be harvested.
 *
 * @throws {UserError} if it contains another one
 */
export function assertSameUpstream(before: Before, { snapshot, bases, newUpstream, sample }: Wanted): void {
  if (before.sample !== undefined) {
    if (sample !== undefined) return; // its port may differ from run to run
    throw new UserError(
      `${snapshot} contains the sample archive, not ${bases.catalog}. Choose another directory with --snapshot.`,
    );
  }
  if (newUpstream || (isSame(before.bases.authors, bases.authors) && isSame(before.bases.catalog, bases.catalog))) return;
  throw new UserError(
    `${snapshot} contains the archive at ${formatBases(before.bases)}, not ${formatBases(bases)}. Choose another directory with --snapshot, or add --new-upstream if the archive has moved.`,
  );
}

/** Whether two base URLs are the same, regardless of scheme and trailing slash. */
function isSame(before: string, now: string): boolean {
  return before === UNKNOWN_BASE || withoutScheme(before) === withoutScheme(now);
}

function withoutScheme(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

function formatBases({ authors, catalog }: Bases): string {
  return printable(authors === catalog ? catalog : `${catalog} and ${authors}`);
}

/** What a harvest covers, and whether it resumes the last one (`resume`) or is a new run (`anew`). */
export interface Start {
  scope: Scope;
  how: 'resume' | 'anew';
}

/**
 * Returns what a harvest covers and whether it resumes the last one.
 *
 * @throws {UserError} if the last harvest was interrupted and covers more than this one
 */
export function startOf(before: Before | undefined, collections: readonly string[], retryFailed: boolean): Start {
  const scope = scopeOf(collections);
  if (!before?.run) return { scope, how: 'anew' };
  if (retryFailed) return { scope: scope.includes ? scope : before.scope, how: 'resume' };
  if (before.run.finished_at !== null) return { scope, how: 'anew' };
  if (!covers(scope, before.scope)) {
    const { collections: ids } = before.scope;
    const options = ids.length === 0 ? 'without --collection' : `with --collection ${ids.join(' ')}`;
    throw new UserError(
      `The last harvest was interrupted and covers more than these collections. To resume it, first run the same command ${options}.`,
    );
  }
  return { scope, how: covers(before.scope, scope) ? 'resume' : 'anew' };
}
