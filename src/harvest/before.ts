/** What a snapshot says of the harvests before, and whether a new one fits it; read before anything is asked or written. */
import { UserError } from '../model/errors.ts';
import { parseJson } from '../model/json.ts';
import type { Bases } from '../model/resources.ts';
import { printable } from '../platform/lines.ts';
import { basesOf, lastRun, meta, type RunRow, UNKNOWN_BASE } from '../snapshot/read.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { covers, type Scope, scopeOf } from './scope.ts';

export interface Before {
  run: RunRow | undefined;
  /** The addresses that it was harvested from; empty where none were written down yet. */
  bases: Bases;
  /** The name of the sample archive, where it holds that. */
  sample: string | undefined;
  /** What the last harvest was limited to. */
  scope: Scope;
}

/** The key in `meta` of the collections that the last harvest was limited to: a JSON array of ids, empty where it was of everything. */
export const LIMITED_TO = 'collections';

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
  const read = parseJson(json ?? '[]'); // no JSON limits nothing
  return Array.isArray(read) ? read.filter((id) => typeof id === 'string') : [];
}

export interface Wanted {
  /** The snapshot's folder. */
  snapshot: string;
  bases: Bases;
  /** Whether the user has confirmed that the archive moved. */
  newUpstream: boolean;
  /** The name of the sample archive, where that is harvested. */
  sample: string | undefined;
}

/** @throws UserError where the snapshot holds another archive than the one that is to be harvested */
export function assertSameUpstream(before: Before, { snapshot, bases, newUpstream, sample }: Wanted): void {
  if (before.sample !== undefined) {
    if (sample !== undefined) return; // its port may be another one each time
    throw new UserError(
      `${snapshot} holds a copy of the sample archive, not of ${bases.catalog}: name another folder with --snapshot.`,
    );
  }
  if (newUpstream || (isSame(before.bases.authors, bases.authors) && isSame(before.bases.catalog, bases.catalog))) return;
  throw new UserError(
    `${snapshot} holds a copy of ${addressesOf(before.bases)}, not of ${addressesOf(bases)}: name another folder with --snapshot, or add --new-upstream if that archive has moved.`,
  );
}

/** Whether two base addresses are one: scheme and trailing slash make no difference. */
function isSame(before: string, now: string): boolean {
  return before === UNKNOWN_BASE || placeOf(before) === placeOf(now);
}

function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

function addressesOf({ authors, catalog }: Bases): string {
  return printable(authors === catalog ? catalog : `${catalog} and ${authors}`);
}

/** How a harvest goes about the last one: `resume` goes on with it, `anew` begins another one. */
export interface Start {
  scope: Scope;
  how: 'resume' | 'anew';
}

/** What a harvest covers and whether it goes on with the last one. @throws UserError where it would leave an interrupted one unfinished */
export function startOf(before: Before | undefined, collections: readonly string[], retryFailed: boolean): Start {
  const scope = scopeOf(collections);
  if (!before?.run) return { scope, how: 'anew' };
  if (retryFailed) return { scope: scope.includes ? scope : before.scope, how: 'resume' };
  if (before.run.finished_at !== null) return { scope, how: 'anew' };
  if (!covers(scope, before.scope)) {
    const { collections: ids } = before.scope;
    const first = ids.length === 0 ? 'without --collection' : `with --collection ${ids.join(' ')}`;
    throw new UserError(
      `The last harvest was interrupted and covers more than these collections: to go on with it, run the same command ${first} first.`,
    );
  }
  return { scope, how: covers(before.scope, scope) ? 'resume' : 'anew' };
}
