import { expect, it } from 'vitest';
import { createRecent } from './recent.ts';

it('keeps the values that were used last, as far as their sizes fit', () => {
  const made: string[] = [];
  const recent = createRecent<string, string>(8, (value) => value.length);
  const use = (key: string) =>
    recent.get(key, () => {
      made.push(key);
      return key;
    });
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'dd', 'bb', 'aa', 'long value', 'aa']) expect(use(key)).toBe(key);
  // `bb` was forgotten for `cc` and `dd`; `aa` was used in each generation.
  expect(made).toEqual(['aa', 'bb', 'cc', 'dd', 'bb', 'long value']);
});
