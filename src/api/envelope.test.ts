import { describe, expect, it } from 'vitest';
import { createEnvelope, parsePageRequest } from './envelope.ts';

const request = (query: string) => parsePageRequest(new URLSearchParams(query));

describe('parsePageRequest', () => {
  it('returns the specified defaults', () => {
    expect(request('')).toEqual({ limit: 25, offset: 0, format: false });
    expect(request('limit=10&offset=20&format=api')).toEqual({ limit: 10, offset: 20, format: true });
  });

  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x'])('rejects %s', (query) => {
    expect(request(query)).toHaveProperty('detail');
  });
});

describe('envelope', () => {
  const page = { limit: 25, offset: 25, format: false };

  it('returns the specified fields', () => {
    const objects = Array.from({ length: 25 }, (_, n) => n);
    expect(createEnvelope({ objects, total: 60 }, page, 'http://x/api/3.0/authors/?', { sort: ['title_sort'] })).toEqual({
      total: 60,
      limit: 25,
      offset: 25,
      prev_offset: 0,
      next_offset: 50,
      page_size: 25,
      this_page: 2,
      num_this_page: 25,
      prev_api: 'http://x/api/3.0/authors/?limit=25&offset=0',
      next_api: 'http://x/api/3.0/authors/?limit=25&offset=50',
      objects,
      query: { sort: ['title_sort'] },
    });
  });

  it('has null and an empty link before the first page and after the last', () => {
    expect(createEnvelope({ objects: [], total: 50 }, page, 'http://x/?', { sort: [] })).toMatchObject({
      next_offset: null,
      next_api: '',
    });
    expect(createEnvelope({ objects: [], total: 50 }, { ...page, offset: 0 }, 'http://x/?', { sort: [] })).toMatchObject({
      prev_offset: null,
      prev_api: '',
    });
  });

  it('repeats the format, or else the empty first parameter', () => {
    expect(createEnvelope({ objects: [], total: 90 }, page, 'http://x/?&', { sort: [] })['next_api']).toBe(
      'http://x/?&limit=25&offset=50',
    );
    expect(createEnvelope({ objects: [], total: 90 }, { ...page, format: true }, 'http://x/?&', { sort: [] })['next_api']).toBe(
      'http://x/?format=api&limit=25&offset=50',
    );
  });
});
