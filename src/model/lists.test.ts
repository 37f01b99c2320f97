import { expect, it } from 'vitest';
import { parseListPage } from './lists.ts';

it('parses the specified envelope', () => {
  const page = {
    total: 30,
    limit: 25,
    offset: 0,
    prev_offset: null,
    next_offset: 25,
    page_size: 25,
    this_page: 1,
    num_this_page: 1,
    prev_api: '',
    next_api: 'http://x/?limit=25&offset=25',
    objects: [{ id: 'a' }],
    query: {},
  };
  expect(parseListPage(page)).toEqual({
    items: [{ id: 'a' }],
    entryCount: 1,
    total: 30,
    offset: 0,
    nextOffset: 25,
    isLast: false,
  });
});

it('recognizes the last page by next_offset null', () => {
  expect(parseListPage({ objects: [], next_offset: null, next_api: '' })).toMatchObject({ nextOffset: undefined, isLast: true });
  expect(parseListPage({ results: [], next: null })?.isLast).toBe(true);
  expect(parseListPage({ objects: [] })?.isLast).toBe(false);
  expect(parseListPage({ results: [], next: 'http://x/?page=2' })).toMatchObject({ nextOffset: undefined, isLast: false });
});

it('finds the next page in next_api, even after an empty first parameter', () => {
  expect(parseListPage({ objects: [], next_api: 'http://x/children/?&limit=25&offset=50' })?.nextOffset).toBe(50);
});

it('parses older forms and bare arrays', () => {
  expect(parseListPage({ count: 2, next: 'http://x/?offset=1', results: [{ id: 'a' }, 7] })).toEqual({
    items: [{ id: 'a' }],
    entryCount: 2,
    total: 2,
    offset: undefined,
    nextOffset: 1,
    isLast: false,
  });
  expect(parseListPage([{ id: 'a' }, 'b'])).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], entryCount: 2, total: undefined });
});

it.each([-5, 2.5, 1e300, 'many', null])('ignores %j as an offset or count', (odd) => {
  expect(parseListPage({ objects: [{ id: 'a' }], next_offset: odd, num_this_page: odd, total: odd })).toMatchObject({
    entryCount: 1,
    total: undefined,
    nextOffset: undefined,
  });
});

it.each([null, 'text', 3, {}, { objects: 'no' }])('returns undefined for %j', (raw) =>
  expect(parseListPage(raw)).toBeUndefined(),
);

it('ignores a total that the page exceeds, and does not take it for the last page', () => {
  const objects = [{ id: 'a' }, { id: 'b' }];
  expect(parseListPage({ total: 1, next_offset: null, objects })).toMatchObject({ total: undefined, isLast: false });
  expect(parseListPage({ total: 26, offset: 25, next_offset: null, objects })).toMatchObject({ total: undefined, isLast: false });
  expect(parseListPage({ total: 27, offset: 25, next_offset: null, objects })).toMatchObject({ total: 27, isLast: true });
});
