import { expect, it } from 'vitest';
import { withoutArticle } from '../../../model/text/sort-key.ts';
import { createTree } from './tree.ts';

const line = (label: string, count = 1, sort = label) => ({ label, path: `p/${label}`, sort, count });
const sorting = { compare: (a: string, b: string) => (a < b ? -1 : 1), withoutArticle };
const outline = (branches: ReturnType<typeof createTree>): unknown =>
  branches.map(({ label, path, branches: below }) => [label, path !== undefined, ...(below.length > 0 ? [outline(below)] : [])]);

it('builds a tree of terms, with levels that are not terms themselves', () => {
  expect(
    outline(createTree([line('Work -- Fishing'), line('Work'), line('Arts -- Music -- Choirs'), line('Zoo')], sorting)),
  ).toEqual([
    ['Arts', false, [['Music', false, [['Choirs', true]]]]],
    ['Work', true, [['Fishing', true]]],
    ['Zoo', true],
  ]);
});

it('sorts terms by the first word after an article', () => {
  expect(outline(createTree([line('The Sound'), line('Tides'), line('Sheds')], sorting))).toEqual([
    ['Sheds', true],
    ['The Sound', true],
    ['Tides', true],
  ]);
});

it('keeps two terms with the same label', () => {
  expect(
    createTree([line('Quay', 2), line('Quay', 5)], sorting)
      .map(({ count }) => count)
      .sort(),
  ).toEqual([2, 5]);
});

it('limits a term of 3,000 levels to twelve', () => {
  const label = Array.from({ length: 3000 }, (_, i) => `level ${i}`).join(' -- ');
  let branches = createTree([line(label)], sorting);
  const labels: string[] = [];
  for (; branches[0]; branches = branches[0].branches) labels.push(branches[0].label);
  expect(labels).toHaveLength(12);
  expect(labels.join(' › ')).toBe(label.replaceAll(' -- ', ' › '));
});
