import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainSite } from '../../scripts/bench/plain-site.ts';
import { loadSample } from '../../scripts/sample/load-sample.ts';
import { planPages, ROUTES } from './plan.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');
const PAGES = join(import.meta.dirname, '../pages/[...lang]');

describe('page plan', () => {
  it('lists every route, and no other', () => {
    const files = globSync('**/*.astro', { cwd: PAGES }).map((file) => file.replace(/\.astro$/, ''));
    expect(files.sort()).toEqual([...ROUTES].sort());
  });

  it('gives each page its path, route and parameters, once', () => {
    const store = loadSample(SAMPLE);
    const pages = [...planPages(plainSite(store, ['en', 'es']))];
    store.close();
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(pages.find(({ path }) => path === 'es/objects/lica-quay-1-1.html')).toMatchObject({
      route: 'objects/[id]',
      params: { id: 'lica-quay-1-1', lang: 'es' },
    });
    // Astro makes the planned path from the route and its parameters.
    for (const { path, route, params } of pages) {
      const named = route.replace(/\[(\w+)\]/g, (_, name: string) => params[name] ?? '');
      expect(`${params['lang'] === undefined ? '' : `${params['lang']}/`}${named}.html`).toBe(path);
    }
  });
});
