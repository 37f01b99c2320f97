import { expect, it } from 'vitest';
import { findGaps } from './refill-frontier.ts';

it('finds the numbering gaps in a list of 200,000 entries', () => {
  const known = Array.from({ length: 200_000 }, (_, n) => `demo-org-1-${n + 1}`).filter((id) => id !== 'demo-org-1-77');
  const incompleteList = { kind: 'children', name: 'demo-org-1', total: 5, seen: 0, passes: 1 } as const;
  expect(findGaps(incompleteList, known).map(({ name }) => name)).toEqual(['demo-org-1-77']);
});
