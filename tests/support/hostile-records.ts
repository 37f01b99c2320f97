/** An archive with valid records and records that each break something, in the readable form of content/sample. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import { SAMPLE } from './commands.ts';

/** Base URL of the records API. */
export const CATALOG = 'https://catalog.hostile.example';
const COLLECTION = 'demo-org-1';
/** IDs of valid records. */
export const PLAIN_IDS = ['demo', 'demo-org', COLLECTION, ...[1, 2, 3, 4, 5].map((n) => `${COLLECTION}-${n}`)];
/** ID of a record that cannot be rendered: its JSON is too deep to write. It is playable, so other pages link to it. */
export const DEEP_ID = `${COLLECTION}-77`;
/** ID of a segment whose transcript is a sibling. */
export const SEGMENT_ID = `${COLLECTION}-6-1`;
/** IDs of segments with an empty recording: one is empty on disk, the other by its declared size. */
export const EMPTY_IDS = [`${COLLECTION}-6-2`, `${COLLECTION}-6-3`];
/** The last cue of the transcript. */
export const SPOKEN_TEXT = 'The ferry left at four in the morning.';
const LONG = 1_100_000;
const DEPTH = 100_000;
const repeat = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const MARKER = '"@deep@"';

type Fields = Record<string, unknown>;

/** The fields that break something. The ID of record `n` ends in `n + 10`. */
const HOSTILE_FIELDS: Fields[] = [
  { title: 'half \ud83d a pair \udfff', description: '\ud800', topics: [{ id: '1', term: '\udc00topic' }], creators: ['\ud800'] },
  { topics: [repeat(3000, (n) => `level ${n}`).join(' -- ')] },
  { topics: [repeat(3000, () => 'x').join(' -- '), ' -- '.repeat(3000)] },
  { description: `${'<b>'.repeat(80_000)}${'</i>'.repeat(80_000)}` },
  { scopecontent: '<div>'.repeat(100_000), notes: '<ul><li>'.repeat(50_000) },
  { format: 'constructor', genre: '__proto__', rights: 'toString', language: ['constructor', 'hasOwnProperty', '__proto__'] },
  { format: '__proto__', status: 'constructor', topics: [{ id: '__proto__', term: 'constructor' }], model: 'constructor' },
  { title: 'non\uffff\ufffe\ufdd0characters', creation: '19\uffff42', genre: 'x\uffffy', contributor: '\ufffe' },
  { title: 'control\u0000\u0007\u001b[31m characters', description: 'a\u0000b', creators: ['\u0001'] },
  { title: '\u202eright to left\u202c and \u2066isolated', creators: ['\u202eReverse'], topics: ['\u202etopic'] },
  { title: 'escaped &#xffff; &#x202e; &#0; &#xd800; characters' },
  { genre: 'photograph\nER  - \nTY  - BOOK\nTI  - Injected', creation: '1942\r\nAU  - Injected' },
  { title: 'T'.repeat(LONG) },
  { title: `${'Long words '.repeat(100_000)}` },
  { title: 'Z\u0301\u0316'.repeat(300_000), description: `a${'\u0301\u0316'.repeat(500_000)}` },
  { title: '\u0000\u0001', label: '\u202e' },
  { title: { deep: ['er'] }, label: ['a', 'b'], basename_orig: { x: 1 } },
  { title: '</title><script>alert(1)</script><b>after', description: '<script>alert(1)</script>' },
  {
    topics: repeat(60, (n) => `t${n} ${'x'.repeat(300)}`),
    facility: repeat(50, (n) => ({ id: `${'9'.repeat(300)}${n}`, term: 'f' })),
  },
  { external_urls: repeat(6000, (n) => ({ label: `l${n}`, url: `https://x.example/${n}` })) },
  { persons: [null, [], {}, ['nested'], 7, true, { namepart: ['list'] }, { namepart: '' }, 'A plain one'] },
  { creators: [{ namepart: 'narrator', role: 'x'.repeat(5000), oh_id: '9'.repeat(400) }, { namepart: 'N'.repeat(LONG) }] },
  {
    geography: [
      { term: 'Pole', geo_lat: 90, geo_lng: 180 },
      { term: 'Nowhere', geo_lat: 1e308, geo_lng: '9'.repeat(400) },
    ],
  },
  { geography: [{ id: `"x${' '.repeat(500_000)}y"`, term: 'T'.repeat(5000), geo_lat: '0', geo_lng: '0' }] },
  { creation: '9'.repeat(100_000), chronology: [{ startdate: '1942-'.repeat(10_000), term: {} }], sort: 1e308 },
  { creation: 'before '.repeat(10_000), record_lastmod: '9999-99-99T99:99:99', sort: '-9'.repeat(300) },
  { record_lastmod: '0000-01-01T00:00:00' },
  { parent_id: `${COLLECTION}-10`, breadcrumbs: repeat(50, () => ({ id: `${COLLECTION}-10`, label: 'x' })) },
  { parent_id: `${COLLECTION}-99-99-99`, breadcrumbs: 'none' },
  { links: { html: 'no address', img: '__proto__', thumb: 'constructor', download: `https://x.example/${'a'.repeat(LONG)}` } },
  { links: { html: `javascript:alert(1)`, img: 'data:text/html,<script>', json: { a: 1 }, ['__proto__x']: '' } },
  {
    format: 'vh',
    extent: `${'9'.repeat(400)}:00`,
    ia_meta: {
      id: 'x',
      files: {
        constructor: {
          format: 'constructor',
          length: '9'.repeat(400),
          size: -5,
          mtime: 1e300,
          url: 'no address',
          mimetype: 'video/mp4',
        },
        odd: { length: '1:2', size: '9'.repeat(400), width: 1e300, height: -1, bitrate: {}, sha1: '\u202e', url: 'http://[' },
        nothing: null,
      },
    },
  },
  { search_hidden: 'x'.repeat(3_000_000) },
  { search_hidden: repeat(200_000, (n) => `word${n}`).join(' ') },
  { description: '&'.repeat(LONG), notes: '<'.repeat(100_000) },
  { rights: 'cc', rights_statement: `https://creativecommons.org/licenses/${'.'.repeat(500_000)}a` },
  { prefercite: { a: 1 }, credit: ['a', ['b']], alternate_id: [[[[[['deep']]]]]], extent: {}, physloc: [null, ''] },
  { ['toString']: 'x', constructor: { prototype: 1 }, ['']: 'nameless', ['\u202ename\n']: 'y', ['n'.repeat(5000)]: 'long' },
  { language: repeat(60, (n) => `l${n}`.repeat(50)) },
  { description: `<a href="https://x.example/${'/'.repeat(500_000)}x">x</a><a href="${CATALOG}/${'/'.repeat(300_000)}x">y</a>` },
  {
    contributor: 'constructor',
    creators: ['__proto__', 'constructor', 'CON', '..', 'index', 'a/b\\c', ' '.repeat(9)],
    persons: ['__proto__'],
  },
];

/** Writes the archive to a directory. Returns the IDs of all records. */
export function writeHostileArchive(dir: string): string[] {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const records = allRecords();
  for (const [i, record] of records.entries()) {
    const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
    write(`objects/${i}.json`, JSON.stringify(record).replace(MARKER, deep));
  }
  const manifest = {
    name: 'Hostile',
    note: '',
    authors_url: CATALOG,
    catalog_url: CATALOG,
    made_at: '2026-11-21T00:00:00Z',
  };
  write('archive.json', JSON.stringify(manifest));
  const names = ['Ada Jetsam', '\u202eReversed\u0007', '__proto__', 'N'.repeat(400)];
  write('authors.json', JSON.stringify(names.map((id) => ({ id, title: id }))));
  for (const [i, id] of names.entries()) {
    const body = `${'<b>'.repeat(60_000)}${'</i>'.repeat(60_000)}<a href="${CATALOG}/${COLLECTION}-1/">x</a>`;
    write(`authors/${i}.json`, JSON.stringify({ id, title: id, body, articles: [{ title: 'constructor' }, { title: 'Fog' }] }));
  }
  const articles = [
    { id: 'Fog', title: 'Fog', body: '<p>Fog</p>', sources: [{ id: 'deep' }] },
    {
      id: 'constructor',
      title: 'T'.repeat(LONG),
      body: `<h1>${'x'.repeat(LONG)}</h1>`,
      categories: ['\u202e'],
      topics: ['x'.repeat(9000)],
    },
    { id: '\ud800half', title: '\uffff', description: '\ud800', body: '\u0000', authors: names.map((title) => ({ title })) },
  ];
  for (const [i, article] of articles.entries()) write(`articles/${i}.json`, JSON.stringify(article));
  write('sources/0.json', `{"id":"deep","caption":"c","x":${'['.repeat(DEPTH)}"${COLLECTION}-1"${']'.repeat(DEPTH)}}`);
  const vtt = (text: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n\n00:02.000 --> 00:04.000\n${SPOKEN_TEXT}\n`;
  write(`media/${COLLECTION}/deep.vtt`, vtt(`${'<b>'.repeat(10_000)}words`));
  write(`media/${COLLECTION}/wide.vtt`, vtt(`${'<v A>'.repeat(20_000)}${'&x;'.repeat(20_000)}\ud800`));
  write(`media/${COLLECTION}/empty.mp4`, '');
  copyFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4'), join(dir, `media/${COLLECTION}/plays.mp4`));
  writeSampleSnapshot(dir);
  return records.map((record) => String(record['id']));
}

function allRecords(): Fields[] {
  const valid = PLAIN_IDS.map((id): Fields => {
    // The title of the repository is in the frame of every page.
    if (id === 'demo')
      return { id, model: 'repository', title: `The archive ${'x'.repeat(LONG)}`, description: 'Plain. '.repeat(100_000) };
    return { id, title: `Title of ${id}`, description: `Words of ${id}.` };
  });
  const hostile = HOSTILE_FIELDS.map(
    (fields, n): Fields => ({
      title: `Nasty ${n}`,
      ...fields,
      id: `${COLLECTION}-${n + 10}`,
      model: fields['model'] ?? 'entity',
    }),
  );
  const ids = [
    'Demo-Org-1-90',
    `${COLLECTION}-${'9'.repeat(90)}`,
    `${COLLECTION}-A`,
    `${COLLECTION}-a`,
    'index',
    `${COLLECTION}-con`,
  ].map((id): Fields => ({ id, title: `Title of ${id}`, parent_id: COLLECTION, lists: repeat(60, () => 'x') }));
  const files = ['deep', 'wide'].map(
    (name, n): Fields => ({
      id: `${SEGMENT_ID}-transcript-0a1b2c3d4${n}`,
      model: 'file',
      role: 'transcript',
      title: name,
      links: { download: `${CATALOG}/media/${COLLECTION}/${name}.vtt` },
    }),
  );
  return [
    ...valid,
    ...hostile,
    ...ids,
    {
      id: DEEP_ID,
      model: 'segment',
      parent_id: `${COLLECTION}-6`,
      title: 'Too deep to be shown',
      topics: ['Deep'],
      ia_meta: { files: { h264: { mimetype: 'video/mp4', url: `${CATALOG}/media/${COLLECTION}/plays.mp4` } } },
      x: '@deep@',
    },
    { id: `${COLLECTION}-6`, model: 'entity', format: 'vh', title: 'Interview' },
    { id: SEGMENT_ID, model: 'segment', format: 'vh', title: 'Segment' },
    ...EMPTY_IDS.map((id, n) => emptySegment(id, n)),
    ...files,
  ].map((record) => ({ record_lastmod: '2020-01-02T03:04:05', ...record }));
}

function emptySegment(id: string, size: number): Fields {
  const file = { mimetype: 'video/mp4', url: `${CATALOG}/media/${COLLECTION}/${size === 0 ? 'empty' : 'nowhere'}.mp4` };
  return {
    id,
    model: 'segment',
    format: 'vh',
    title: id,
    ia_meta: { files: { h264: size === 0 ? file : { ...file, size: 0 } } },
  };
}
