/** An archive with more names than a page can hold: lists are split by letter and page, and none lists hundreds of links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { MAX_LIST_LENGTH } from '../../src/site/parts/names/name-lists.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { addRecords, startTestUpstream } from '../support/test-upstream.ts';

const RECORDS = 700;
/** Links of a page's frame: masthead, letters, breadcrumbs, siblings, pager. */
const FRAME = 60;
const name = (n: number) => `${String.fromCharCode(65 + (n % 23))}${['a', 'e', 'o'][n % 3]}rtide ${n}`;

it('splits long lists by letter and into pages, and links to every page', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, RECORDS, (id) => {
    const n = Number(id.split('-').at(-1));
    return {
      creators: [{ namepart: name(n), role: 'author' }],
      topics: [{ id: String(n), term: `Work -- ${name(n)} -- Nets` }],
      persons: [`Person ${n} 0`, `Person ${n} 1`, ...(n < 4 ? ['Person of several records'] : [])].map((namepart) => ({
        namepart,
      })),
    };
  });
  const authors = Array.from({ length: RECORDS }, (_, n) => ({
    id: name(n),
    title: name(n),
    title_sort: name(n).toLowerCase(),
    published: true,
  }));
  upstream.routes.set('/api/3.0/authors/', { total: authors.length, objects: authors, next_offset: null });
  const articles = [{ title: 'All of them', json: `${upstream.url}/api/3.0/articles/All%20of%20them/` }];
  for (const { id } of authors) {
    const own = id === name(0) ? articles : [];
    upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(id)}/`, { id, title: id, articles: own });
  }
  upstream.routes.set('/api/3.0/articles/All%20of%20them/', {
    title: 'All of them',
    body: 'Every record there is.',
    sources: ids.map((id) => ({ id, json: `${upstream.url}/api/3.0/sources/${id}/` })),
  });
  for (const id of ids)
    upstream.routes.set(`/api/3.0/sources/${id}/`, { id, caption: `Source ${id}`, external_url: `${upstream.url}/${id}/` });
  const snapshot = join(createTestDirectory(), 'snapshot');
  const harvest = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot];
  await runMicroficheJson<HarvestReport>([...harvest, '--root', 'demo-org-1', '--concurrency', '32']);
  const dist = join(createTestDirectory(), 'dist');
  await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  const pages = new Map(
    [...readFiles(dist)].filter(([path]) => path.endsWith('.html')).map(([path, bytes]) => [path, bytes.toString()]),
  );
  const page = (path: string) => pages.get(path) ?? expect.fail(`${path} is missing`);
  const targets = (html: string) => [...html.matchAll(/<a [^>]*?href="([^"#]+)/g)].map(([, href]) => href as string);

  const long = [...pages]
    .map(([path, html]) => [path, targets(html).length] as const)
    .filter(([, count]) => count > MAX_LIST_LENGTH + FRAME);
  expect(long).toEqual([]);
  const compressed = (content: string | Buffer) => gzipSync(content).length;
  const shared = ['site.css', 'object-page.js'].reduce(
    (total, name) => total + compressed(readFileSync(join(dist, 'assets', name))),
    0,
  );
  // The page of a missing address has its style sheet within it, and loads nothing.
  const sizeOf = (html: string) => compressed(html) + (html.includes('assets/site.css') ? shared : 0);
  const heavy = [...pages].filter(([, html]) => sizeOf(html) > 60_000).map(([path, html]) => `${path}: ${html.length}`);
  expect(heavy).toEqual([]);

  // Letters: of authors, of topics as trees, and of persons, of whom one letter has five pages.
  expect(page('authors/index.html')).toContain('href="../authors/a_z/b.html"');
  expect(targets(page('authors/a_z/b.html')).filter((href) => /people\/ba?[eo]?rtide/.test(href)).length).toBeGreaterThan(25);
  expect(page('browse/topic/a_z/w.html')).toContain('<ul class="tree"');
  const frequent = targets(page('browse/person/index.html')).filter((href) => href.includes('person-of'));
  expect(frequent).toHaveLength(1);
  expect(page('browse/person/a_z/p-5.html')).toContain('aria-current="page">5</span>');
  expect(pages.has('browse/person/a_z/p-6.html')).toBe(false);

  // The records of a guide page continue on further pages; those of an author did once.
  const author = [...pages.keys()].filter((path) => path.startsWith('authors/aartide-0'));
  expect(author).toHaveLength(RECORDS / 50);
  expect([...pages.keys()].filter((path) => path.startsWith('guide/all-of-them'))).toHaveLength(RECORDS / 50);

  const seen = new Set(['index.html']);
  for (const path of seen)
    for (const href of targets(page(path))) {
      const { host, pathname } = new URL(href, `http://x/${path}`);
      if (host === 'x' && pathname.endsWith('.html')) seen.add(decodeURIComponent(pathname.slice(1)));
    }
  // Former addresses of pages are only for links from elsewhere.
  const isMoved = (path: string) => page(path).includes('http-equiv="refresh"');
  expect([...pages.keys()].filter((path) => !seen.has(path) && path !== '404.html' && !isMoved(path))).toEqual([]);
  const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 broken links')]);
});
