import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainSite } from '../../scripts/bench/plain-site.ts';
import { openArchive } from '../sample/archive.ts';
import type { Store } from '../snapshot/store.ts';
import { planPages, ROUTES } from './plan.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');
const PAGES = join(import.meta.dirname, '../pages/[...lang]');

/** Plans the pages of the sample archive, after a change of its bodies, with each page's key. */
function planOf(change: (store: Store) => void = () => undefined) {
  const store = openArchive(SAMPLE);
  try {
    change(store);
    const plan = [...planPages(plainSite(store, ['en', 'es']))];
    return new Map(plan.map(({ path, route, params, key }) => [path, { route, params, key: key?.() }]));
  } finally {
    store.close();
  }
}

/** Replaces words in the stored body of a record. */
function rewrite(store: Store, key: string, from: string, to: string): void {
  const row = store.db.prepare('SELECT body FROM response WHERE key = ?').get(key);
  const body = Buffer.from(row?.['body'] as Uint8Array).toString();
  expect(body).toContain(from);
  const changed = Buffer.from(body.replaceAll(from, to));
  store.db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE key = ?').run(changed, `changed ${to}`, key);
}

describe('page plan', () => {
  it('lists every route, and no other', () => {
    const files = globSync('**/*.astro', { cwd: PAGES }).map((file) => file.replace(/\.astro$/, ''));
    expect(files.sort()).toEqual([...ROUTES].sort());
  });

  it('gives each page its path, route and parameters, once', () => {
    const store = openArchive(SAMPLE);
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

  it('gives the same keys for the same snapshot', () => {
    expect([...planOf()]).toEqual([...planOf()]);
  });

  it('changes the keys of the pages that show a changed record, and of few others', () => {
    const before = planOf();
    const after = planOf((store) => rewrite(store, 'object:lica-quay-1-1', 'Nets drying on the quay', 'Nets on the wall'));
    expect([...after.keys()]).toEqual([...before.keys()]);
    const changed = [...after].filter(([path, { key }]) => key !== before.get(path)?.key).map(([path]) => path);
    expect(changed).toEqual(expect.arrayContaining(['objects/lica-quay-1-1.html', 'es/objects/lica-quay-1-1.html']));
    expect(changed).toContain('objects/lica-quay-1.html'); // lists it
    expect(changed.length).toBeLessThan(before.size / 4);
  });
});
