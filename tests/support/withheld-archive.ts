/** An archive with records, fields and names that are withdrawn, and what finds their words in any file. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { createImage } from './file-server.ts';
import { respond, respondWith, type TestUpstream } from './test-upstream.ts';

/** Words that occur only in withdrawn records, fields and names. */
export const SECRET_WORDS = {
  photograph: 'quillwort',
  field: 'marramgrass',
  collection: 'samphire',
  interview: 'thriftflower',
  person: 'Sea Holly',
} as const;
/** Texts of links to the purged interview, and a withheld name with markup in it. They occur in records and the guide. */
export const AROUND = ['tormentil', `Sea <b>Holly`];
/** ID of the withdrawn photograph. */
export const PHOTO = 'demo-org-1-1';
/** Files. The IDs of their records contain their SHA-1, or they would be quarantined. */
const TRANSCRIPT_TEXT = `A ${SECRET_WORDS.interview} was spoken of here.`;
const NOTES_TEXT = `${SECRET_WORDS.person} is named in this text.`;
const ORIGINAL = await createImage(90, 70, '#321');
const sha1Start = (bytes: string | Buffer) => createHash('sha1').update(bytes).digest('hex').slice(0, 10);
/** ID of the withdrawn photograph’s original. */
export const FILE = `${PHOTO}-master-${sha1Start(ORIGINAL)}`;
/** ID of the purged interview. */
export const INTERVIEW = 'demo-org-3-1';
/** ID of its transcript. */
export const SPOKEN = `${INTERVIEW}-1-transcript-${sha1Start(TRANSCRIPT_TEXT)}`;
/** ID of a text that names the withheld person. */
export const NOTES = `demo-org-1-3-transcript-${sha1Start(NOTES_TEXT)}`;

const crumbs = (...ids: string[]) => ids.map((id) => ({ id, label: id }));

/** Fills the test upstream with records that will be withdrawn, and with other records and guide pages that mention them. */
export async function fillUpstream(upstream: TestUpstream): Promise<readonly Buffer[]> {
  const api = (id: string, rest = '') => `${upstream.url}/api/0.2/${id}/${rest}`;
  const addRecord = (id: string, record: Record<string, unknown>, children: string[] = [], files: string[] = []) => {
    const links = {
      json: api(id),
      'children-objects': api(id, 'children/'),
      'children-files': api(id, 'files/'),
      ...(record['links'] as object),
    };
    upstream.routes.set(`/api/0.2/${id}/`, { id, ...record, links });
    for (const [list, ids] of [
      ['children', children],
      ['files', files],
    ] as const)
      upstream.routes.set(`/api/0.2/${id}/${list}/`, (request: never, response: never) =>
        respond(
          { total: ids.length, next_offset: null, objects: ids.map((child) => upstream.routes.get(`/api/0.2/${child}/`)) },
          request,
          response,
        ),
      );
  };
  const photos = [await createImage(80, 60, '#123'), ORIGINAL] as const;
  upstream.routes.set('/photo.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, photos[0]));
  upstream.routes.set('/photo-original.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, photos[1]));
  upstream.routes.set('/other.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, await createImage(70, 50, '#456')));
  upstream.routes.set('/transcript.txt', respondWith(200, { 'content-type': 'text/plain' }, TRANSCRIPT_TEXT));
  upstream.routes.set('/notes.txt', respondWith(200, { 'content-type': 'text/plain' }, NOTES_TEXT));
  addRecord(
    'demo-org-1',
    { model: 'collection', title: 'Photographs', signature_id: FILE, links: { img: `${upstream.url}/photo.jpg` } },
    [PHOTO, 'demo-org-1-2', 'demo-org-1-3'],
  );
  addRecord(
    PHOTO,
    {
      model: 'entity',
      title: `A ${SECRET_WORDS.photograph}`,
      description: `More ${SECRET_WORDS.photograph}`,
      topics: [{ id: '1', term: `Plants -- ${SECRET_WORDS.photograph}` }],
      links: { img: `${upstream.url}/photo.jpg` },
      breadcrumbs: crumbs('demo-org-1', PHOTO),
    },
    [],
    [FILE],
  );
  addRecord(FILE, {
    model: 'file',
    role: 'master',
    title: `${SECRET_WORDS.photograph}.jpg`,
    links: { img: `${upstream.url}/photo.jpg`, download: `${upstream.url}/photo-original.jpg` },
  });
  addRecord('demo-org-1-2', {
    model: 'entity',
    title: 'The slipway',
    description: `About ${SECRET_WORDS.field}`,
    search_hidden: `hidden ${SECRET_WORDS.field}`,
    creators: [{ namepart: SECRET_WORDS.person, role: 'photographer' }],
    persons: [{ namepart: 'Holly, Sea' }],
    contributor: `Lent by ${SECRET_WORDS.person}`,
    links: { img: `${upstream.url}/other.jpg` },
    breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2'),
  });
  addRecord(
    'demo-org-1-3',
    {
      model: 'entity',
      title: 'The pier',
      description: `See <a href="${upstream.url}/${PHOTO}/">the ${SECRET_WORDS.photograph}</a>.`,
      breadcrumbs: crumbs('demo-org-1', 'demo-org-1-3'),
    },
    [],
    [NOTES],
  );
  addRecord(NOTES, {
    model: 'file',
    role: 'transcript',
    title: 'Notes',
    links: { download: `${upstream.url}/notes.txt` },
  });
  addRecord('demo-org-2', { model: 'collection', title: `The ${SECRET_WORDS.collection} papers` }, ['demo-org-2-1']);
  addRecord('demo-org-2-1', {
    model: 'entity',
    title: `A letter on ${SECRET_WORDS.collection}`,
    breadcrumbs: crumbs('demo-org-2', 'demo-org-2-1'),
  });
  addRecord('demo-org-3', { model: 'collection', title: 'Interviews' }, [INTERVIEW, 'demo-org-3-2']);
  addRecord('demo-org-3-2', {
    model: 'entity',
    title: 'Another interview',
    description: `Sea <b>Holly</b> also heard <a href="${upstream.url}/${INTERVIEW}/">the tormentil recording</a>.`,
    breadcrumbs: crumbs('demo-org-3', 'demo-org-3-2'),
  });
  addRecord(
    INTERVIEW,
    {
      model: 'entity',
      title: `${SECRET_WORDS.interview}, an interview`,
      format: 'vh',
      breadcrumbs: crumbs('demo-org-3', INTERVIEW),
    },
    [`${INTERVIEW}-1`],
  );
  addRecord(
    `${INTERVIEW}-1`,
    {
      model: 'segment',
      title: `On ${SECRET_WORDS.interview}`,
      format: 'vh',
      breadcrumbs: crumbs('demo-org-3', INTERVIEW, `${INTERVIEW}-1`),
    },
    [],
    [SPOKEN],
  );
  addRecord(SPOKEN, {
    model: 'file',
    role: 'transcript',
    title: `Transcript of ${SECRET_WORDS.interview}`,
    links: { download: `${upstream.url}/transcript.txt` },
  });
  const author = (id: string, more = {}) => ({
    id,
    title: id,
    articles: [{ title: 'Harbours', json: `${upstream.url}/api/3.0/articles/Harbours/` }],
    links: { json: `${upstream.url}/api/3.0/authors/${encodeURIComponent(id)}/` },
    ...more,
  });
  upstream.routes.set('/api/3.0/authors/', {
    total: 2,
    next_offset: null,
    objects: [author('Jane Doe'), author(SECRET_WORDS.person)],
  });
  upstream.routes.set('/api/3.0/authors/Jane%20Doe/', author('Jane Doe'));
  upstream.routes.set(
    `/api/3.0/authors/${encodeURIComponent(SECRET_WORDS.person)}/`,
    author(SECRET_WORDS.person, { body: `<p>${SECRET_WORDS.person} wrote.</p>` }),
  );
  upstream.routes.set('/api/3.0/articles/Harbours/', {
    title: 'Harbours',
    body: `<p>By ${SECRET_WORDS.person}: <a href="${upstream.url}/${PHOTO}/">The ${SECRET_WORDS.photograph}</a> and <a href="${upstream.url}/demo-org-1-3/">the pier</a>, <a href="${upstream.url}/${INTERVIEW}/">the tormentil recording</a>.</p>`,
    authors: [{ title: 'Jane Doe', json: `${upstream.url}/api/3.0/authors/Jane%20Doe/` }],
    sources: [{ id: 's-photo' }, { id: 's-interview' }],
  });
  upstream.routes.set('/api/3.0/sources/s-photo/', {
    id: 's-photo',
    caption: `Caption of ${SECRET_WORDS.photograph}`,
    object: PHOTO,
  });
  upstream.routes.set('/api/3.0/sources/s-interview/', {
    id: 's-interview',
    caption: `Caption of ${SECRET_WORDS.interview}`,
    object: `${INTERVIEW}-1`,
  });
  return photos;
}

/** The setting that withholds them. */
export const CONFIG = {
  withhold: [
    { id: PHOTO, reason: 'At the family’s request.', date: '2026-10-01' },
    { id: 'demo-org-1-2', fields: 'description', reason: 'It names a neighbor.', date: '2026-10-02' },
    { collection: 'demo-org-2', reason: 'Lent for a year.', date: '2026-10-03', page: 'none' },
    { person: SECRET_WORDS.person, reason: 'By request.', date: '2026-10-04' },
    { id: 'demo-org-1-99', reason: 'Mistyped.', date: '2026-10-05' },
  ],
};

/** Returns all texts in some bytes: the bytes themselves, and the decompressed data in them. */
function readableTexts(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const unpacked = [
    ...(bytes[0] === 0x1f && bytes[1] === 0x8b ? [bytes] : []),
    ...(text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []).map((match) => Buffer.from(match, 'base64')),
  ];
  return [
    text,
    bytes.toString(),
    ...unpacked.flatMap((data) => (data[0] === 0x1f && data[1] === 0x8b ? readableTexts(gunzipSync(data)) : [])),
  ];
}

/** Returns which of the secret words can be read in which files, paths included. */
export function findLeaks(
  files: Iterable<[path: string, bytes: Buffer]>,
  words: readonly string[] = Object.values(SECRET_WORDS),
): string[] {
  return [...files].flatMap(([path, bytes]) =>
    readableTexts(Buffer.concat([Buffer.from(`${path}\n`), bytes]))
      .concat(readableTexts(bytes))
      .flatMap((text) =>
        words.filter((word) => text.toLowerCase().includes(word.toLowerCase())).map((word) => `${word} in ${path}`),
      ),
  );
}
