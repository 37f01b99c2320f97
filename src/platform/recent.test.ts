import { expect, it } from 'vitest';
import { createRecent } from './recent.ts';

it('keeps the values that were used last, as far as their sizes fit', () => {
  const made: string[] = [];
  const recent = createRecent<string, string>(5, (value) => value.length);
  const use = (key: string) =>
    recent.get(key, () => {
      made.push(key);
      return key;
    });
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb', 'long value', 'aa']) expect(use(key)).toBe(key);
  // `bb` was forgotten for `cc`, and all others for the long value.
  expect(made).toEqual(['aa', 'bb', 'cc', 'bb', 'long value', 'aa']);
});
