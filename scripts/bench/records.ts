/** Invented archival records for benchmarks, like the sample archive's photographs. A record's number decides all of it. */
import { listKindsForId, parseId } from '../../src/model/ids.ts';
import words from './vocabulary.json' with { type: 'json' };

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Base URL of the guide API. */
export const GUIDE = 'https://guide.lantern-islands.example';
/** Base URL of the records API. */
export const CATALOG = 'https://catalog.lantern-islands.example';
/** Marks every record as invented. */
export const NOTE =
  'Invented sample data. The Lantern Islands, their people, their archive and their pictures are imaginary; any likeness is chance.';

const givenIndex = (n: number) => (n * 7) % words.given.length;
const familyIndex = (n: number) => (n * 5 + Math.floor(n / 24)) % words.family.length;
/** The number of the name of the person `n`: people of one name have one number, as in a large archive the same people recur. */
const nameNumber = (n: number) => givenIndex(n) * words.family.length + familyIndex(n);
const person = (n: number) => `${words.given[givenIndex(n)]} ${words.family[familyIndex(n)]}`;
const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;

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

/** What links to the lists of items are called. */
const NAMES_OF_LISTS: Record<string, string> = { children: 'children-objects', files: 'children-files' };

/** Returns the fields that records of all models have. */
export function commonFields(id: string, n: number): Json {
  const { model, parent, collection } = parseId(id);
  const lists = listKindsForId(id);
  const linkTo = (list: string) => [lists.length > 1 ? NAMES_OF_LISTS[list] : list, `${CATALOG}/api/0.2/${id}/${list}/`];
  return {
    id,
    model,
    collection_id: collection,
    links: {
      html: `${CATALOG}/${id}/`,
      json: `${CATALOG}/api/0.2/${id}/`,
      ...(parent ? { parent: `${CATALOG}/api/0.2/${parent}/` } : {}),
      ...Object.fromEntries(lists.map(linkTo)),
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

/** Returns dates, people, topics, places, and values that are missing in different ways. */
function descriptiveFields(n: number): Json {
  const topics = [...new Set([pick(words.topics, n), pick(words.topics, n * 3 + 1)])];
  const facility = pick(words.facilities, n);
  const place = pick(words.places, n);
  const creator = { namepart: person(n), role: n % 3 ? 'photographer' : 'author' };
  const unset = [undefined, null, '', []][n % 4]; // all four mean that the field has no value
  const [named, name] = [{ namepart: person(n + 11) }, nameNumber(n + 11)];
  const mentioned = n % 2 ? [{ ...named, nr_id: `88922/nr${1000 + name}` }, person(n + 12)] : [{ ...named, oh_id: name }];
  const dayOf = (year: number, day: string) => `19${year + (n % 25)}-${day} 00:00:00.0`;
  const period = { startdate: dayOf(30, '03-01'), ...(n % 2 ? { enddate: dayOf(31, '10-31') } : {}) };
  const { lat, lng } = place;
  const position = n % 2 ? { geo_lat: lat, geo_lng: lng } : { geo_lat: String(lat), geo_lng: String(lng) };
  return {
    creation: pick(words.creations, n),
    location: n % 9 === 8 ? '' : place.term,
    creators: n % 10 === 7 ? unset : [n % 12 === 5 ? { namepart: creator.role, role: creator.namepart } : creator],
    language: n % 8 === 6 ? unset : ['eng', ...(n % 11 === 3 ? ['jpn'] : []), ...(n % 29 === 4 ? ['xyz'] : [])],
    contributor: 'Lantern Islands Community Archive',
    alternate_id: n % 5 ? '' : `LI/${1000 + n}`,
    digitize_person: person(n + 3),
    digitize_organization: 'Quayside History Circle',
    digitize_date: pick(words.digitizeDates, n),
    credit: 'Courtesy of the Lantern Islands Community Archive (imaginary)',
    rights: pick(words.rights, n),
    rights_statement: n % 4 ? null : 'Families may copy freely; others please ask.',
    ...(n % 6 === 5 ? { topics: unset } : { topics, topics_id: topics.map((topic) => topic.id) }),
    ...(n % 4 === 3 ? { facility: unset } : { facility: [facility], facility_id: [facility.id] }),
    persons: n % 7 === 6 ? unset : mentioned,
    chronology: n % 5 === 4 ? unset : [{ ...period, term: n % 2 ? 'The ferry years' : 'Flood of 1947' }],
    geography: n % 6 === 1 ? unset : [{ id: `"${place.uri}"`, term: place.term, ...position }],
    _fields: words.fields,
    search_hidden: n % 3 === 0 ? '' : `${person(n + 11).split(' ')[1]} box${n} loft shelf`,
  };
}

/** Returns the record of a photograph without an image. */
export function createPhotograph(id: string, n: number): Json {
  const scene = pick(words.scenes, n);
  return {
    ...commonFields(id, n),
    ...descriptiveFields(n),
    signature_id: '',
    title: `${scene}${n > 12 ? `, view ${n}` : ''}`,
    description: `${scene}, seen from the loft stairs. ${pick(words.details, n)} ${pick(words.details, n + 3)}`,
    genre: n === 17 ? 'zine' : n % 13 === 0 ? 'postcard' : 'photograph',
    format: 'img',
    extent: `${6 + (n % 5)} x ${4 + (n % 3)} inches, print, black and white`,
    download_large: '',
  };
}
