import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSnapshotOf } from '../../../../tests/support/memory-snapshot.ts';
import { findSchemaErrors } from '../../../../tests/support/schema-org.ts';
import { readCatalogue } from '../../../catalogue/catalogue.ts';
import type { ArticleEntry, AuthorEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { parseRecord } from '../../../model/records.ts';
import type { PersonAuthors } from '../../content.ts';
import { createLocales, type Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createArticleMetadata, createObjectMetadata, createPersonMetadata, type Metadata } from './metadata.ts';

const LIVE = 'https://live.example';
const [locale] = createLocales(['en']) as [Locale];
const ABOVE: Array<Record<string, unknown>> = [
  { id: 'demo', model: 'repository', title: 'Demo Archive' },
  { id: 'demo-org', model: 'organization', title: 'Demo Organization' },
  { id: 'demo-org-1', model: 'collection', title: 'Quay Collection' },
];

/** Returns the metadata of a record in an archive that also has a repository, an organization and a collection. */
function metadataOf(raw: Record<string, unknown>, siteUrl?: string): Metadata {
  const own: Record<string, unknown> = {
    id: 'demo-org-1-2',
    links: { html: `${LIVE}/demo-org-1-2/` },
    title: 'The quay',
    ...raw,
  };
  const bodies = [...ABOVE.filter(({ id }) => id !== own['id']), own];
  const store = createSnapshotOf(bodies.map((body) => [{ kind: 'object', name: String(body['id']) }, body]));
  const baseUrls = { authors: LIVE, catalog: LIVE };
  const entries = new Map(Array.from(readCatalogue(store).objects, (entry) => [entry.id, entry]));
  const record = parseRecord(own);
  const entry = entries.get(String(own['id']));
  if (!record || !entry) throw new Error('not a record');
  const site = { relations: { object: (id: string) => entries.get(id) }, baseUrls, siteUrl, locale } as unknown as Site;
  return createObjectMetadata(record, entry, site);
}
const elements = ({ dublinCore }: Metadata, name: string) =>
  dublinCore.filter(([key]) => key === `DC.${name}`).map(([, content]) => content);

/** A record with every field that metadata have. */
const FULL = {
  model: 'entity',
  description: 'Boats <b>at</b> the quay.',
  creation: 'March 1942',
  genre: 'photograph',
  format: 'img',
  extent: '4 x 5 inches',
  contributor: 'Demo Museum',
  credit: 'Courtesy of the museum',
  rights: 'cc',
  rights_statement: 'CC BY 4.0',
  language: ['eng', 'und', 'zxx'],
  record_lastmod: '2019-03-02T09:53:47.123456',
  topics: [{ id: '1', term: 'Work -- Fishing' }],
  facility: [{ id: '2', term: 'Depot' }],
  geography: [
    { id: '"x"', term: 'Tern Hill', geo_lat: '+44.36', geo_lng: '-63,1' },
    { term: 'Nowhere', geo_lat: 0, geo_lng: 0 },
  ],
  creators: [
    { namepart: 'Ikeda, Russell K., Jr.', role: 'photographer' },
    { namepart: 'First Methodist Church', role: 'author' },
    { namepart: 'Bram Ousel', role: 'interviewer' },
    { namepart: 'Quay Press', role: 'publisher' },
    { namepart: 'Ada Quill', role: 'editor' },
    { namepart: 'Demo University', role: 'editor' },
  ],
  persons: [{ namepart: 'Vane, Leif', nr_id: '88922/nr3' }, { namepart: 'Unknown' }],
};
const MEDIA = {
  ia_meta: { mimetype: 'video/mp4', files: { mp4: { url: 'https://media.example/a.mp4', mimetype: 'video/mp4' } } },
};

const RECORDS: Array<[string, Record<string, unknown>]> = [
  ['a photograph', FULL],
  ['an interview', { ...FULL, ...MEDIA, model: 'segment', genre: 'interview', format: 'vh', extent: '62 minutes' }],
  [
    'a sound recording',
    { ...FULL, format: 'av', ia_meta: { files: { mp3: { url: 'http://m.example/a.mp3', mimetype: 'audio/mpeg' } } } },
  ],
  ['a document', { ...FULL, genre: 'correspondence', format: 'doc', creation: '1942-1945' }],
  ['a file', { ...FULL, id: 'demo-org-1-2-mezzanine-0a1b2c3d4e', model: 'file', mimetype: 'image/tiff', sha256: 'a'.repeat(64) }],
  ['a collection', { ...FULL, id: 'demo-org-1', model: 'collection', creation: 'after 1942' }],
  ['an organization', { ...FULL, id: 'demo-org', model: 'organization' }],
  ['a repository', { ...FULL, id: 'demo', model: 'repository' }],
  ['a record without anything', { title: undefined, links: undefined }],
];

describe.each(RECORDS)('%s', (_, raw) => {
  it.each([undefined, 'https://mirror.example/x/'])(
    'has only properties of its types in JSON-LD, with the expected values; site %s',
    (siteUrl) => expect(findSchemaErrors(metadataOf(raw, siteUrl).jsonLd)).toEqual([]),
  );

  it('has dates in W3CDTF and types of DCMI in Dublin Core', () => {
    const metadata = metadataOf(raw);
    for (const date of elements(metadata, 'date')) expect(date).toMatch(/^\d{4}(?:-\d\d){0,2}$/);
    for (const [name, content, scheme] of metadata.dublinCore) {
      expect(scheme).toBe(name.startsWith('DCTERMS.') ? 'DCTERMS.Period' : undefined);
      if (scheme) expect(content).toMatch(/^(?:start=\d{4}(?:-\d\d){0,2}; )?(?:end=\d{4}(?:-\d\d){0,2}; )?scheme=W3C-DTF;$/);
    }
    for (const type of elements(metadata, 'type'))
      expect(['Collection', 'Dataset', 'MovingImage', 'PhysicalObject', 'Sound', 'StillImage', 'Text']).toContain(type);
  });
});

it('leaves out places and subjects whose name is only markup', () => {
  const { jsonLd } = metadataOf({ geography: [{ term: '<A' }], topics: [{ id: '1', term: '<b></b>' }] });
  expect([jsonLd['contentLocation'], jsonLd['about']]).toEqual([undefined, undefined]);
});

it('has valid JSON-LD for a record with any fields', () => {
  const field = fc.oneof(fc.string(), fc.constantFrom(...Object.values(FULL)), fc.jsonValue());
  const keys = Object.keys(FULL).filter((key) => key !== 'model');
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...keys), field),
      fc.constantFrom('entity', 'segment', 'collection'),
      (raw, model) => {
        expect(findSchemaErrors(metadataOf({ ...raw, model }).jsonLd)).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});

it('describes people by their kind and role', () => {
  const metadata = metadataOf(FULL);
  expect(metadata.jsonLd).toMatchObject({
    creator: [
      { '@type': 'Person', name: 'Ikeda, Russell K., Jr.', familyName: 'Ikeda', givenName: 'Russell K.', honorificSuffix: 'Jr.' },
    ],
    author: [{ '@type': 'Organization', name: 'First Methodist Church' }],
    contributor: [
      { '@type': 'Person', name: 'Bram Ousel' },
      { '@type': 'Organization', name: 'Demo University' },
    ],
    publisher: [{ '@type': 'Organization', name: 'Quay Press' }],
    editor: [{ '@type': 'Person', name: 'Ada Quill' }],
    holdingArchive: { '@type': 'ArchiveOrganization', name: 'Demo Museum' },
  });
  expect(elements(metadata, 'creator')).toEqual(['Ikeda, Russell K., Jr.', 'First Methodist Church']);
  expect(elements(metadata, 'publisher')).toEqual(['Quay Press']);
  expect(elements(metadata, 'contributor')).toEqual(['Bram Ousel', 'Ada Quill', 'Demo University', 'Demo Museum']);
});

it('describes each of several people in one field, and leaves out who is unknown', () => {
  const creators = [
    { namepart: 'Ito, Alice; Ikeda, Tom', role: 'interviewer' },
    { namepart: '[Kenji Ota?]', role: 'photographer' },
    ...['Unknown', 'Unidentified photographer', 'Photographer unknown'].map((namepart) => ({ namepart, role: 'photographer' })),
  ];
  const metadata = metadataOf({ creators, contributor: 'Unknown' });
  expect(metadata.jsonLd).not.toHaveProperty('holdingArchive');
  expect(metadata.jsonLd).toMatchObject({
    creator: [{ '@type': 'Person', name: '[Kenji Ota?]', familyName: 'Ota', givenName: 'Kenji' }],
    contributor: [
      { '@type': 'Person', familyName: 'Ito', givenName: 'Alice' },
      { '@type': 'Person', familyName: 'Ikeda', givenName: 'Tom' },
    ],
  });
  expect(elements(metadata, 'creator')).toEqual(['[Kenji Ota?]']);
  expect(elements(metadata, 'contributor')).toEqual(['Ito, Alice', 'Ikeda, Tom']);
});

it('names the persons whom a record mentions', () => {
  const metadata = metadataOf(FULL);
  expect(metadata.jsonLd['mentions']).toEqual([{ '@type': 'Person', name: 'Vane, Leif', familyName: 'Vane', givenName: 'Leif' }]);
  expect(elements(metadata, 'subject')).toEqual(['Work -- Fishing', 'Depot', 'Vane, Leif']);
});

it('has addresses in the live archive, and names this page if the URL of the site is known', () => {
  const { jsonLd } = metadataOf(FULL, 'https://mirror.example/x/');
  expect(jsonLd).toMatchObject({
    '@id': `${LIVE}/demo-org-1-2/`,
    url: `${LIVE}/demo-org-1-2/`,
    mainEntityOfPage: 'https://mirror.example/x/objects/demo-org-1-2.html',
    isPartOf: { '@type': 'Collection', '@id': `${LIVE}/demo-org-1/`, identifier: 'demo-org-1', name: 'Quay Collection' },
  });
  expect(metadataOf({ ...FULL, links: {} }).jsonLd).not.toHaveProperty('url');
  expect(
    metadataOf({ id: 'demo-org', model: 'organization', links: { html: 'https://other.example/demo-org' } }).jsonLd,
  ).toMatchObject({
    parentOrganization: { '@type': 'ArchiveOrganization', '@id': 'https://other.example/demo', name: 'Demo Archive' },
  });
});

it('has dates, places, terms and media', () => {
  expect(metadataOf({ ...FULL, ...MEDIA, extent: '62 minutes' }).jsonLd).toMatchObject({
    '@type': ['ArchiveComponent', 'VideoObject'],
    dateCreated: '1942-03',
    dateModified: '2019-03-02T09:53:47',
    inLanguage: ['en'],
    license: 'https://creativecommons.org/licenses/by/4.0/',
    duration: 'PT3720S',
    contentUrl: 'https://media.example/a.mp4',
    contentLocation: [
      { name: 'Tern Hill', geo: { '@type': 'GeoCoordinates', latitude: 44.36, longitude: -63.1 } },
      { '@type': 'Place', name: 'Nowhere' },
    ],
  });
  expect(metadataOf({ rights: 'nocc' }).jsonLd).toMatchObject({ usageInfo: 'https://rightsstatements.org/vocab/InC/1.0/' });
  expect(metadataOf({ rights: 'cc' }).jsonLd).not.toHaveProperty('license');
});

it.each([
  [{ format: 'img', genre: 'photograph' }, ['StillImage'], ['photograph']],
  [{ format: 'doc', genre: 'correspondence' }, ['Text'], ['correspondence']],
  [{ format: 'vh', genre: 'interview' }, ['MovingImage'], ['interview']],
  [{ format: 'vh', ia_meta: { mimetype: 'audio/mpeg' } }, ['Sound'], []],
  [{ format: 'av', genre: 'music' }, ['Sound'], ['music']],
  [{ format: 'av', genre: 'Radio play' }, [], ['Radio play']],
  [{ format: 'ds' }, ['Dataset'], []],
  [{ format: 'img', genre: 'physical_object', extent: '3 cm' }, ['PhysicalObject'], ['physical_object', '3 cm']],
  [{ genre: 'diary' }, ['Text'], ['diary']],
  [{ id: 'demo-org-1', model: 'collection' }, ['Collection'], []],
  [{ id: 'demo-org', model: 'organization' }, [], []],
  [{ id: 'demo-org-1-2-transcript-0a1b2c3d4e', model: 'file', role: 'transcript' }, ['Text'], []],
])('has, for %j, the DCMI type %j and the formats %j', (raw, types, formats) => {
  const metadata = metadataOf(raw);
  expect([elements(metadata, 'type'), elements(metadata, 'format')]).toEqual([types, formats]);
});

const term = ({ dublinCore }: Metadata, name: string) =>
  dublinCore.filter(([key]) => key === `DCTERMS.${name}`).map(([, content]) => content);
const period = (bounds: string) => `${bounds} scheme=W3C-DTF;`;

it.each([
  ['March 4, 1942', ['1942-03-04'], [], '1942-03-04'],
  ['c. 1942', ['1942'], [], '1942'],
  ['Fall 1937', ['1937'], [], '1937'],
  ['June 2-5, 2010', ['2010-06'], [period('start=2010-06-02; end=2010-06-05;')], '2010-06'],
  ['June - August 2010', ['2010'], [period('start=2010-06; end=2010-08;')], '2010'],
  ['1942-1945', [], [period('start=1942; end=1945;')], undefined],
  ['1942 and 1945', ['1942', '1945'], [], ['1942', '1945']],
  ['after 1942', [], [period('start=1942;')], undefined],
  ['before 1942', [], [period('end=1942;')], undefined],
  ['undated', [], [], undefined],
])('dates the creation “%s” with %j, %j, in JSON-LD %j', (creation, dates, periods, dateCreated) => {
  const metadata = metadataOf({ creation });
  expect([elements(metadata, 'date'), term(metadata, 'created'), metadata.jsonLd['dateCreated']]).toEqual([
    dates,
    periods,
    dateCreated,
  ]);
  expect(metadata.jsonLd).not.toHaveProperty('temporalCoverage');
});

it.each(['June 2-5, 2010', 'undated', undefined])('gives what a record of “%s” is about from its chronology', (creation) => {
  const chronology = [{ startdate: '1920-01-01 00:00:00.0', enddate: '1945-12-31 00:00:00.0', term: 'Between the wars' }];
  const metadata = metadataOf({ creation, chronology });
  expect(metadata.jsonLd).toMatchObject({ temporalCoverage: '1920-01-01/1945-12-31' });
  expect(metadata.jsonLd['dateCreated']).toBe(creation?.startsWith('June') ? '2010-06' : undefined);
  expect(term(metadata, 'temporal')).toEqual([period('start=1920-01-01; end=1945-12-31;')]);
  expect(elements(metadata, 'date')).toEqual(creation?.startsWith('June') ? ['2010-06'] : []);
  expect(findSchemaErrors(metadata.jsonLd)).toEqual([]);
});

it('gives a year of a chronology, and the dates of a collection, as what the contents are about', () => {
  const metadata = metadataOf({ chronology: [{ startdate: '1942', term: 'The year 1942' }] });
  expect(metadata.jsonLd).toMatchObject({ temporalCoverage: '1942' });
  expect(metadata.jsonLd).not.toHaveProperty('dateCreated');
  expect(term(metadata, 'temporal')).toEqual([period('start=1942; end=1942;')]);
  const collection = metadataOf({ id: 'demo-org-1', model: 'collection', creation: '1905-1988' });
  expect(collection.jsonLd).toMatchObject({ temporalCoverage: '1905/1988' });
});

it('describes authors and guide pages', () => {
  const site = { baseUrls: { authors: LIVE, catalog: LIVE }, siteUrl: 'https://mirror.example/', locale } as unknown as Site;
  const author = { title: 'Ada Quill', slug: 'ada-quill', modified: '2019-03-02T09:53:47' } as AuthorEntry;
  const content = { author: { liveUrl: `${LIVE}/authors/Ada%20Quill/` } } as PersonAuthors[number]['content'];
  const ada: PersonEntry = {
    slug: 'ada-quill',
    label: 'Ada Quill',
    authors: ['ada-quill'],
    created: 0,
    mentioned: 0,
    records: 1,
  };
  const head = { title: 'Ada Quill', description: 'A writer.', path: 'people/ada-quill.html' };
  const person = createPersonMetadata(ada, [{ entry: author, content }], head, site);
  expect(findSchemaErrors(person.jsonLd)).toEqual([]);
  expect(person.jsonLd).toMatchObject({ '@type': 'Person', familyName: 'Quill', url: `${LIVE}/authors/Ada%20Quill/` });
  expect([elements(person, 'date'), elements(person, 'type')]).toEqual([['2019-03-02'], ['Text']]);
  const body = createPersonMetadata({ ...ada, label: 'Demo Historical Society', authors: [] }, [], head, site);
  expect(body.jsonLd).toMatchObject({ '@type': 'Organization', url: 'https://mirror.example/people/ada-quill.html' });
  const entry = { title: 'Boats', slug: 'boats', excerpt: '', liveUrl: 'javascript:x' } as ArticleEntry;
  const page = createArticleMetadata(entry, ['Ada Quill', 'Demo Historical Society', 'Anonymous'], ['Boats'], 'yesterday', site);
  expect(findSchemaErrors(page.jsonLd)).toEqual([]);
  expect(page.jsonLd).toMatchObject({ author: [{ '@type': 'Person' }, { '@type': 'Organization' }] });
  expect(elements(page, 'creator')).toEqual(['Ada Quill', 'Demo Historical Society']);
  expect(elements(page, 'date')).toEqual([]);
});
