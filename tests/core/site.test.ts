/** The content of the sample site: every record has a page or is in the report, and nothing withheld is in the site. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { slugOf } from '../../src/model/text/slug.ts';
import { toPlainText } from '../../src/model/text/text.ts';
import { hasValue } from '../../src/model/values.ts';
import { FIELDS, UNLISTED_FIELDS } from '../../src/site/fields/fields.ts';
import { readFiles, runMicrofiche, SAMPLE } from '../support/commands.ts';
import { readResults } from '../support/search-index.ts';
import { sharedSite } from '../support/shared-sites.ts';

const { dist, snapshot, harvest, media, build } = inject('mirror');
const page = (path: string) => readFileSync(join(dist, path), 'utf8');
const ids = readdirSync(join(SAMPLE, 'objects')).map((file) => file.replace(/\.json$/, ''));
const record = (id: string): Record<string, unknown> => JSON.parse(readFileSync(join(SAMPLE, `objects/${id}.json`), 'utf8'));
const authors: Array<{ id: string; published: boolean }> = JSON.parse(readFileSync(join(SAMPLE, 'authors.json'), 'utf8'));

const PRIVATE = ['lica-quay-1-12', 'lica-quay-2-3-administrative-00c0ffee00'];

describe('every record', () => {
  it('has a page, or is in the report, or is withheld', () => {
    const missing = ids.filter((id) => !existsSync(join(dist, `objects/${id}.html`)));
    const below = ids.filter((id) => id.startsWith('lica-quay-1-12-'));
    expect(missing.sort()).toEqual([...PRIVATE, ...below].sort());
    for (const { id, published } of authors) expect(existsSync(join(dist, `authors/${slugOf(id)}.html`))).toBe(published);
    for (const file of readdirSync(join(SAMPLE, 'articles')))
      expect(existsSync(join(dist, `guide/${file.replace(/\.json$/, '.html')}`))).toBe(true);
  });

  it('was harvested, except for one that responds with 404', () => {
    expect(harvest.counts).toEqual({
      article: 20,
      author: 60,
      collection: 5,
      entity: 120,
      file: 48,
      organization: 2,
      repository: 1,
      segment: 60,
      source: 42,
    });
    expect(harvest.failures.map(({ key, status, cause }) => [key, status, cause])).toEqual([
      ['object:lica-quay-3', 404, 'HTTP 404'],
    ]);
    expect(harvest.incompleteLists).toEqual([]);
  });

  it('that responds with 404 has a page based on breadcrumbs, with its children', () => {
    const html = page('objects/lica-quay-3.html');
    expect(html).toContain('This record was unavailable');
    for (const n of [1, 2, 3, 4]) expect(html).toContain(`href="../objects/lica-quay-3-${n}.html"`);
    expect(page('about.html')).toContain('1 other resource that records and pages name is not there.');
  });

  it('that responds with 404 is titled with its ID, and said to be missing where it is named', async () => {
    const html = page('objects/lica-quay-3.html');
    expect(html).toContain('<h1>lica-quay-3</h1>');
    expect(html).toContain('<title>Collection lica-quay-3 (not available) · ');
    expect(page('objects/lica-quay-3-1.html')).toContain('>Collection lica-quay-3 (not available)</a>');
    expect(page('collections/index.html')).toContain('>Collection lica-quay-3 (not available)</span>');
    const french = join(await sharedSite('--languages', 'en,ar,fr'), 'fr/objects/lica-quay-3.html');
    expect(readFileSync(french, 'utf8')).toContain('<title>Collection lica-quay-3 (indisponible) · ');
  });
});

describe('withheld content', () => {
  const files = readFiles(dist);
  const everything: Array<[path: string, content: Buffer | string]> = [
    ...[...files].filter(([path]) => /\.(?:html|xml|js|json|txt)$/.test(path)),
    ['what results show', JSON.stringify(readResults(files))],
  ];

  it.each([...PRIVATE, 'harbourmaster', 'Deed of gift', 'Percival Withheld', slugOf('Percival Withheld')])(
    '%s occurs nowhere in the site',
    (text) => {
      expect(everything.filter(([, content]) => content.includes(text)).map(([path]) => path)).toEqual([]);
    },
  );

  it('text that is only for search is on no page', () => {
    expect(everything.filter(([, content]) => /quillmarrow|loft shelf/.test(content.toString())).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('is counted on the page “About this copy”', () => {
    const about = toPlainText(page('about.html'));
    expect(about).toContain('2 records are withheld because they are private.');
    expect(about).toContain('1 author is withheld because the author’s page is not published.');
    expect(about).toContain('1 image could not be copied');
  });
});

describe('fields', () => {
  const known = new Set([...FIELDS.map(({ name }) => name), ...Object.keys(UNLISTED_FIELDS)]);
  const visible = ids.filter((id) => existsSync(join(dist, `objects/${id}.html`)));

  it('with a value are on the page, or in the list of exceptions', () => {
    for (const id of visible) {
      const html = page(`objects/${id}.html`);
      for (const [name, value] of Object.entries(record(id))) {
        if (!hasValue(value) || name in UNLISTED_FIELDS) continue;
        expect(html, `${name} of ${id}`).toContain(`data-field="${name}"`);
      }
    }
  });

  it('of the sample are all in the table, except for one invented field', () => {
    const names = new Set(visible.flatMap((id) => Object.keys(record(id))));
    expect([...names].filter((name) => !known.has(name))).toEqual(['unheard_of']);
    expect(page('objects/lica-quay-1-15.html')).toContain('surprise');
  });

  it('show labels of codes, and unknown codes unchanged', () => {
    expect(toPlainText(page('objects/lica-quay-1-13.html'))).toContain('In progress');
    expect(toPlainText(page('objects/lica-quay-1-17.html'))).toContain('Zine');
    expect(toPlainText(page('objects/lica-quay-1-5.html'))).toContain('Orphan work');
  });

  it('include linked breadcrumbs, which end with the page itself', () => {
    const trail = /<nav class="breadcrumbs"[\s\S]*?<\/nav>/.exec(page('objects/lica-ferry-1-3-2.html'))?.[0] ?? '';
    expect([...trail.matchAll(/href="([^"]+)"/g)].map((match) => match[1])).toEqual([
      '../collections/index.html',
      '../objects/lica-ferry-1.html',
      '../objects/lica-ferry-1-3.html',
    ]);
    expect(trail).toContain('aria-current="page"');
  });
});

describe('untrusted text', () => {
  it('runs nothing', () => {
    const html = page('objects/lica-quay-1-10.html');
    expect(html).not.toMatch(
      /<script(?! type="application\/ld\+json">|[^>]*src="\.\.\/assets)|onerror=|onload=|javascript:|<iframe|evil\.example"[^>]*src/i,
    );
    expect(html).toContain('<h1>Fog bell</h1>');
    expect(toPlainText(html)).toContain('A calm description in the end.');
  });

  it('does not end up in file names', () => {
    for (const path of readFiles(dist).keys())
      expect(path).toMatch(/^[A-Za-z0-9_.\-/]+$|^media\/tiles\/[a-z0-9-]+\/(?:[\d,]+|full)\/[\d,]+\/0\/default\.jpg$/);
  });
});

describe('images', () => {
  it('have width and height on every <img>', () => {
    for (const [path, content] of readFiles(dist)) {
      if (!path.endsWith('.html')) continue;
      for (const [img] of content.toString().matchAll(/<img[^>]*>/g)) expect(img, path).toMatch(/width="\d+" height="\d+"/);
    }
  });

  it('are upright and have no metadata', async () => {
    const upright = record('lica-quay-1-3');
    const file = join(dist, `thumbs/lica-quay-1/${String(upright['signature_id'])}.webp`);
    const { width, height, exif, orientation } = await sharp(file).metadata();
    expect([Number(width) > Number(height), exif, orientation]).toEqual([true, undefined, undefined]);
  });

  it('that are broken have a placeholder and are in the report', () => {
    expect(media.failures.map(({ owner }) => owner)).toEqual(['lica-quay-1-39']);
    expect(media.elsewhere).toEqual([{ host: 'store.lantern-islands.internal:8080', count: 24 }]);
    expect(page('objects/lica-quay-1.html')).toMatch(/no-picture-image\.svg/);
    expect(build.problems).toEqual([]);
  });
});

/** Returns the paths of all pages except former addresses, which only redirect. */
const ownPages = (files: ReadonlyMap<string, Buffer>) =>
  [...files].filter(([path, page]) => path.endsWith('.html') && !page.includes('http-equiv="refresh"')).map(([path]) => path);

it('lists every page in the sitemap', () => {
  expect(existsSync(join(dist, 'sitemap-index.xml'))).toBe(true);
  const listed = [...page('sitemap-0.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) =>
    String(match[1]).replace('https://mirror.example/archive/', ''),
  );
  expect(listed.sort()).toEqual(
    ownPages(readFiles(dist))
      .filter((path) => path !== '404.html')
      .sort(),
  );
});

it('passes verify', async () => {
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot, '--dir', dist, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    site: { broken: [], network: [], altered: [] },
    snapshot: { findings: [] },
  });
  expect(code).toBe(0);
});

it('links to every page from the home page', () => {
  const files = readFiles(dist);
  const seen = new Set(['index.html']);
  for (const path of seen) {
    for (const [, href] of String(files.get(path)).matchAll(/<a [^>]*?href="([^"#]+?)(?:#[^"]*)?"/g)) {
      const target = new URL(String(href), `http://x/${path}`);
      if (target.host === 'x' && target.pathname.endsWith('.html')) seen.add(decodeURIComponent(target.pathname.slice(1)));
    }
  }
  expect(ownPages(files).filter((path) => !seen.has(path))).toEqual(['404.html']);
});
