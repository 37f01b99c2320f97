/** Harvests within the test's own process: fast, and with access to every option. */
import { join } from 'node:path';
import { defaultHarvestOptions } from '../../scripts/commands/harvest.ts';
import { type HarvestLimits, type HarvestOptions, harvest } from '../../src/harvest/harvest.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { readBody } from '../../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../../src/snapshot/store.ts';
import { createTestDirectory } from './commands.ts';
import type { TestUpstream } from './test-upstream.ts';

type Changes = Partial<Omit<HarvestOptions, 'limits'>> & { limits?: Partial<HarvestLimits> };

/** Harvests a test upstream, by default from its one collection. The timeouts are short, but longer than a busy machine stops. */
export function harvestInProcess(
  upstream: Pick<TestUpstream, 'url'>,
  snapshot: string,
  changes: Changes = {},
): Promise<HarvestReport> {
  const defaults = defaultHarvestOptions({ authorsUrl: upstream.url, catalogUrl: upstream.url, snapshot });
  const limits: HarvestLimits = {
    ...defaults.limits,
    timeoutSeconds: 5,
    bodyTimeoutSeconds: 5,
    unreachableTimeoutSeconds: 2,
    maxAttempts: 3,
    ...changes.limits,
  };
  return harvest({ ...defaults, seeds: ['demo-org-1'], ...changes, limits });
}

/** Returns the path of a snapshot directory that is deleted after the test. */
export function createSnapshotPath(): string {
  return join(createTestDirectory(), 'snapshot');
}

/** Opens a snapshot, and returns what `at` reads from it. */
export function readSnapshot<T>(snapshot: string, at: (store: Store) => T): T {
  const store = openSnapshot(snapshot);
  try {
    return at(store);
  } finally {
    store.close();
  }
}

/** Returns the stored body of a record as text; undefined if none is stored. */
export function readStoredBody(snapshot: string, id: string): string | undefined {
  return readSnapshot(snapshot, (store) => {
    const stored = readBody(store, 'object', id);
    return stored && Buffer.from(stored.body).toString();
  });
}

/** Returns the failures of a report as short tuples. */
export function summarizeFailures({
  failures,
}: HarvestReport): Array<[key: string, status: number | null, cause: string, attempts: number]> {
  return failures.map(({ key, status, cause, attempts }) => [key, status, cause, attempts]);
}
