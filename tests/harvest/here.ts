/** Harvests within the test's own process: quick, and with every option at hand. */
import { join } from 'node:path';
import { harvestDefaults } from '../../scripts/harvest.ts';
import { type HarvestLimits, type HarvestOptions, harvest } from '../../src/harvest/harvest.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { bodyOf } from '../../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../../src/snapshot/store.ts';
import { temporary } from '../support.ts';
import type { Upstream } from '../upstream.ts';

type Changes = Partial<Omit<HarvestOptions, 'limits'>> & { limits?: Partial<HarvestLimits> };

/** Harvests an upstream, by default from its one collection, with little patience. */
export function harvestHere(up: Pick<Upstream, 'url'>, snapshot: string, changes: Changes = {}): Promise<HarvestReport> {
  const defaults = harvestDefaults({ authorsUrl: up.url, catalogUrl: up.url, snapshot });
  const limits = { ...defaults.limits, timeout: 2, bodyTimeout: 2, patience: 2, attempts: 3, ...changes.limits };
  return harvest({ ...defaults, roots: ['demo-org-1'], ...changes, limits });
}

/** A snapshot's folder that goes with the test. */
export function aSnapshot(): string {
  return join(temporary(), 'snapshot');
}

/** Looks into a snapshot. */
export function look<T>(snapshot: string, at: (store: Store) => T): T {
  const store = openSnapshot(snapshot);
  try {
    return at(store);
  } finally {
    store.close();
  }
}

/** The stored body of a record as text; undefined where there is none. */
export function bodyIn(snapshot: string, id: string): string | undefined {
  return look(snapshot, (store) => {
    const stored = bodyOf(store, 'object', id);
    return stored && Buffer.from(stored.body).toString();
  });
}

/** What failed, briefly. */
export function failuresOf({
  failures,
}: HarvestReport): Array<[key: string, status: number | null, cause: string, attempts: number]> {
  return failures.map(({ key, status, cause, attempts }) => [key, status, cause, attempts]);
}
