import { expect, it } from 'vitest';
import type { HarvestReport } from './report.ts';
import { explainTooFewRecords } from './too-few-records.ts';

function createReport(changes: Partial<HarvestReport> = {}): HarvestReport {
  return {
    complete: true,
    fetched: 90,
    counts: { entity: 90 },
    failed: 0,
    failures: [],
    incompleteLists: [],
    changes: { new: 90, changed: 0, restored: 0 },
    removed: [],
    duration: 1,
    ...changes,
  };
}

const incompleteList = (seen: number, total: number) => [
  { kind: 'children' as const, name: 'demo-org-1', seen, total, passes: 3 },
];
const failures = (count: number, hasEarlierVersion: boolean) =>
  Array.from({ length: count }, (_, n) => ({
    key: `object:demo-org-1-${n}`,
    kind: 'object' as const,
    name: `demo-org-1-${n}`,
    url: 'http://x.invalid/',
    status: 500,
    cause: 'HTTP 500',
    transient: true,
    attempts: 5,
    referrer: null,
    hasEarlierVersion,
    since: null,
    missing: false,
  }));

const explain = (report: HarvestReport, isFirst: boolean, maxMissingShare = 0.1) =>
  explainTooFewRecords(report, { maxMissingShare, isFirst });

it('accepts a harvest without failures', () => {
  expect([explain(createReport(), true), explain(createReport(), false)]).toEqual([undefined, undefined]);
});

it('rejects a harvest in which more of the known records failed than the limit allows', () => {
  const report = createReport({ removalSkipped: { unseen: 30, known: 40 } });
  const reason = '30 of 40 stored records could not be fetched again (75%), more than --gone-limit allows (10%).';
  expect([explain(report, true), explain(report, false)]).toEqual([reason, reason]);
});

it('compares only the first harvests with what the lists of upstream announce', () => {
  const incomplete = createReport({ incompleteLists: incompleteList(89, 100) });
  expect(explain(incomplete, true)).toBe(
    '11 of the 101 records that upstream announces are missing (11%), more than --gone-limit allows (10%). To find records that the guide does not name, add --discover.',
  );
  expect(explain(incomplete, false)).toBeUndefined();
  expect(explain(incomplete, true, 0.5)).toBeUndefined();
  expect(explain(createReport({ incompleteLists: incompleteList(90, 100) }), true)).toBeUndefined(); // exactly the limit
  expect(explain(createReport({ failures: failures(20, false) }), true)).toMatch(/^20 of the 110 records/);
  expect(explain(createReport({ failures: failures(20, true) }), true)).toBeUndefined(); // earlier versions are stored
});

it('does not count what upstream does not have itself', () => {
  const missing = failures(200, false).map((failure) => ({ ...failure, missing: true }));
  expect(explain(createReport({ failures: missing }), true)).toBeUndefined();
});

it('rejects a first harvest that found authors, and none of the records that they name', () => {
  const report = createReport({ counts: { author: 3 }, failures: failures(2, false) });
  expect(explain(report, true)).toMatch(/^None of the records that the guide names is there\. Check --catalog-url/);
});

it('rejects a harvest that left the snapshot empty', () => {
  expect(explain(createReport({ counts: {} }), false)).toBe(
    'Nothing was harvested: all lists are empty. Check --authors-url and --catalog-url.',
  );
  expect(explain(createReport({ counts: {}, collections: ['demo-org-1'] }), false)).toBe(
    'Nothing was harvested: upstream has no collection demo-org-1. Check --collection.',
  );
  expect(explain(createReport({ counts: {}, failures: failures(3, false) }), false)).toBe(
    'Nothing was harvested: every request failed (3).',
  );
});
