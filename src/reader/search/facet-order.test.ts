import { expect, it } from 'vitest';
import { allValues, type FacetValue, firstValues, MAX_VALUES } from './facet-order.ts';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const value = (label: string, count: number, isChosen = false): FacetValue => {
  return { value: label, label, sort: label.toLowerCase(), count, isChosen };
};
const many = Array.from({ length: 2000 }, (_, n) => value(`n${String(n).padStart(4, '0')}`, n % 7));
const labels = (values: FacetValue[]) => values.map(({ label }) => label);

it.each([
  ['תל אביב', 'תל-אביב', 'תל־אביב'],
  ['Île d’Orléans', "ile d'orleans", 'orléans île'],
  ['Kaʻū', 'kau', "ka'u"],
  ['박정호'.normalize('NFD'), '박정호', '정호'],
  ['القاهرة', 'قاهره', 'القاهره'],
])('finds %s by other spellings', (label, ...typed) => {
  for (const each of typed) expect(allValues([value(label, 1), value('Other', 1)], each, compare).matching).toBe(1);
});

it('shows the chosen values, then the most frequent ones, ten in all', () => {
  const shown = firstValues([value('b', 1, true), value('a', 0, true), ...many], compare);
  expect(labels(shown)).toEqual(['b', 'a', ...[6, 13, 20, 27, 34, 41, 48, 55].map((n) => `n00${String(n).padStart(2, '0')}`)]);
  const chosen = many.slice(0, 12).map((each) => ({ ...each, isChosen: true }));
  expect(firstValues(chosen, compare).length).toBe(12);
});

it('shows all values by name, the chosen ones first, and no more elements than a page can have', () => {
  const few = [value('The b', 1), { ...value('A, The', 2), sort: 'a' }, value('z', 0, true), value('Ā', 5)];
  expect(labels(allValues(few, '', compare).shown)).toEqual(['z', 'A, The', 'The b', 'Ā']);
  expect(allValues(few, 'the a', compare)).toMatchObject({ shown: [{ label: 'z' }, { label: 'A, The' }], matching: 1 });
  const { shown, matching } = allValues(many, '', compare);
  expect([shown.length, matching]).toEqual([MAX_VALUES, 2000]);
  expect(labels(allValues(many, 'N1999', compare).shown)).toEqual(['n1999']);
});
