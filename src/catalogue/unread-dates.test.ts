import { expect, it } from 'vitest';
import { listUnreadDates } from './unread-dates.ts';

it('lists the texts that cannot be read, with their records, the most frequent first', () => {
  const dates = ['turn of the century', '1942', 'n.d.', 'the forties', undefined, 'the forties'];
  const entries = dates.map((date, i) => ({ id: `demo-org-1-${i}`, date }));
  expect(listUnreadDates(entries)).toEqual([
    { text: 'the forties', records: ['demo-org-1-3', 'demo-org-1-5'] },
    { text: 'turn of the century', records: ['demo-org-1-0'] },
  ]);
});
