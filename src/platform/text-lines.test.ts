import { expect, it } from 'vitest';
import { formatCount, groupLines, toPrintable } from './text-lines.ts';

it('uses the singular or the plural of a noun', () => {
  expect([
    formatCount(1, 'file'),
    formatCount(2, 'file'),
    formatCount(0, 'body', 'bodies'),
    formatCount(1, 'body', 'bodies'),
  ]).toEqual(['1 file', '2 files', '0 bodies', '1 body']);
});

it('removes escape sequences, line breaks and direction marks from names', () => {
  expect(toPrintable('a\u001b[2Jb\nHarvested: 9\u202egpj.\u2028x\u0085y')).toBe('a [2Jb Harvested: 9 gpj. x y');
  expect(toPrintable('x'.repeat(600))).toHaveLength(501);
  expect(toPrintable('\ud800').isWellFormed()).toBe(true);
});

it('groups by cause, shows the first of each group, and says where to find the rest', () => {
  const items = [...Array.from({ length: 12 }, (_, n) => ({ id: `a-${n}`, cause: 'HTTP 404' })), { id: 'b', cause: 'HTTP 500' }];
  const lines = groupLines(items, { group: ({ cause }) => cause, line: ({ id }) => id, fullListFile: 'report.txt', maxLines: 3 });
  expect(lines).toEqual([
    '  12 × HTTP 404',
    '    a-0',
    '    a-1',
    '    a-2',
    '    … and 9 more, in report.txt',
    '  1 × HTTP 500',
    '    b',
  ]);
});
