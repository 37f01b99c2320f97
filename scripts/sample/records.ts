/** Creates the archival records of the sample archive (docs/upstream-api.md, "Records API"). The number of a record determines its peculiarities. */
import { parseId } from '../../src/model/ids.ts';
import {
  CATALOG,
  CREATIONS,
  DIGITIZE_DATES,
  detail,
  FACILITIES,
  letterTitle,
  NOTE,
  ORGANIZATIONS,
  PLACES,
  person,
  QUESTIONS,
  REPOSITORY,
  sceneTitle,
  TOPICS,
} from './vocabulary.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A collection that upstream lists and does not have (404), so that its page is built from breadcrumbs. */
export const MISSING_COLLECTION = 'lica-quay-3';

/** The collections, with their numbers of items. */
export const COLLECTIONS = [
  { id: 'lica-quay-1', title: 'Harbour Photographs', entities: 40 },
  { id: 'lica-quay-2', title: 'Letters of the Net Loft', entities: 26 },
  { id: MISSING_COLLECTION, title: 'Ledgers Gone Astray', entities: 4 },
  { id: 'lica-ferry-1', title: 'Voices of the Sound: <i>interviews</i>', entities: 12 },
  { id: 'lica-ferry-2', title: 'Papers of the Ferry Union', entities: 30 },
  { id: 'lica-ferry-1000', title: 'Lantern Makers &amp; Packers: interviews', entities: 8 },
] as const;

const FIELDS =
  'id record_created record_lastmod status public sort title description creation location creators language genre format extent contributor alternate_id digitize_person digitize_organization digitize_date credit rights rights_statement topics persons facility chronology geography parent signature_id'.split(
    ' ',
  );
const RIGHTS = ['cc', 'pcc', 'nocc', 'pdm', 'cc', 'orphan'];

function timestamp(n: number): string {
  const day = new Date(Date.UTC(2015, 0, 5 + ((n * 37) % 2900), 9, (n * 13) % 60, (n * 7) % 60));
  return day.toISOString().slice(0, 19);
}

function breadcrumbs(id: string): Json[] {
  const { parent, model, role, sha1Prefix } = parseId(id);
  const label = model === 'file' ? `${role}-${sha1Prefix}` : (id.split('-').at(-1) as string);
  const idpart = { collection: 'cid', entity: 'eid', segment: 'sid', file: 'sha1' }[model as 'collection'] ?? 'id';
  const own = { id, model, idpart, label, api_url: `${CATALOG}/api/0.2/${id}/`, url: `${CATALOG}/${id}/` };
  return parent && id.split('-').length > 3 ? [...breadcrumbs(parent), own] : [own];
}

/** URLs of the images of a record. */
export type Images = { img: string; thumb: string };

/** Returns the fields that records of all models have. `images` are the URLs of the record's image, if it has one. */
export function commonFields(id: string, n: number, images?: Images): Json {
  const { model, parent, collection } = parseId(id);
  return {
    id,
    model,
    collection_id: collection,
    links: {
      html: `${CATALOG}/${id}/`,
      json: `${CATALOG}/api/0.2/${id}/`,
      ...(images ?? {}),
      ...(parent ? { parent: `${CATALOG}/api/0.2/${parent}/` } : {}),
      ...(model === 'file'
        ? {}
        : ['entity', 'segment'].includes(model)
          ? { 'children-objects': `${CATALOG}/api/0.2/${id}/children/`, 'children-files': `${CATALOG}/api/0.2/${id}/files/` }
          : { children: `${CATALOG}/api/0.2/${id}/children/` }),
    },
    parent_id: parent ?? '',
    organization_id: id.split('-').slice(0, 2).join('-'),
    breadcrumbs: id.split('-').length >= 3 ? breadcrumbs(id) : [],
    record_created: timestamp(n),
    record_lastmod: timestamp(n + 40),
    status: 'completed',
    public: '1',
    sort: n,
    search_hidden: '',
  };
}

/** Returns the record of the repository. */
export function createRepository(): Json {
  return { ...commonFields(REPOSITORY, 1), title: 'Lantern Islands Community Archive', description: NOTE, parent_id: null };
}

/** Returns the record of an organization. */
export function createOrganization(n: number): Json {
  const { id, title, description } = ORGANIZATIONS[n] as (typeof ORGANIZATIONS)[number];
  return { ...commonFields(id, n + 1), title, description: `${description} ${NOTE}` };
}

/** Returns the record of a collection. */
export function createCollection(n: number): Json {
  const { id, title, entities } = COLLECTIONS[n] as (typeof COLLECTIONS)[number];
  return {
    ...commonFields(id, n + 1),
    title,
    description: `${entities} items kept by the people of the islands. ${NOTE}`,
    unitdateinclusive: '1908-1961',
    unitdatebulk: '1938-1951',
    physloc: 'Loft shelf 4, boxes 1–6',
    acqinfo: 'Gifts of 31 families, 2009 to 2014.',
    custodhist: 'Kept in sea chests until the lofts were cleared in 1988.',
    accruals: n % 2 ? '' : 'More is promised each winter.',
    processinfo: 'Sorted by hand, scanned at 600 dpi, described on Thursday evenings.',
    accessrestrict: null,
    userrestrict: 'Ask before printing on tea towels.',
    prefercite: `Courtesy of the Lantern Islands Community Archive, ${id} (imaginary).`,
    bioghist:
      '<p>The quay was built in 1871 and has burned <em>twice</em>.</p><p>Its people fished, packed, ferried and made lanterns.</p>',
    scopecontent: 'Photographs, letters, timetables and recorded memories of work and festivals.',
    relatedmaterial: 'See also the harbour log, which is still at sea.',
    separatedmaterial: [],
    notes: 'Invented for testing.',
    extent: `${entities} items`,
    language: n === 1 ? ['eng', 'jpn', 'fre'] : ['eng'],
    contributor: 'Lantern Islands Community Archive',
    creators: [{ namepart: 'Quayside History Circle', role: 'author' }],
    rights: 'cc',
    credit: 'Lantern Islands Community Archive (imaginary)',
    topics: [TOPICS[n % TOPICS.length]],
    topics_id: [(TOPICS[n % TOPICS.length] as { id: string }).id],
  };
}

/** Returns fields that photographs, documents and interviews share: dates, people, topics, places, and values that are missing in different ways. */
function descriptiveFields(n: number): Json {
  const topics = [TOPICS[n % TOPICS.length], TOPICS[(n * 3 + 1) % TOPICS.length]].filter(
    (topic, i, all) => all.indexOf(topic) === i,
  );
  const facility = FACILITIES[n % FACILITIES.length] as (typeof FACILITIES)[number];
  const place = PLACES[n % PLACES.length] as (typeof PLACES)[number];
  const creator = { namepart: person(n), role: n % 3 ? 'photographer' : 'author' };
  const unset = [undefined, null, '', []][n % 4]; // all four mean that the field has no value
  return {
    creation: CREATIONS[n % CREATIONS.length],
    location: n % 9 === 8 ? '' : place.term,
    creators: n % 10 === 7 ? unset : [n % 12 === 5 ? { namepart: creator.role, role: creator.namepart } : creator],
    language: n % 8 === 6 ? unset : ['eng', ...(n % 11 === 3 ? ['jpn'] : []), ...(n % 29 === 4 ? ['xyz'] : [])],
    contributor: 'Lantern Islands Community Archive',
    alternate_id: n % 5 ? '' : `LI/${1000 + n}`,
    digitize_person: person(n + 3),
    digitize_organization: 'Quayside History Circle',
    digitize_date: DIGITIZE_DATES[n % DIGITIZE_DATES.length],
    credit: 'Courtesy of the Lantern Islands Community Archive (imaginary)',
    rights: RIGHTS[n % RIGHTS.length],
    rights_statement: n % 4 ? null : 'Families may copy freely; others please ask.',
    ...(n % 6 === 5 ? { topics: unset } : { topics, topics_id: topics.map((topic) => topic?.id) }),
    ...(n % 4 === 3 ? { facility: unset } : { facility: [facility], facility_id: [facility.id] }),
    persons:
      n % 7 === 6
        ? unset
        : n % 2
          ? [{ namepart: person(n + 11), nr_id: `88922/nr${1000 + n}` }, person(n + 12)]
          : [{ namepart: person(n + 11), oh_id: n }],
    chronology:
      n % 5 === 4
        ? unset
        : [
            {
              startdate: `19${30 + (n % 25)}-03-01 00:00:00.0`,
              ...(n % 2 ? { enddate: `19${31 + (n % 25)}-10-31 00:00:00.0` } : {}),
              term: n % 2 ? 'The ferry years' : 'Flood of 1947',
            },
          ],
    geography:
      n % 6 === 1
        ? unset
        : [
            {
              id: `"${place.uri}"`,
              term: place.term,
              ...(n % 2
                ? { geo_lat: place.lat, geo_lng: place.lng }
                : { geo_lat: String(place.lat), geo_lng: String(place.lng) }),
            },
          ],
    _fields: FIELDS,
    search_hidden: n % 3 === 0 ? '' : `${person(n + 11).split(' ')[1]} box${n} loft shelf`,
  };
}

/** Returns the record of a photograph. `file` is the ID of the file that represents it, if there is one. */
export function createPhotograph(id: string, n: number, images: Images | undefined, file: string | null): Json {
  return {
    ...commonFields(id, n, images),
    ...descriptiveFields(n),
    signature_id: file ?? '',
    title: `${sceneTitle(n)}${n > 12 ? `, view ${n}` : ''}`,
    description: `${sceneTitle(n)}, seen from the loft stairs. ${detail(n)} ${detail(n + 3)}`,
    genre: n === 17 ? 'zine' : n % 13 === 0 ? 'postcard' : 'photograph',
    format: 'img',
    extent: `${6 + (n % 5)} x ${4 + (n % 3)} inches, print, black and white`,
    download_large: images ? (images.img.split('/').at(-1) as string) : '',
  };
}

/** Returns the record of a document. `file` is the ID of the file that represents it, if there is one. */
export function createDocument(id: string, n: number, images: Images | undefined, file: string | null): Json {
  return {
    ...commonFields(id, n, images),
    ...descriptiveFields(n + 100),
    signature_id: file,
    title: `${letterTitle(n)} no. ${n}`,
    description: `${letterTitle(n)}, written in ink on ruled paper. ${detail(n + 1)}`,
    genre: n % 3 === 0 ? 'correspondence' : n % 3 === 1 ? 'misc_document' : 'timetable',
    format: 'doc',
    extent: `${1 + (n % 4)} leaves`,
    rights: RIGHTS[(n + 1) % RIGHTS.length],
    download_large: '',
  };
}

/** Returns the record of an interview. */
export function createInterview(id: string, n: number, narrator: string, images: Images, narratorNumber: number): Json {
  return {
    ...commonFields(id, n, images),
    ...descriptiveFields(n + 200),
    signature_id: '',
    title: `${narrator} Interview`,
    description: `An interview with ${narrator}, recorded in the ferry house. ${detail(n)}`,
    creation: `June ${1 + (n % 28)}, ${2009 + (n % 5)}`,
    creators: [
      { namepart: narrator, role: 'narrator', oh_id: narratorNumber },
      { namepart: person(n + 40), role: 'interviewer' },
    ],
    language: n === 5 ? ['jpn', 'eng'] : ['eng'],
    genre: 'interview',
    format: n % 5 === 4 ? 'av' : 'vh',
    extent: `0${1 + (n % 2)}:${String(10 + n).padStart(2, '0')}:09`,
    download_large: '',
  };
}

/** Returns the record of a segment. `iaMeta` describes its recording. */
export function createSegment(id: string, n: number, narrator: string, parent: Json, iaMeta: Json | null | undefined): Json {
  return {
    ...commonFields(id, n, parent['links'] as Images),
    ...descriptiveFields(n + 200),
    links: {
      ...(commonFields(id, n)['links'] as Json),
      img: (parent['links'] as Json)['img'],
      thumb: (parent['links'] as Json)['thumb'],
    },
    signature_id: parent['signature_id'],
    title: `${narrator} Interview Segment ${n}: ${QUESTIONS[n % QUESTIONS.length]}`,
    description: `${narrator} speaks of it: ${(QUESTIONS[n % QUESTIONS.length] as string).toLowerCase()}. ${detail(n + 2)}`,
    creation: parent['creation'],
    creators: parent['creators'],
    genre: 'interview',
    format: parent['format'],
    extent: `00:0${1 + (n % 8)}:${String((n * 17) % 60).padStart(2, '0')}`,
    template: 'vh:video',
    download_large: '',
    ...(iaMeta === undefined ? {} : { ia_meta: iaMeta }),
  };
}
