import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRetryBudget, type RetryKind } from './retry-budget.ts';

const LIMITS = { error: 4, unusable: 2, 'retry-after': 10 };
const KINDS = Object.keys(LIMITS) as RetryKind[];

/** Failures in any order, with up to the limit of each kind. */
const failures = fc.shuffledSubarray(KINDS.flatMap((kind) => Array<RetryKind>(LIMITS[kind]).fill(kind)));

it('allows a retry after any mix of failures within the limit of each kind, and no more of any kind', () => {
  fc.assert(
    fc.property(failures, fc.constantFrom(...KINDS), (mixed, further) => {
      const budget = createRetryBudget(LIMITS);
      expect(mixed.filter((kind) => !budget.allows(kind))).toEqual([]);
      const left = LIMITS[further] - mixed.filter((kind) => kind === further).length;
      const allowed = Array.from({ length: left + 2 }, () => budget.allows(further));
      expect(allowed).toEqual([...Array<boolean>(left).fill(true), false, false]);
    }),
  );
});
