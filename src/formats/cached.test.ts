import { expect, it } from 'vitest';
import { cached } from './cached.ts';

/** Returns a cache whose values are the lengths of their keys, and the keys that were loaded. */
function createCache(count: number, total?: number) {
  const loaded: string[] = [];
  const load = async (key: string) => {
    loaded.push(key);
    if (key === 'missing') throw new Error('missing');
    return key.length;
  };
  return { loaded, get: cached(count, load, total === undefined ? undefined : { total, sizeOf: (length) => length }) };
}

it('keeps the values that were used last', async () => {
  const { loaded, get } = createCache(2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await get(key)).toBe(1);
  expect(loaded).toEqual(['a', 'b', 'c', 'b']);
});

it('keeps no values that are larger together than its limit', async () => {
  const { loaded, get } = createCache(10, 5);
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb', 'too long', 'too long', 'd', 'd'])
    expect(await get(key)).toBe(key.length);
  expect(loaded).toEqual(['aa', 'bb', 'cc', 'bb', 'too long', 'too long', 'd']);
});

it('loads again what failed, and what is requested at the same time once', async () => {
  const { loaded, get } = createCache(2);
  await expect(get('missing')).rejects.toThrow('missing');
  await expect(get('missing')).rejects.toThrow('missing');
  await Promise.all([get('a'), get('a')]);
  expect(loaded).toEqual(['missing', 'missing', 'a']);
});
