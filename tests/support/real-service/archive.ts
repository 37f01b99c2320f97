/** A small invented archive whose values have the shapes that the real service sends, including those of its older records. */
import { createHash } from 'node:crypto';
import { createGuide, type Guide } from './guide.ts';

type Fields = Record<string, unknown>;

/** The records, guide and vocabularies of the archive. A test may take entries out, as the archive does. */
export interface Archive extends Guide {
  /** Records by ID, without the fields that the service derives: links, ancestors and file names. */
  records: Map<string, Fields>;
  /** Narrators by ID. */
  narrators: Map<string, Fields>;
  /** Terms of each facet: ID and title. */
  facets: Record<string, Array<[id: string, title: string]>>;
}

/** The transcript of the first segment, as a file. */
export const TRANSCRIPT = '<html><body><p>AR: The lamp was lit at dusk, every evening.</p></body></html>';
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').slice(0, 10);
/** IDs of file records. */
export const FILES = {
  master: `kelp-cove-1-1-master-${sha1('master')}`,
  mezzanine: `kelp-cove-1-1-mezzanine-${sha1('mezzanine')}`,
  transcript: `kelp-cove-2-1-1-transcript-${sha1(TRANSCRIPT)}`,
  external: `kelp-cove-2-1-1-mezzanine-${sha1('external')}`,
  plainText: `kelp-isle-1-1-transcript-${sha1('plain')}`,
} as const;

/** Creates the archive. `url`: base URL of the service, for links in texts. */
export function createArchive(url: string): Archive {
  const records = new Map<string, Fields>([
    ['kelp', { title: 'Kelp Coast Archive', description: 'DESCRIPTION TEXT HERE' }],
    ['kelp-cove', { title: 'Cove Museum', description: 'Keeps the boats of the cove.' }],
    ['kelp-isle', { title: 'Isle Society', description: '' }],
    ['kelp-cove-1', { ...COLLECTION, title: 'Harbor Photographs', creators: ROLE_AS_NAME, unitdateinclusive: '1928-1940' }],
    ['kelp-cove-2', { ...COLLECTION, title: 'Lighthouse Interviews', extent: 'Extent Unknown' }],
    ['kelp-isle-1', { ...COLLECTION, title: 'Letters of the Isle' }],
    ...['kelp-pier-1', 'kelp-quay-3', 'kelp-rock-2'].map((id): [string, Fields] => [
      id,
      { ...COLLECTION, title: `Collection ${id}` },
    ]),
    ...['kelp-pier-1-1', 'kelp-quay-3-7', 'kelp-rock-2-1'].map((id): [string, Fields] => [
      id,
      { ...ITEM, title: `Sheet ${id}`, format: 'doc' },
    ]),
    ...Array.from({ length: 12 }, (_, n): [string, Fields] => [`kelp-cove-1-${n + 1}`, photograph(n + 1)]),
    ...[1, 2].map((n): [string, Fields] => [`kelp-cove-2-${n}`, interview(n)]),
    ...Array.from({ length: 4 }, (_, n): [string, Fields] => [`kelp-cove-2-1-${n + 1}`, segment(1, n + 1)]),
    ...Array.from({ length: 2 }, (_, n): [string, Fields] => [`kelp-cove-2-2-${n + 1}`, segment(2, n + 1)]),
    ...[1, 2, 3, 4].map((n): [string, Fields] => [`kelp-isle-1-${n}`, letter(n)]),
    ['kelp-isle-1-5', { ...ITEM, title: 'An album of letters', format: 'doc' }],
    ...[1, 2].map((n): [string, Fields] => [`kelp-isle-1-5-${n}`, { ...letter(n + 4), model: 'entity', sort: n }]),
    [FILES.master, { ...file('master', 'image/tiff', 'Front'), access_rel: `${FILES.master}-a.jpg` }],
    [FILES.mezzanine, { ...file('mezzanine', 'image/jpeg', 'Front'), access_rel: `${FILES.mezzanine}-a.jpg` }],
    [FILES.transcript, { ...file('transcript', 'text/html', 'Segment 1 Transcript'), _ext: '.htm' }],
    [FILES.external, { ...file('mezzanine', 'video/mpeg', ''), external: 1, external_urls: EXTERNAL_URLS, _ext: '.mpg' }],
    [FILES.plainText, { ...file('transcript', 'text/plain', 'Letter, typed'), _ext: '.txt' }],
  ]);
  return {
    records,
    ...createGuide(url),
    narrators: new Map(NARRATORS.map((narrator) => [narrator.id, narrator])),
    facets: {
      topics: Array.from({ length: 12 }, (_, n) => [String(n + 1), `Topic ${n + 1}`]),
      facility: [['3', 'Isle Station']],
    },
  };
}

const COLLECTION = {
  description: 'From the attic of a chandler.',
  extent: '40 prints',
  contributor: 'Cove Museum',
  rights: 'nocc',
  public: '1',
  status: 'completed',
  search_hidden: '',
};
const ROLE_AS_NAME = [
  { role: 'author', namepart: 'Wren, Ada' },
  { role: 'author', namepart: 'photographer' },
];
const ITEM = {
  description: 'Found in a drawer.',
  status: 'completed',
  record_created: '2014-01-21T16:44:28',
  record_lastmod: '2015-06-16T09:41:50',
  language: [''],
  contributor: 'Cove Museum',
  rights: 'cc',
  credit: 'Courtesy of the Cove Museum',
  search_hidden: '',
};
const VOCABULARY = 'http://vocab.getty.edu';
/** The same place, as records of different years name it. */
const PLACE_IDS = ['7', `"${VOCABULARY}/tgn/7999901"`, `"${VOCABULARY}/page/tgn/7999901"`, undefined];

function photograph(n: number): Fields {
  const id = PLACE_IDS[n % PLACE_IDS.length];
  return {
    ...ITEM,
    title: `Harbor view ${n}`,
    sort: n,
    creation: n === 2 ? '' : 'c.1931',
    location: 'Isle Station',
    geography: [{ ...(id === undefined ? {} : { id }), term: 'Lantern Cove, Outer Isle' }],
    chronology: [{ startdate: '1930-01-01 00:00:00.0', term: '1930-1939' }],
    topics: [{ id: String(n), term: `Topic ${n}` }],
    genre: 'photograph',
    format: 'img',
    extent: '2000W x 1339H (pixels)',
    alternate_id: `[keluid: kelppd-p12-0000${n}]`,
    digitize_person: 'Unknown',
    digitize_date: n === 1 ? '19-Feb-21' : '10/30/2003',
    ...(n === 1
      ? {
          record_lastmod: '2021-03-02T10:12:00',
          signature_id: FILES.mezzanine,
          persons: ['Heron, Ada\\nHeron, Ben\\nTern, Cora'],
        }
      : {}),
    ...(n === 3 ? { creators: [{ namepart: 'Lena Auk and Otto Plover', role: 'photographer' }] } : {}),
    ...(n === 4 ? { persons: [{ namepart: 'Wren, Ada', nr_id: '99999/nr0wren1', matching: 'match' }] } : {}),
    ...(n === 5 ? { facility: [{ id: '3', term: 'Isle Station' }] } : {}),
  };
}

function spokenBy(n: number): Fields {
  return {
    ...ITEM,
    description: 'Lamps and tides<p>Recorded in the kitchen of the <i>Isle Station</i>.',
    creation: 'June 27, 2003',
    language: ['eng'],
    genre: 'interview',
    format: 'vh',
    creators: [
      { namepart: n === 1 ? 'Ada Rook' : 'Sol Finch', role: 'narrator', ...(n === 1 ? { oh_id: 1 } : { id: 2 }) },
      { namepart: 'Lena Auk', role: 'interviewer' },
    ],
    signature_id: n === 1 ? 'kelpvh-arook-01' : 'kelpvh-sfinch-01',
  };
}

function interview(n: number): Fields {
  return { ...spokenBy(n), title: `${n === 1 ? 'Ada Rook' : 'Sol Finch'} Interview`, sort: n };
}

function segment(interviewNumber: number, n: number): Fields {
  return {
    ...spokenBy(interviewNumber),
    title: `${interviewNumber === 1 ? 'Ada Rook' : 'Sol Finch'} Segment ${n}`,
    sort: n,
    extent: '00:03:44',
    template: 'vh:video',
    ...(n === 1
      ? {
          ia_meta: {
            id: `kelp-cove-2-${interviewNumber}-1`,
            original: '',
            mimetype: null,
            files: { mp4: { name: 'rook.mp4', source: 'streaming', format: 'h.264 ia', mimetype: null, url: null } },
          },
        }
      : {}),
  };
}

function letter(n: number): Fields {
  const creation = { 2: '10/30/1934', 3: '3/4/1934' }[n] ?? `May ${n}, 1934`;
  return { ...ITEM, title: `Letter ${n}`, sort: n, creation, genre: 'correspondence', format: 'doc' };
}

function file(role: string, mimetype: string, title: string): Fields {
  const dimensions = { md5: '0'.repeat(32), size: 1234, basename_orig: 'import.tif', tech_notes: 'Scan type: unknown' };
  return {
    role,
    mimetype,
    title,
    description: '',
    public: '1',
    rights: 'cc',
    sort: 1,
    ...(mimetype === 'image/tiff' ? dimensions : {}),
  };
}

const EXTERNAL_URLS = [{ label: 'Public library download', url: 'https://library.example/rook.mpg' }];

const NARRATOR = { nr_id: '', generation: '', birth_location: '', bio: '', gender: 'F' };
const NARRATORS = [
  {
    ...{ ...NARRATOR, id: '1', display_name: 'Ada Rook', last_name: 'Rook', first_name: 'Ada', generation: 'Second' },
    ...{ b_date: '1915-09-23T00:00:00', d_date: '2009-10-06T00:00:00', birth_location: 'Salt Bay', image_url: 'arook.jpg' },
    bio: 'Born September 23, 1915, in Salt Bay. Kept the lamp for thirty years.',
  },
  { ...NARRATOR, id: '2', display_name: 'Sol Finch', last_name: 'Finch', first_name: 'Sol', bio: 'A pilot of the outer isles.' },
  { ...NARRATOR, id: '3', display_name: 'Nora Petrel', last_name: 'Petrel', first_name: 'Nora', bio: 'Wove nets in the loft.' },
  { ...NARRATOR, id: '4', display_name: 'Emil Dunlin', last_name: 'Dunlin', first_name: 'Emil', nr_id: '99999/nr0dunl1' },
  { ...NARRATOR, id: '5', display_name: 'Ruth Skua', last_name: 'Skua', first_name: 'Ruth' },
  { ...NARRATOR, id: '6', display_name: 'Jon Gannet', last_name: 'Gannet', first_name: 'Jon' },
];
