import { expect, it } from 'vitest';
import { plainSite } from '../../../scripts/bench/plain-site.ts';
import { createSnapshotOf } from '../../../tests/support/memory-snapshot.ts';
import { openWriter } from '../../snapshot/write.ts';
import { pathOfLiveUrl } from './links.ts';

const guide = 'https://www.guide.example';
const store = createSnapshotOf([
  [
    { kind: 'object', name: 'demo-quay-1' },
    { id: 'demo-quay-1', title: 'Quay' },
  ],
  [
    { kind: 'object', name: 'demo-quay' },
    { id: 'demo-quay', title: 'Quay Society', links: { html: 'https://pages.example/o/12/' } },
  ],
  [
    { kind: 'article', name: 'Fish market' },
    { title: 'Fish market', links: { html: `${guide}/wiki/Fish_market/` } },
  ],
  [{ kind: 'article', name: 'Ferry' }, { title: 'Ferry' }],
  [
    { kind: 'source', name: 's-1' },
    { id: 's-1', links: { encyc: 'https://encyclopedia.example/sources/s-1', img: 'https://images.example/x.png' } },
  ],
  [
    { kind: 'author', name: 'Zoë Quill' },
    { id: 'Zoë Quill', links: { html: `${guide}/authors/Zo%C3%AB%20Quill/` } },
  ],
]);
const writer = openWriter(store, () => '2026-01-01T00:00:00.000Z');
writer.setMeta('authors_url', guide);
writer.setMeta('catalog_url', 'https://catalog.example');
const [site] = plainSite(store).sites;

it.each([
  ['http://www.catalog.example/demo-quay-1', 'objects/demo-quay-1.html'],
  ['https://catalog.example/demo-quay-1/?x=1#top', 'objects/demo-quay-1.html'],
  ['/demo-quay/', 'objects/demo-quay.html'],
  ['http://www.pages.example/o/12#x', 'objects/demo-quay.html'],
  ['http://guide.example/wiki/Fish%20market', 'guide/fish-market.html'],
  ['https://guide.example/wiki/fish_market/#History', 'guide/fish-market.html'],
  ['//www.guide.example/wiki/Fish+market?action=view', 'guide/fish-market.html'],
  ['/wiki/Fish_market/', 'guide/fish-market.html'],
  ['http://guide.example/api/3.0/articles/Ferry/', 'guide/ferry.html'],
  ['https://guide.example/authors/Zoë Quill', 'people/zoe-quill.html'],
  ['http://www.guide.example/authors/zo%C3%AB_quill/#works', 'people/zoe-quill.html'],
  ['https://guide.example/api/3.0/authors/Zo%C3%AB%20Quill/', 'people/zoe-quill.html'],
  ['https://encyclopedia.example/Fish_market/', 'guide/fish-market.html'],
  ['http://www.encyclopedia.example/Ferry#Boats/', 'guide/ferry.html'],
  ['https://encyclopedia.example/Zo%C3%AB_Quill/', 'people/zoe-quill.html'],
  ['https://encyclopedia.example/demo-quay-1/', 'objects/demo-quay-1.html'],
])('%s is %s', (href, path) => expect(site && pathOfLiveUrl(href, site)?.replace(/--\w+/, '')).toBe(path));

it.each([
  'https://elsewhere.example/demo-quay-1/',
  'https://catalog.example/demo-quay-2/',
  'https://catalog.example/Ferry/',
  'https://other.example/Ferry/',
  'https://guide.example/wiki/None/',
  'https://encyclopedia.example/None/',
  'https://images.example/Ferry/',
  'https://encyclopedia.example/',
  '#top',
  'mailto:x@y.example',
  'http://[',
  '',
])('%j has no page', (href) => expect(site && pathOfLiveUrl(href, site)).toBeUndefined());

it.each<[what: string, guide: string, catalog: string, href: string, path: string | undefined]>([
  [
    'another part of the archive’s domain',
    'https://api.a.example',
    'https://ddr.a.example',
    'https://x.a.example/Ferry/',
    'guide/ferry.html',
  ],
  [
    'the catalogue, which has no guide pages',
    'https://api.a.example',
    'https://ddr.a.example',
    'https://ddr.a.example/Ferry/',
    undefined,
  ],
  [
    'someone else’s domain in a country',
    'https://archive.co.uk',
    'https://catalog.co.uk',
    'https://news.co.uk/Ferry/',
    undefined,
  ],
  [
    'someone else’s pages on a host for all',
    'https://a.github.io',
    'https://b.github.io',
    'https://c.github.io/Ferry/',
    undefined,
  ],
  [
    'part of a host that both APIs have',
    'https://a.example',
    'https://a.example',
    'https://books.a.example/Ferry/',
    'guide/ferry.html',
  ],
])('a link to %s', (_, authors, catalog, href, path) => {
  expect(site && pathOfLiveUrl(href, { ...site, baseUrls: { authors, catalog } })).toBe(path);
});
