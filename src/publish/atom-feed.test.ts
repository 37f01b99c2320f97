import { expect, it } from 'vitest';
import { createCatalogueFile } from '../../tests/support/catalogue-file.ts';
import type { ObjectEntry } from '../catalogue/entries.ts';
import { openRecords } from '../catalogue/records.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';
import { NO_CONTENT, openOwn } from '../site/own/own-content.ts';
import type { Site } from '../site/site.ts';
import { createAtomFeed } from './atom-feed.ts';

const [locale] = createLocales(['es']) as [Locale];
const facts = { title: 'Sailors & "Quays"', catalogUrl: 'https://live.example', harvestedAt: '2026-01-02T03:04:05.000Z' };
const entry = (id: string, lastmod: string | undefined, more: Partial<ObjectEntry> = {}) =>
  ({
    id,
    lastmod,
    title: `Title of ${id}`,
    excerpt: '',
    model: 'entity',
    sort: 0,
    narrators: [],
    facets: {},
    ...more,
  }) as unknown as ObjectEntry;
const feedOf = (objects: ObjectEntry[], siteUrl?: string) =>
  createAtomFeed(openRecords(createCatalogueFile({ objects, authors: [], articles: [] })), {
    title: facts.title,
    facts,
    siteUrl,
    locale,
    own: openOwn(NO_CONTENT),
  } as unknown as Pick<Site, 'title' | 'facts' | 'siteUrl' | 'locale' | 'own'>);
const all = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map((match) => match[1]);

it('has an author, a link to itself, and the language', () => {
  const hosted = feedOf([entry('a-b-1-1', '2019-03-02T09:53:47')], 'https://mirror.example/x/');
  expect(hosted).toContain('<author>\n    <name>Sailors &#38; &#34;Quays&#34;</name>\n    <uri>https://live.example</uri>');
  expect(hosted).toContain('<link href="https://mirror.example/x/feed.xml" rel="self" type="application/atom+xml"/>');
  expect(hosted).toContain('<link href="https://mirror.example/x/objects/a-b-1-1.html" rel="alternate" type="text/html"/>');
  expect(hosted).toContain('xml:lang="es"');
  const unhosted = feedOf([entry('a-b-1-1', '2019-03-02T09:53:47')]);
  expect(unhosted).toContain('<link href="feed.xml" rel="self" type="application/atom+xml"/>');
  expect(unhosted).toContain('<link href="https://live.example/a-b-1-1/" rel="alternate" type="text/html"/>');
});

it('isolates titles and summaries that are written from right to left', () => {
  const feed = feedOf([entry('a-b-1-1', '2019-03-02', { title: 'الميناء', excerpt: 'Quay' })]);
  expect(feed).toContain('<title>\u2068الميناء\u2069</title>');
  expect(feed).toContain('<summary>Quay</summary>');
});

it('links to the page of a record that is on another host than the catalog', () => {
  const liveUrl = 'https://other.example/objects/a-b-1-1';
  const feed = feedOf([entry('a-b-1-1', '2019-03-02', { liveUrl }), entry('a-b-1-2', '2019-03-01', { liveUrl: 'javascript:x' })]);
  expect(all(feed, /<link href="([^"]*)" rel="alternate"/g).slice(1)).toEqual([liveUrl, 'https://live.example/a-b-1-2/']);
  // The ID of an entry is never changed (RFC 4287, 4.2.6).
  expect(all(feed, /<entry>\n {4}<id>(.*)<\/id>/g)).toEqual(['https://live.example/a-b-1-1/', 'https://live.example/a-b-1-2/']);
  expect(feedOf([entry('a-b-1-1', '2019-03-02', { liveUrl })], 'https://mirror.example/')).not.toContain(liveUrl);
});

it('claims no time zone that upstream does not state, and lists the latest first', () => {
  const feed = feedOf([
    entry('a-b-1-1', '2019-03-02T09:53:47'),
    entry('a-b-1-2', '2019-03-02T01:00:00-09:00'),
    entry('a-b-1-3', '2019-03-01'),
    entry('a-b-1-4', undefined),
    entry('a-b-1-5', '2020-01-01', { model: 'file' }),
  ]);
  expect(all(feed, /<updated>(.*)<\/updated>/g)).toEqual([
    '2019-03-02T01:00:00-09:00',
    '2019-03-02T01:00:00-09:00',
    '2019-03-02T09:53:47-00:00',
    '2019-03-01T00:00:00-00:00',
  ]);
});

it('escapes what the archive wrote, and is a feed without entries too', () => {
  const feed = feedOf([entry('a-b-1-1', '2019-03-02', { title: '<script>&amp;', excerpt: "]]> '" })]);
  expect(feed).toContain('<title>&#60;script&#62;&#38;amp;</title>');
  expect(feed).toContain('<summary>]]&#62; &#39;</summary>');
  expect(all(feedOf([]), /<updated>(.*)<\/updated>/g)).toEqual(['2026-01-02T03:04:05.000Z']);
});
