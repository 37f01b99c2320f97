/** Metadata for programs: JSON-LD, Dublin Core, Open Graph, canonical URLs, sitemap dates, feed, robots.txt, OpenSearch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { readPayload } from '../../src/snapshot/read.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { startChromium } from '../support/chromium.ts';
import { createTestDirectory, readFiles, runMicroficheJson } from '../support/commands.ts';
import { findSchemaErrors } from '../support/schema-org.ts';

interface Head {
  metas: Array<[name: string, content: string]>;
  links: Array<[rel: string, href: string]>;
  jsonLd: Record<string, unknown> | undefined;
}

function parseHead(html: string): Head {
  const head: Head = { metas: [], links: [], jsonLd: undefined };
  let inJson = false;
  let json = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'meta') head.metas.push([attributes['name'] ?? attributes['property'] ?? '', attributes['content'] ?? '']);
      if (name === 'link') head.links.push([attributes['rel'] ?? '', attributes['href'] ?? '']);
      inJson = name === 'script' && attributes['type'] === 'application/ld+json';
    },
    ontext(text) {
      if (inJson) json += text;
    },
    onclosetag() {
      inJson = false;
    },
  });
  parser.end(html);
  if (json !== '') head.jsonLd = JSON.parse(json) as Record<string, unknown>;
  return head;
}

const metasOf = (head: Head, name: string) => head.metas.filter(([key]) => key === name).map(([, content]) => content);
const SITE = 'https://mirror.example/archive/';
let pages: Map<string, Head>;
let unhosted: string;

beforeAll(async () => {
  const html = [...readFiles(inject('mirror').dist)].filter(([path]) => path.endsWith('.html'));
  const own = html.filter(([, bytes]) => !bytes.includes('http-equiv="refresh"'));
  pages = new Map(own.map(([path, bytes]) => [path, parseHead(bytes.toString())]));
});

describe('every page', () => {
  it('has Open Graph metadata, and its own URL as the canonical one', () => {
    for (const [path, head] of pages) {
      for (const name of ['og:title', 'og:type', 'og:description', 'og:site_name', 'og:url'])
        expect(metasOf(head, name), `${path} ${name}`).toHaveLength(1);
      const url = SITE + path.replace(/(^|\/)index\.html$/, '$1');
      expect(
        head.links.filter(([rel]) => rel === 'canonical'),
        path,
      ).toEqual([['canonical', url]]);
    }
  });

  it('has JSON-LD and Dublin Core metadata if it shows a record, person or guide page', () => {
    for (const [path, head] of pages) {
      if (!/^(?:objects\/[^/]+|people\/(?!index)[^/]+|guide\/(?!index)[^/]+)\.html$/.test(path)) continue;
      const title = head.jsonLd?.['name'] ?? head.jsonLd?.['headline'];
      expect(head.jsonLd?.['@context'], path).toBe('https://schema.org');
      // The name of a person is without what distinguishes people of one name. Of an unavailable record, only the ID is known.
      const [shown] = metasOf(head, 'og:title');
      const id = path.replace(/^objects\/|\.html$/g, '');
      // A title that is missing is supplied in brackets, as catalogers do.
      const isSupplied = [`Collection ${id}`, `Record ${id}`].includes(shown ?? '');
      const own = shown === `Collection ${id} (not available)` ? id : isSupplied ? `[${id}]` : shown;
      expect(own?.replace(/ \((?:narrator ID|name record ID|interviewed) [^)]*\)$/, ''), path).toBe(title);
      expect(metasOf(head, 'DC.title'), path).toEqual([own]);
    }
  });

  it('has JSON-LD with only the properties and values that schema.org defines', () => {
    const described = [...pages].flatMap(([path, { jsonLd }]) => (jsonLd ? [{ path, jsonLd }] : []));
    expect(described.length).toBeGreaterThan(100);
    expect(described.flatMap(({ path, jsonLd }) => findSchemaErrors(jsonLd, path))).toEqual([]);
  });

  it('has Dublin Core dates in W3CDTF, and types of the DCMI Type Vocabulary', () => {
    const types = new Set([...pages.values()].flatMap((head) => metasOf(head, 'DC.type')));
    expect([...types].sort()).toEqual(['Collection', 'MovingImage', 'Sound', 'StillImage', 'Text']);
    for (const [path, head] of pages)
      for (const date of metasOf(head, 'DC.date')) expect(date, path).toMatch(/^\d{4}(?:-\d\d){0,2}$/);
  });
});

it.each([
  ['objects/lica-quay-1.html', ['Collection', 'ArchiveComponent']],
  ['objects/lica-quay-1-1.html', ['ArchiveComponent', 'Photograph']],
  ['objects/lica-quay-2-1.html', ['ArchiveComponent', 'DigitalDocument']],
  ['objects/lica-ferry-1-1-1.html', ['ArchiveComponent', 'VideoObject']],
  ['objects/lica-quay-1-1-mezzanine-c8476c1261.html', ['MediaObject']],
  ['objects/lica.html', ['ArchiveOrganization']],
])('%s has the JSON-LD type %j', (path, type) => expect(pages.get(path)?.jsonLd?.['@type']).toEqual(type));

it('describes dates, creators, places, subjects and rights in JSON-LD', () => {
  expect(pages.get('objects/lica-ferry-1-1-1.html')?.jsonLd).toMatchObject({
    identifier: 'lica-ferry-1-1-1',
    dateCreated: '2010-06-02',
    creator: [{ '@type': 'Person', name: 'Leif Vane' }],
    contributor: [{ '@type': 'Person', name: 'Bram Ousel' }],
    contentLocation: [{ name: 'Tern Hill', geo: { latitude: 44.36, longitude: -63.1 } }],
    license: 'https://creativecommons.org/publicdomain/mark/1.0/',
    isPartOf: { '@id': `${inject('mirror').upstream}/lica-ferry-1/`, identifier: 'lica-ferry-1' },
    duration: 'PT137S',
  });
});

it('shows the JSON of each record as received, without the text that is only for search', () => {
  const { dist, snapshot } = inject('mirror');
  const store = openSnapshot(snapshot);
  for (const id of ['lica-quay-1-1', 'lica-quay-1-10', 'lica-ferry-1-1-1', 'lica-quay-1']) {
    const html = readFileSync(join(dist, `objects/${id}.html`), 'utf8');
    let json = '';
    let inside = false;
    const parser = new Parser({
      onopentagname: (name) => {
        inside = name === 'pre';
      },
      ontext: (text) => {
        if (inside) json += text;
      },
      onclosetag: () => {
        inside = false;
      },
    });
    parser.end(html);
    const { search_hidden: _, ...record } = readPayload(store, 'object', id) as Record<string, unknown>;
    expect(JSON.parse(json), id).toEqual(record);
  }
  store.close();
});

it('dates each record in the sitemap', () => {
  const sitemap = readFileSync(join(inject('mirror').dist, 'sitemap-0.xml'), 'utf8');
  expect(sitemap).toContain(`<loc>${SITE}objects/lica-quay-1-1.html</loc><lastmod>2019-03-02</lastmod>`);
});

it('has a feed of recent changes, newest first, without scripts', () => {
  const feed = readFileSync(join(inject('mirror').dist, 'feed.xml'), 'utf8');
  const dates = [...feed.matchAll(/<updated>([^<]+)<\/updated>/g)].map((match) => match[1] as string);
  expect(dates.length).toBe(51);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(feed).toContain(`<link href="${SITE}objects/`);
  expect(feed).not.toMatch(/<script|javascript:/i);
});

it('has files that a parser of XML reads', async () => {
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const names = ['feed.xml', 'sitemap-0.xml', 'sitemap-index.xml', 'opensearch.xml'];
  const texts = names.map((name) => readFileSync(join(inject('mirror').dist, name), 'utf8'));
  const roots = await page.evaluate(
    (sources) => sources.map((xml) => new DOMParser().parseFromString(xml, 'application/xml').documentElement.nodeName),
    texts,
  );
  expect(roots).toEqual(['feed', 'urlset', 'sitemapindex', 'OpenSearchDescription']);
});

it('has robots.txt, an OpenSearch description, and headers for hosts', () => {
  const read = (name: string) => readFileSync(join(inject('mirror').dist, name), 'utf8');
  expect(read('robots.txt')).toBe(`User-agent: *\nDisallow:\n\nSitemap: ${SITE}sitemap-index.xml\n`);
  expect(read('opensearch.xml')).toContain(`template="${SITE}search.html?q={searchTerms}"`);
  expect(pages.get('index.html')?.links).toContainEqual(['search', 'opensearch.xml']);
  expect(read('_headers')).toContain(`${new URL(SITE).pathname}thumbs/*\n  Cache-Control: `);
});

it('names the page of the live archive as canonical if the site has no URL', async () => {
  unhosted = join(createTestDirectory(), 'dist');
  await runMicroficheJson(['build', '--snapshot', inject('mirror').snapshot, '--out', unhosted, '--no-search']);
  const files = readFiles(unhosted);
  const head = parseHead(files.get('objects/lica-quay-1-1.html')?.toString() ?? '');
  expect(head.links).toContainEqual(['canonical', `${inject('mirror').upstream}/lica-quay-1-1/`]);
  expect(metasOf(head, 'og:url')).toEqual([]);
  expect([files.has('opensearch.xml'), files.has('_headers')]).toEqual([false, false]);
  expect(files.get('robots.txt')?.toString()).toBe('User-agent: *\nDisallow:\n');
  expect(files.get('feed.xml')?.toString()).toContain(`<link href="${inject('mirror').upstream}/lica-`);
});
