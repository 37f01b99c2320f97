/** Random changes of a snapshot of the sample archive, as harvests and downloads make them, for property tests. */
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { addCopies, bodyOf, type Json, LATER, storeBody } from './change-snapshot.ts';

/** A change of a snapshot. Messages about a test that failed show its label. */
export interface Change {
  label: string;
  /** Whether it changes nothing by which records are listed, ordered or related, nor a person or a title that many pages name. */
  isLocal: boolean;
  apply(db: DatabaseSync): void;
}

const rewrite = (db: DatabaseSync, key: string, more: Json) => storeBody(db, key, { ...bodyOf(db, key), ...more });

/** Kinds of changes that are local. */
const LOCAL: ReadonlySet<string> = new Set([
  ...['text of', 'size of recording', 'received later', 'media file failed', 'media file there', 'list', 'source', 'guide page'],
  ...['authors of guide page', 'sources of guide page', 'author', 'removed from the guide', 'harvested'],
]);

const SHORT = ['', 'Nets', 'Zinnias at dusk', 'A much longer title than others have, about the ferry and its crew', '港の灯り'];
const NAMES = ['Hugo Fairtide', 'Greta Marram', 'Nils Ropewalk', 'Ropewalk, Nils', 'Leif Gannet', 'Rosa Thole', 'Someone New'];

const short = fc.constantFrom(...SHORT);
const name = fc.constantFrom(...NAMES);
const agent = fc.oneof(
  name,
  fc.record(
    { namepart: name, role: fc.constantFrom('photographer', 'narrator'), nr_id: fc.constantFrom('88922/nr1001', '88922/nr9') },
    { requiredKeys: ['namepart'] },
  ),
);
const term = (...terms: string[]) =>
  fc.uniqueArray(fc.constantFrom(...terms.map((one, i) => ({ id: String(10 + i), term: one }))), { maxLength: 2 });
const place = fc.constantFrom(
  { id: '1', term: 'Tern Hill', geo_lat: '51.5', geo_lng: '-3.25' },
  { id: '2', term: 'North Pier', geo_lat: '51.6', geo_lng: '-3.2' },
  { id: '3', term: 'Nowhere', geo_lat: 'north', geo_lng: '' },
);

/** Fields of a record. Upstream sends fields without a value as null or as an empty text. */
const recordFields = fc.oneof(
  fc.record({ title: short }),
  fc.record({ creators: fc.array(agent, { maxLength: 2 }) }),
  fc.record({ persons: fc.array(agent, { maxLength: 2 }) }),
  fc.record({ topics: term('Work and livelihood -- Fishing', 'Lanterns: Oil', 'Ferries') }),
  fc.record({ creation: fc.constantFrom('1942', 'c. 1950s', 'a day in spring', '3/9/2014', null) }),
  fc.record({ language: fc.constantFrom(['eng'], ['jpn'], ['spa', 'eng'], []) }),
  fc.record({ genre: fc.constantFrom('photograph', 'interview', 'map', 'quilt') }),
  fc.record({ facility: term('North Pier Ferry House', 'A new house'), rights: fc.constantFrom('cc', 'pcc', 'nocc') }),
  fc.record({ geography: fc.array(place, { maxLength: 2 }) }),
  fc.record({ contributor: fc.constantFrom('Lantern Islands Community Archive', 'Another archive') }),
  fc.record({ sort: fc.constantFrom(0, 1, 7, 99_999) }),
);

/** What random changes choose from. */
interface Known {
  /** IDs of the records. */
  ids: string[];
  articles: string[];
  authors: string[];
  sources: string[];
  /** The stored media files, with the columns of their rows that a file does not have if its download failed. */
  media: ReadonlyArray<{ url: string; path: string }>;
  /** Keys of lists that are not empty. */
  lists: string[];
  /** IDs of the records of recordings. */
  recordings: string[];
}

function readKnown(db: DatabaseSync): Known {
  const all = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const named = (kind: string) => all(`SELECT name FROM resource WHERE kind = '${kind}' AND response IS NOT NULL ORDER BY name`);
  return {
    ...{ ids: named('object'), articles: named('article'), authors: named('author'), sources: named('source') },
    media: db.prepare(`SELECT url, path FROM media WHERE state = 'stored' ORDER BY url`).all() as unknown as Known['media'],
    recordings: all(
      `SELECT r.name FROM resource r JOIN response p ON p.id = r.response
        WHERE kind = 'object' AND json_type(CAST(p.body AS TEXT), '$.ia_meta.files') = 'object' ORDER BY r.name`,
    ),
    lists: all(
      `SELECT r.key FROM resource r JOIN response p ON p.id = r.response
        WHERE kind IN ('children', 'files') AND instr(p.body, '"objects":[{') > 0 ORDER BY r.key`,
    ),
  };
}

/** Records of each kind and level. Half of the changes are of these, so that changes meet. */
const OFTEN = ['lica-quay', 'lica-quay-1', 'lica-quay-1-1', 'lica-quay-1-2', 'lica-quay-1-40', 'lica-quay-2', 'lica-quay-2-1']
  .concat(['lica-quay-2-3', 'lica-ferry-1', 'lica-ferry-1-1', 'lica-ferry-1-1-1', 'lica-ferry-1-1-2', 'lica-ferry-2-3'])
  .concat(['lica-ferry-1000-1', 'lica-quay-1-1-mezzanine-c8476c1261', 'lica-ferry-1-1-1-transcript-6b72dd8c24']);
/** Records that may have others below them. */
const PARENTS = [
  'lica',
  'lica-quay',
  'lica-ferry',
  'lica-quay-1',
  'lica-quay-2',
  'lica-ferry-1',
  'lica-quay-2-3',
  'lica-ferry-1-1',
];

/** Changes the size that the record of a recording states. */
function resizeRecording(db: DatabaseSync, id: string, width: number): void {
  const media = bodyOf(db, `object:${id}`)['ia_meta'] as { files: Record<string, Json> };
  const files = Object.fromEntries(Object.entries(media.files).map(([name, file]) => [name, { ...file, width: String(width) }]));
  rewrite(db, `object:${id}`, { ia_meta: { ...media, files } });
}

/** A segment of an interview states another size than before, which the IIIF manifest of the interview has too. */
export const SEGMENT_RESIZED: Change = {
  label: 'segment resized',
  isLocal: true,
  apply: (db) => resizeRecording(db, 'lica-ferry-1-1-1', 640),
};

/** Returns arbitrary changes of a snapshot, given its database. */
export function arbitraryChange(db: DatabaseSync): fc.Arbitrary<Change> {
  const known = readKnown(db);
  const base = new URL((known.media[0] as { url: string }).url).origin;
  const id = fc.oneof(fc.constantFrom(...OFTEN), fc.constantFrom(...known.ids));
  const article = fc.constantFrom(...known.articles);
  const author = fc.constantFrom(...known.authors);
  const text = fc
    .tuple(
      short,
      fc.oneof(
        id.map((one) => `${base}/${one}/`),
        article.map((one) => `${base}/${encodeURIComponent(one)}/`),
      ),
      name,
    )
    .map(([words, url, who]) => `<p>${words} <a href="${url}">elsewhere</a>, by ${who}.</p>`);
  const guideLinks = (kind: string, names: fc.Arbitrary<string>) =>
    fc
      .uniqueArray(names, { maxLength: 3 })
      .map((all) => all.map((title) => ({ title, json: `${base}/api/3.0/${kind}/${encodeURIComponent(title)}/` })));
  return fc.oneof(
    weighted(8, 'fields of', fc.tuple(id, recordFields), (to, [own, fields]) => rewrite(to, `object:${own}`, fields)),
    weighted(2, 'text of', fc.tuple(id, text), (to, [own, description]) => rewrite(to, `object:${own}`, { description })),
    weighted(
      1,
      'size of recording',
      fc.tuple(fc.constantFrom(...known.recordings), fc.constantFrom(96, 320, 640)),
      (to, [own, width]) => resizeRecording(to, own, width),
    ),
    weighted(2, 'moved', fc.tuple(id, fc.constantFrom(...PARENTS)), (to, [own, parent]) => {
      if (own !== parent) rewrite(to, `object:${own}`, { parent_id: parent });
    }),
    weighted(2, 'private', id, (to, own) => rewrite(to, `object:${own}`, { public: '0', status: 'inprocess' })),
    weighted(2, 'removed', id, (to, own) => setRemoved(to, `object:${own}`)),
    weighted(1, 'purged', id, (to, own) => void to.prepare('DELETE FROM resource WHERE key = ?').run(`object:${own}`)),
    weighted(1, 'only listed', id, (to, own) => {
      to.prepare(`UPDATE resource SET state = 'failed', cause = 'timeout', response = NULL WHERE key = ?`).run(`object:${own}`);
    }),
    weighted(2, 'as at first', id, (to, own) => restoreFirst(to, `object:${own}`)),
    weighted(1, 'received later', id, (to, own) => {
      to.prepare('UPDATE response SET fetched_at = ? WHERE key = ?').run(LATER, `object:${own}`);
    }),
    weighted(
      2,
      'added',
      fc.tuple(fc.constantFrom('lica-quay-1-1', 'lica-quay-1-40', 'lica-ferry-2-3'), fc.constantFrom(1, 1, 15)),
      addCopies,
    ),
    weighted(1, 'file added', fc.constantFrom('lica-quay-1-31', 'lica-quay-1-1', 'lica-quay-2-3'), (to, own) => {
      const file = `${own}-mezzanine-0123456789`;
      storeBody(to, `object:${file}`, { ...bodyOf(to, 'object:lica-quay-1-1-mezzanine-c8476c1261'), id: file, parent_id: own });
    }),
    weighted(2, 'media file failed', fc.constantFrom(...known.media), (to, { url }) => {
      to.prepare(`UPDATE media SET state = 'failed', cause = 'for the test', path = NULL WHERE url = ?`).run(url);
    }),
    weighted(1, 'media file there', fc.constantFrom(...known.media), (to, { url, path }) => {
      to.prepare(`UPDATE media SET state = 'stored', cause = NULL, path = ? WHERE url = ?`).run(path, url);
    }),
    weighted(2, 'list', fc.tuple(fc.constantFrom(...known.lists), recordFields), (to, [key, fields]) => {
      const { objects, ...list } = bodyOf(to, key);
      storeBody(to, key, {
        ...list,
        objects: (objects as Json[]).map((entry, i) => (i === 0 ? { ...entry, ...fields } : entry)),
      });
    }),
    weighted(
      2,
      'guide page',
      fc.tuple(article, fc.record({ title: short, body: text }, { requiredKeys: [] })),
      (to, [own, fields]) => rewrite(to, `article:${own}`, fields),
    ),
    weighted(1, 'authors of guide page', fc.tuple(article, guideLinks('authors', author)), (to, [own, authors]) =>
      rewrite(to, `article:${own}`, { authors }),
    ),
    weighted(1, 'sources of guide page', fc.tuple(article, fc.subarray(known.sources.slice(0, 4))), (to, [own, sources]) =>
      rewrite(to, `article:${own}`, { sources: sources.map((one) => ({ id: one, json: `${base}/api/3.0/sources/${one}/` })) }),
    ),
    weighted(
      1,
      'author',
      fc.tuple(author, fc.oneof(fc.record({ body: text }), fc.record({ title: name }))),
      (to, [own, fields]) => rewrite(to, `author:${own}`, fields),
    ),
    weighted(1, 'source', fc.tuple(fc.constantFrom(...known.sources), short, id), (to, [own, caption, of]) =>
      rewrite(to, `source:${own}`, { caption, external_url: `${base}/${of}/` }),
    ),
    weighted(
      1,
      'removed from the guide',
      fc.oneof(
        article.map((one) => `article:${one}`),
        author.map((one) => `author:${one}`),
      ),
      setRemoved,
    ),
    weighted(1, 'harvested', fc.constant(LATER), (to, at) => void to.prepare('UPDATE run SET finished_at = ?').run(at)),
  );
}

/** Returns a kind of change that is chosen `weight` times as often as others. */
function weighted<Value>(
  weight: number,
  kind: string,
  values: fc.Arbitrary<Value>,
  apply: (db: DatabaseSync, value: Value) => void,
): { weight: number; arbitrary: fc.Arbitrary<Change> } {
  const arbitrary = values.map((value) => {
    const label = `${kind} ${JSON.stringify(value)}`;
    return { label, isLocal: LOCAL.has(kind), apply: (db: DatabaseSync) => apply(db, value), [fc.toStringMethod]: () => label };
  });
  return { weight, arbitrary };
}

function setRemoved(db: DatabaseSync, key: string): void {
  db.prepare('UPDATE resource SET removed_at = ? WHERE key = ?').run(LATER, key);
}

/** Makes the first version of a resource the latest one again. */
function restoreFirst(db: DatabaseSync, key: string): void {
  const first = db.prepare('SELECT body FROM response WHERE key = ? ORDER BY id LIMIT 1').get(key)?.['body'];
  if (first !== undefined) storeBody(db, key, JSON.parse(Buffer.from(first as Uint8Array).toString()) as Json);
}
