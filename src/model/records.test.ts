import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsFromCollection, parentOf } from './ancestors.ts';
import { filesOfRecord } from './media/media.ts';
import { type ArchivalRecord, parseRecord } from './records.ts';

const read = (raw: Record<string, unknown>) => parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw });

describe('parseRecord', () => {
  it('corrects exchanged namepart and role', () => {
    expect(
      read({
        creators: [
          { namepart: 'photographer', role: 'Ada Quill' },
          { namepart: 'Bram Vane', role: 'author', oh_id: 7 },
        ],
      })?.creators,
    ).toEqual([
      { namepart: 'Ada Quill', role: 'photographer', oh_id: undefined },
      { namepart: 'Bram Vane', role: 'author', oh_id: 7 },
    ]);
  });

  it('removes literal quotes from geography IDs, and parses coordinates in both forms', () => {
    expect(
      read({ geography: [{ id: '"http://v.example/7001"', term: 'Quay', geo_lat: '44.3', geo_lng: -63 }] })?.geography,
    ).toEqual([{ id: 'http://v.example/7001', term: 'Quay', geo_lat: 44.3, geo_lng: -63 }]);
  });

  it('exchanges a latitude and longitude that were swapped, and keeps only positions that can be used', () => {
    const geography = [
      { term: 'Swapped', geo_lat: '-118,5', geo_lng: '+34.3853' },
      { term: 'Not set', geo_lat: 0, geo_lng: 0 },
      { term: 'Half', geo_lat: '34.5' },
      { term: 'None' },
    ];
    expect(read({ geography })?.geography).toEqual([
      { id: undefined, term: 'Swapped', geo_lat: 34.3853, geo_lng: -118.5 },
      { id: undefined, term: 'Not set', geo_lat: undefined, geo_lng: undefined, unusablePosition: '0, 0' },
      { id: undefined, term: 'Half', geo_lat: undefined, geo_lng: undefined, unusablePosition: '34.5, –' },
      { id: undefined, term: 'None', geo_lat: undefined, geo_lng: undefined },
    ]);
  });

  it.each([undefined, null, '', []])('treats %j as no value', (unset) => {
    const record = read({
      creators: unset,
      topics: unset,
      creation: unset,
      ia_meta: unset,
      language: unset,
      persons: unset,
    });
    expect(record).toMatchObject({
      creators: [],
      topics: [],
      creation: undefined,
      ia_meta: undefined,
      language: [],
      persons: [],
    });
  });

  it('parses persons and topics that are plain strings', () => {
    expect(read({ persons: 'Ada Alone', topics: 'A topic' })).toMatchObject({
      persons: [{ namepart: 'Ada Alone' }],
      topics: [{ term: 'A topic', id: undefined }],
    });
  });

  it('treats records as public unless they declare otherwise', () => {
    expect([read({})?.public, read({ public: '1' })?.public, read({ public: '0' })?.public, read({ public: 0 })?.public]).toEqual(
      [true, true, false, false],
    );
  });

  it('parses ia_meta with numbers in strings', () => {
    const media = read({
      ia_meta: { id: 'x', stream_only: true, files: { mp3: { size: '1536', length: '00:02', width: '0' }, bad: 7 } },
    })?.ia_meta;
    expect(media).toMatchObject({ streamOnly: true, files: [{ format: 'mp3', size: 1536, width: 0, length: '00:02' }] });
  });

  it('parses fields whose keys are names of JavaScript methods', () => {
    const nasty = { toString: 'x', valueOf: 'x', toJSON: 'x', constructor: 'x' };
    const record = read({ title: nasty, description: [nasty], role: nasty, links: nasty, constructor: nasty });
    expect([record?.id, record?.truncatedFields]).toEqual(['demo-org-1-2', []]);
    expect(filesOfRecord(record as ArchivalRecord)).toEqual([]);
  });

  it('never throws for any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom('creators', 'topics', 'links', 'breadcrumbs', 'ia_meta', 'sort', 'geography', 'title'),
          fc.jsonValue(),
        ),
        (any, fields) => {
          parseRecord(any);
          expect(read(fields as Record<string, unknown>)?.id).toBe('demo-org-1-2');
        },
      ),
    );
  });
});

describe('ancestry', () => {
  it('uses the breadcrumbs, or the ID if there are none', () => {
    const crumbs = [{ id: 'demo-org-1' }, { id: 'demo-org-1-2' }];
    expect(idsFromCollection(read({ breadcrumbs: crumbs }) as never)).toEqual(['demo-org-1', 'demo-org-1-2']);
    expect(idsFromCollection(parseRecord({ id: 'demo-org-1-2-3' }) as never)).toEqual([
      'demo-org-1',
      'demo-org-1-2',
      'demo-org-1-2-3',
    ]);
  });

  it('prefers the parent that the record declares', () => {
    expect(parentOf(read({ parent_id: 'demo-org-9' }) as never)).toBe('demo-org-9');
    expect(parentOf(read({ parent_id: 'demo-org-1-2' }) as never)).toBe('demo-org-1');
  });
});

describe('a creator whose name and role are exchanged', () => {
  const read = (namepart: string, role: string | undefined) => {
    const creator = parseRecord({ id: 'demo-org-1-2', creators: [{ namepart, role }] })?.creators[0];
    return creator && [creator.namepart, creator.role];
  };
  it.each([
    ['compiler', 'Ōta, Inés María'],
    ['Photographer', 'Ada Quill'],
    ['interviewee', '太田 次郎'],
    ['net mender', 'Ōta, Inés María'],
    ['撮影者', '太田 次郎'],
    ['potter', 'Hokusai'],
  ])('%s is the role', (role, name) => expect(read(role, name)).toEqual([name, role]));
  it.each([
    ['Potter', 'net mender'],
    ['Weaver', 'photographer'],
    ['hokusai', 'painter'],
    ['Church', 'Publisher'],
    ['Potter, Beatrix', undefined],
    ['Singer, Isaac', 'Yiddish Writer'],
    ['Weaver', undefined],
    ['Art', undefined],
    ['bell hooks', 'Keeper'],
  ])('%s is a name', (name, role) => expect(read(name, role)).toEqual([name, role]));
});

it('has each language once, by its code', () => {
  const record = parseRecord({ id: 'demo-org-1-1', language: ['jpn', 'JPN', 'Japanese', 'eng', 'Klingon'] });
  expect(record?.language).toEqual(['jpn', 'eng', 'Klingon']);
});
