/** The progress of long tasks. */
import { expect, it } from 'vitest';
import { createEstimate } from '../../scripts/progress.ts';

it('says how long the rest takes, once the pace is known', () => {
  let now = 0;
  const left = createEstimate(() => now);
  const at = (seconds: number, done: number, total: number) => {
    now = seconds * 1000;
    return left(done, total);
  };
  expect(at(0, 500, 1100)).toBe(''); // 500 were done by an earlier run
  expect(at(5, 550, 1100)).toBe('');
  expect(at(60, 600, 1100)).toBe('about 5 min left');
  expect(at(60, 600, 100_600)).toBe('about 17 h left');
  expect(at(60, 1099, 1100)).toBe('less than a minute left');
  expect(at(61, 1100, 1100)).toBe('');
});

it('says nothing of a task that stands still', () => {
  let now = 0;
  const left = createEstimate(() => now);
  left(0, 10);
  now = 60_000;
  expect(left(0, 10)).toBe('');
});
