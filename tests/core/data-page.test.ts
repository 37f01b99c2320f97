/** The data of a site to take away: its page, and the table, map and description that it offers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Package } from 'datapackage';
import { expect, inject, it } from 'vitest';
import { sharedSite } from '../support/shared-sites.ts';

const { dist } = inject('mirror');
const read = (path: string, site = dist) => readFileSync(join(site, path), 'utf8');

it('is offered on a page in each language, to which the page about the copy leads', async () => {
  expect(read('about.html')).toContain('href="data.html"');
  const site = await sharedSite('--languages', 'en,es,ja', '--site', 'https://mirror.example/archive/');
  for (const path of ['data.html', 'es/data.html'])
    for (const file of ['records.csv', 'places.geojson', 'datapackage.json'])
      expect(read(path, site), path).toMatch(new RegExp(`href="(?:\\.\\./)?data/${file}" download`));
});

it('is a table of all records that the site shows, described by a Data Package', async () => {
  const { valid, errors, resources } = await Package.load(join(dist, 'data/datapackage.json'), { strict: true });
  expect([valid, errors]).toEqual([true, []]);
  const rows = (await resources[0]?.read({ relations: false })) ?? [];
  const ids = rows.map(([id]) => id);
  expect(ids).toContain('lica-quay-1-1');
  expect(ids).not.toContain('lica-quay-1-12');
  expect(ids.length).toBe(new Set(ids).size);
  for (const row of rows.slice(0, 20)) expect(read(String(row.at(-1)))).toContain('<html');
});

it('is a map of the records that have a position, as GeoJSON', () => {
  const { type, features } = JSON.parse(read('data/places.geojson')) as {
    type: string;
    features: Array<{ geometry: { coordinates: number[] }; properties: Record<string, string> }>;
  };
  expect(type).toBe('FeatureCollection');
  expect(features.length).toBeGreaterThan(10);
  for (const { geometry, properties } of features) {
    expect(geometry.coordinates.every((degrees, i) => Math.abs(degrees) <= 180 - 90 * i)).toBe(true);
    expect(Object.keys(properties)).toEqual(['id', 'title', 'place', 'page']);
  }
});

it('is a Dataset of schema.org, whose files have URLs if the site has one', async () => {
  const jsonLd = (site: string) =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(read('data.html', site))?.[1] ?? '') as {
      '@type': string;
      distribution: Array<{ '@type': string; contentUrl: string; encodingFormat: string }>;
    };
  const { '@type': type, distribution } = jsonLd(dist);
  expect(type).toBe('Dataset');
  expect(distribution.map((file) => [file['@type'], file.contentUrl, file.encodingFormat])).toEqual([
    ['DataDownload', 'https://mirror.example/archive/data/records.csv', 'text/csv'],
    ['DataDownload', 'https://mirror.example/archive/data/places.geojson', 'application/geo+json'],
    ['DataDownload', 'https://mirror.example/archive/data/datapackage.json', 'application/json'],
  ]);
  expect(jsonLd(await sharedSite()).distribution.map(({ contentUrl }) => contentUrl)[0]).toBe('data/records.csv');
});
