/** Both APIs over HTTP, as docs/upstream-api.md specifies them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE, startServe } from '../support/commands.ts';

let server: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  server = await startServe(['--snapshot', SAMPLE]);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: the tests read payloads without a type
type Json = any;
const get = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);
const json = async (path: string): Promise<Json> => (await get(path)).json();

describe('the authors list', () => {
  it('is an envelope of 25 entries, sorted by title_sort', async () => {
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

  it('is read completely by next_offset, each entry once', async () => {
    const ids: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = await json(`/api/3.0/authors/?limit=7&offset=${offset}`);
      ids.push(...page.objects.map((entry: Json) => entry.id));
      offset = page.next_offset;
    }
    expect(new Set(ids).size).toBe(60);
    expect(ids.length).toBe(60);
  });

  it('repeats format=api in every link', async () => {
    const page = await json('/api/3.0/authors/?format=api&limit=5&offset=5');
    expect(page.next_api).toBe(`${server.url}/api/3.0/authors/?format=api&limit=5&offset=10`);
    expect(page.prev_api).toBe(`${server.url}/api/3.0/authors/?format=api&limit=5&offset=0`);
    for (const entry of page.objects)
      expect([entry.links.html, entry.links.json].every((link: string) => link.endsWith('/?format=api'))).toBe(true);
  });

  it.each(['limit=x', 'limit=0', 'limit=-5', 'offset=-1', 'offset=1.5'])(
    'responds with 400 and a message to %s',
    async (query) => {
      const response = await get(`/api/3.0/authors/?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toHaveProperty('detail');
    },
  );
});

describe('single resources', () => {
  it.each([
    'Anon. / Harbour Office',
    '100% Wool Guild',
    'T. R. Quill, Jr.',
    '山田 花子',
    'Máire O’Dálaigh',
    'Jo Marsh',
    'JO MARSH',
  ])('include the author %s', async (name) => {
    expect((await json(`/api/3.0/authors/${encodeURIComponent(name)}/`)).title).toBe(name);
  });

  it('link to this server, and repeat format=api in the specified links', async () => {
    const plain = await json('/api/0.2/lica-quay-1-7/');
    expect(plain.links.json).toBe(`${server.url}/api/0.2/lica-quay-1-7/`);
    const { links } = await json('/api/0.2/lica-quay-1-7/?format=api');
    for (const name of ['html', 'json', 'parent', 'children-objects', 'children-files'])
      expect(links[name]).toMatch(/\?format=api$/);
    expect(links.img).not.toContain('format=api');
  });

  it('have the specified headers', async () => {
    for (const path of ['/api/3.0/authors/', '/api/0.2/lica-quay-1-7/', '/api/0.2/lica-quay-1/children/']) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('vary')).toBe('Accept');
      expect(response.headers.get('allow')).toMatch(/GET.*OPTIONS/);
    }
  });

  it('support OPTIONS, and respond with 405 to POST', async () => {
    const options = await get('/api/0.2/lica-quay-1-7/', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await get('/api/0.2/lica-quay-1-7/', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/api/0.2/lica-quay-3/',
    '/api/0.2/no-such-1/',
    '/api/3.0/authors/Unknown/',
    '/api/0.2/lica-quay-99/children/',
    '/api/0.2/../../etc/passwd',
    '/api/0.2/%2e%2e%2f%2e%2e%2fpackage.json/',
  ])('are not found at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('require a known version of the API, or else the status is 400', async () => {
    expect((await get('/api/9.9/authors/')).status).toBe(400);
  });
});

describe('children and files', () => {
  it('have pages of 25, regardless of the requested limit', async () => {
    const page = await json('/api/0.2/lica-quay-1/children/?limit=3');
    expect(page).toMatchObject({ total: 40, limit: 25, num_this_page: 25, next_offset: 25 });
    expect(page.next_api).toBe(`${server.url}/api/0.2/lica-quay-1/children/?&limit=25&offset=25`);
    expect((await json('/api/0.2/lica-quay-1/children/?limit=3&offset=25')).num_this_page).toBe(15);
  });

  it('name images that are served at their URLs', async () => {
    const { links } = await json('/api/0.2/lica-quay-1-7/');
    const response = await fetch(links.img);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
  });
});
