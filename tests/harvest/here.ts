/** Harvests within the test's own process: fast, and with access to every option. */
import { join } from 'node:path';
import { harvestDefaults } from '../../scripts/harvest.ts';
import { type HarvestLimits, type HarvestOptions, harvest } from '../../src/harvest/harvest.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { bodyOf } from '../../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../../src/snapshot/store.ts';
import { temporary } from '../support.ts';
import type { Upstream } from '../upstream.ts';

type Changes = Partial<Omit<HarvestOptions, 'limits'>> & { limits?: Partial<HarvestLimits> };

/** Harvests a test upstream, by default from its one collection, with short timeouts. */
export function harvestHere(up: Pick<Upstream, 'url'>, snapshot: string, changes: Changes = {}): Promise<HarvestReport> {
  const defaults = harvestDefaults({ authorsUrl: up.url, catalogUrl: up.url, snapshot });
  const limits = { ...defaults.limits, timeout: 2, bodyTimeout: 2, patience: 2, attempts: 3, ...changes.limits };
  return harvest({ ...defaults, roots: ['demo-org-1'], ...changes, limits });
}

/** Returns the path of a snapshot directory that is deleted after the test. */
export function aSnapshot(): string {
  return join(temporary(), 'snapshot');
}

/** Opens a snapshot, and returns what `at` reads from it. */
export function look<T>(snapshot: string, at: (store: Store) => T): T {
  const store = openSnapshot(snapshot);
  try {
    return at(store);
  } finally {
    store.close();
  }
}

/** Returns the stored body of a record as text; undefined if none is stored. */
export function bodyIn(snapshot: string, id: string): string | undefined {
  return look(snapshot, (store) => {
    const stored = bodyOf(store, 'object', id);
    return stored && Buffer.from(stored.body).toString();
  });
}

/** Returns the failures of a report as short tuples. */
export function failuresOf({
  failures,
}: HarvestReport): Array<[key: string, status: number | null, cause: string, attempts: number]> {
  return failures.map(({ key, status, cause, attempts }) => [key, status, cause, attempts]);
}
