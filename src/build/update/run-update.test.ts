import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NOTHING_WITHHELD } from '../../catalogue/read/withholding.ts';
import type { HarvestReport } from '../../harvest/report.ts';
import { createSnapshot, lend, type SnapshotLock } from '../../snapshot/store.ts';
import { type LastUpdate, readLastUpdate, writeLastUpdate } from '../../snapshot/update-file.ts';
import { runUpdate } from './run-update.ts';
import type { UpdateSteps, UpdateTarget } from './update-steps.ts';

function createTarget(): UpdateTarget {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-update-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const base = 'https://archive.invalid';
  return {
    snapshot: join(directory, 'snapshot'),
    out: join(directory, 'dist'),
    baseUrls: { authors: base, catalog: base },
    maxMissingShare: 0.1,
    withholding: NOTHING_WITHHELD,
  };
}

const HARVESTED: HarvestReport = {
  complete: true,
  fetched: 3,
  counts: { entity: 3 },
  failed: 0,
  failures: [],
  incompleteLists: [],
  changes: { new: 3, changed: 0, restored: 0 },
  removed: [],
  duration: 1,
};

/** Returns steps that harvest an empty snapshot and then fail. */
function createSteps({ snapshot }: UpdateTarget, fail: () => void): UpdateSteps {
  const never = () => Promise.reject(new Error('This step must not run.'));
  return {
    async harvest(lock: SnapshotLock) {
      createSnapshot(snapshot, lend(lock)).close();
      return HARVESTED;
    },
    async media() {
      fail();
      throw new Error('the step failed');
    },
    build: never,
    verify: never,
  };
}

const start = (target: UpdateTarget, steps: UpdateSteps) => runUpdate(target, steps, new AbortController().signal);

it('ends with the first step that fails, returns its error, and releases both locks', async () => {
  const target = createTarget();
  for (const run of [1, 2]) {
    const { report, error } = await start(
      target,
      createSteps(target, () => undefined),
    );
    expect([run, report.outcome, report.exitCode, report.messages, (error as Error).message]).toEqual([
      run,
      'failed',
      1,
      ['the step failed'],
      'the step failed',
    ]);
    expect(report.steps.map(({ step, state, cause }) => [step, state, cause])).toEqual([
      ['harvest', 'done', undefined],
      ['media', 'failed', 'the step failed'],
    ]);
  }
  expect(readdirSync(target.snapshot).sort()).toEqual(['lock.sqlite', 'snapshot.sqlite', 'update.json']);
});

it('reports also if its end cannot be noted in the snapshot', async () => {
  const target = createTarget();
  const { report } = await start(
    target,
    createSteps(target, () => rmSync(target.snapshot, { recursive: true })),
  );
  expect(report.outcome).toBe('failed');
  expect(report.messages).toEqual([
    'the step failed',
    expect.stringMatching(/^The end of the update could not be noted in the snapshot\. .+ does not exist/),
  ]);
});

it('says which limit stopped the harvest, and has no time of a clock that was in the future', async () => {
  const target = createTarget();
  const steps = createSteps(target, () => undefined);
  await start(target, steps);
  const last = readLastUpdate(target.snapshot) as LastUpdate;
  const future = '2090-01-01T00:00:00.000Z';
  writeLastUpdate(target.snapshot, { ...last, succeededAt: future, changesFrom: future });
  const stopped = { complete: false, stopped: 'it reached the limit of 3 records', limit: '--max-records' };
  const limited: UpdateSteps = { ...steps, harvest: async () => ({ ...HARVESTED, ...stopped }) };
  const { report } = await start(target, limited);
  expect(report.messages).toEqual([
    'The harvest stopped: it reached the limit of 3 records. No harvest of this snapshot was completed before, so no site is built. Run the same command with a higher --max-records to resume.',
  ]);
  expect([report.succeededAt, report.changes?.since]).toEqual([null, report.startedAt]);
});

it('keeps the locks from its first step to its last', async () => {
  const target = createTarget();
  const during = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<never>();
  const steps: UpdateSteps = {
    ...createSteps(target, () => undefined),
    media() {
      during.resolve();
      return ending.promise;
    },
  };
  const running = start(target, steps);
  await during.promise;
  const other = await start(target, steps);
  expect([other.report.outcome, other.report.exitCode, other.report.steps]).toEqual(['locked', 5, []]);
  ending.reject(new Error('the step failed'));
  expect((await running).report.outcome).toBe('failed');
});
