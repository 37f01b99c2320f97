import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainSite } from '../../scripts/bench/plain-site.ts';
import { loadSample } from '../../scripts/sample/load-sample.ts';
import { type BuildContext, handOver, staticPaths } from './hand-over.ts';
import { planPages } from './plan.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');

/** The kinds of pages: directories with a `page.astro`. */
const KINDS = globSync('*/page.astro', { cwd: join(import.meta.dirname, 'pages') }).map((file) => dirname(file));

describe('page plan', () => {
  it('gives each page its path, kind and properties, once', () => {
    const store = loadSample(SAMPLE);
    const pages = [...planPages(plainSite(store, ['en', 'es']))];
    store.close();
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(pages.find(({ path }) => path === 'es/objects/lica-quay-1-1.html')).toMatchObject({
      pathPrefix: 'es/',
      kind: 'object',
      props: { id: 'lica-quay-1-1', page: 1 },
    });
    // Astro finds a page by the parameter of the route, which stands for one path.
    const release = handOver({ pages } as unknown as BuildContext);
    const routed = staticPaths();
    release();
    expect(new Set(routed.map(({ params }) => params.page)).size).toBe(pages.length);
    for (const { params, props } of routed)
      expect([`${params.page}.html`, `${params.page}/index.html`, 'index.html']).toContain(props.path);
  });

  it('has pages of every kind that has a component, and of no other', () => {
    const store = loadSample(SAMPLE);
    const { sites, entries } = plainSite(store, ['en']);
    const kiosk = sites.map((site) => ({ ...site, kiosk: { idleMinutes: 1 } }));
    const withExhibit = sites.map((site) => ({
      ...site,
      own: { ...site.own, content: { ...site.own.content, pages: [{ kind: 'exhibits', slug: 'a', isWhole: true }] } },
    }));
    const plans = [sites, kiosk, withExhibit].flatMap((each) => [...planPages({ sites: each as typeof sites, entries })]);
    store.close();
    const planned = [...plans.map(({ kind }) => kind), 'transcript', 'fiche']; // this site has no media files
    expect([...new Set(planned)].sort()).toEqual(KINDS.sort());
  });
});
