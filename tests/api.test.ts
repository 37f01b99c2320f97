/** Both APIs over HTTP, as docs/upstream-api.md specifies them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE, serve } from './support.ts';

let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  server = await serve(['--snapshot', SAMPLE]);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: payloads are looked into freely here
type Json = any;
const get = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);
const json = async (path: string): Promise<Json> => (await get(path)).json();

describe('the authors list', () => {
  it('is an envelope of 25, ordered by title_sort', async () => {
    const page = await json('/api/3.0/authors/');
    expect(page).toMatchObject({
      total: 60,
      limit: 25,
      offset: 0,
      prev_offset: null,
      next_offset: 25,
      page_size: 25,
      this_page: 1,
      num_this_page: 25,
      prev_api: '',
      query: { sort: ['title_sort'] },
    });
    expect(page.next_api).toBe(`${server.url}/api/3.0/authors/?limit=25&offset=25`);
    const keys = page.objects.map((entry: Json) => entry.title_sort);
    expect(keys).toEqual([...keys].sort());
  });

  it('has the specified entries', async () => {
    const { objects } = await json('/api/3.0/authors/?limit=10&offset=20');
    expect(objects[3].index).toBe("3 23/{'value': 60, 'relation': 'eq'}");
    for (const entry of objects) {
      expect(entry).toMatchObject({ model: 'article', id: entry.title, url_title: entry.title });
      expect(entry.links.json).toBe(`${server.url}/api/3.0/authors/${encodeURIComponent(entry.id)}/`);
      expect(entry.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    }
  });

  it('pages to its end by next_offset, each entry once', async () => {
    const ids: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = await json(`/api/3.0/authors/?limit=7&offset=${offset}`);
      ids.push(...page.objects.map((entry: Json) => entry.id));
      offset = page.next_offset;
    }
    expect(new Set(ids).size).toBe(60);
    expect(ids.length).toBe(60);
  });

  it('echoes format=api into every link', async () => {
    const page = await json('/api/3.0/authors/?format=api&limit=5&offset=5');
    expect(page.next_api).toBe(`${server.url}/api/3.0/authors/?format=api&limit=5&offset=10`);
    expect(page.prev_api).toBe(`${server.url}/api/3.0/authors/?format=api&limit=5&offset=0`);
    for (const entry of page.objects)
      expect([entry.links.html, entry.links.json].every((link: string) => link.endsWith('/?format=api'))).toBe(true);
  });

  it.each(['limit=x', 'limit=0', 'limit=-5', 'offset=-1', 'offset=1.5'])('answers 400 with a message to %s', async (query) => {
    const answer = await get(`/api/3.0/authors/?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toHaveProperty('detail');
  });
});

describe('details', () => {
  it.each([
    'Anon. / Harbour Office',
    '100% Wool Guild',
    'T. R. Quill, Jr.',
    '山田 花子',
    'Máire O’Dálaigh',
    'Jo Marsh',
    'JO MARSH',
  ])('finds the author %s', async (name) => {
    expect((await json(`/api/3.0/authors/${encodeURIComponent(name)}/`)).title).toBe(name);
  });

  it('gives a record with links to itself, and with format=api in those that carry it', async () => {
    const plain = await json('/api/0.2/lica-quay-1-7/');
    expect(plain.links.json).toBe(`${server.url}/api/0.2/lica-quay-1-7/`);
    const { links } = await json('/api/0.2/lica-quay-1-7/?format=api');
    for (const name of ['html', 'json', 'parent', 'children-objects', 'children-files'])
      expect(links[name]).toMatch(/\?format=api$/);
    expect(links.img).not.toContain('format=api');
  });

  it('has the specified headers', async () => {
    for (const path of ['/api/3.0/authors/', '/api/0.2/lica-quay-1-7/', '/api/0.2/lica-quay-1/children/']) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('vary')).toBe('Accept');
      expect(answer.headers.get('allow')).toMatch(/GET.*OPTIONS/);
    }
  });

  it('answers OPTIONS, and refuses to be written to', async () => {
    const options = await get('/api/0.2/lica-quay-1-7/', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await get('/api/0.2/lica-quay-1-7/', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/api/0.2/lica-quay-3/',
    '/api/0.2/no-such-1/',
    '/api/3.0/authors/Nobody/',
    '/api/0.2/lica-quay-99/children/',
    '/api/0.2/../../etc/passwd',
    '/api/0.2/%2e%2e%2f%2e%2e%2fpackage.json/',
  ])('answers 404 to %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('answers 400 to a version that it does not have', async () => {
    expect((await get('/api/9.9/authors/')).status).toBe(400);
  });
});

describe('children and files', () => {
  it('page by 25 whatever limit is asked for', async () => {
    const page = await json('/api/0.2/lica-quay-1/children/?limit=3');
    expect(page).toMatchObject({ total: 40, limit: 25, num_this_page: 25, next_offset: 25 });
    expect(page.next_api).toBe(`${server.url}/api/0.2/lica-quay-1/children/?&limit=25&offset=25`);
    expect((await json('/api/0.2/lica-quay-1/children/?limit=3&offset=25')).num_this_page).toBe(15);
  });

  it('give an image at the address that its record names', async () => {
    const { links } = await json('/api/0.2/lica-quay-1-7/');
    const answer = await fetch(links.img);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')));
  });
});
