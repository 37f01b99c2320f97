import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentOf } from '../../../tests/support/catalogue-content.ts';
import { createCatalogueFile, replaceEntries, type TestEntries } from '../../../tests/support/catalogue-file.ts';
import { createTestDirectory } from '../../../tests/support/commands.ts';
import { openForWriting } from '../catalogue-file.ts';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../entries.ts';
import { openRelations, type Relations } from '../lists/relations.ts';
import { compareCatalogues } from './compare-catalogues.ts';
import { READS } from './read-keys.ts';
import { recordReads } from './recorded-relations.ts';

/** What the tests vary in a record. */
interface Varied {
  title: string;
  excerpt: string;
  model: ObjectEntry['model'];
  parent: string;
  sort: number;
  topics: number[];
  narrator: number;
  creator: number;
  live: number;
  hasImage: boolean;
  /** Of its date. */
  year?: number;
  /** The latitude of its place; it has none if this is 0. */
  latitude?: number;
}

/** Both forms of one name, and another name. */
const NAMES = ['Leif Vane', 'Vane, Leif', 'Ada Quill'];

const COLLECTIONS = ['demo-org-1', 'demo-org-2'];

function entryOf(
  id: string,
  { title, excerpt, model, parent, sort, topics, narrator, creator, live, hasImage, year, latitude = 0 }: Varied,
): ObjectEntry {
  return {
    id,
    model,
    title,
    excerpt,
    parent,
    sort,
    ancestors: [parent],
    fileRoleAbove: undefined,
    date: undefined,
    unreadDate: undefined,
    genre: undefined,
    format: undefined,
    mediaUrls: hasImage ? [`https://archive.example/${id}.jpg`] : [],
    media: [],
    streamOnlyUrls: [],
    durationSeconds: undefined,
    subject: undefined,
    role: undefined,
    narrators: narrator < 3 ? [`narrator-${narrator}`] : [],
    positions: latitude === 0 ? [] : [{ place: 'quay', lat: latitude, lng: 1 }],
    unusablePositions: [],
    facets: {
      topic: [...new Set(topics)].map((n) => ({ slug: `topic-${n}`, label: `Topic ${n}` })),
      ...(year === undefined ? {} : { time: [{ slug: String(year), label: String(year) }] }),
      // Two places can have one name.
      ...(narrator < 6 ? { place: [{ slug: `place-${narrator}`, label: `Place ${narrator % 3}` }] } : {}),
      ...(creator < NAMES.length ? { creator: [{ slug: `name-${creator}`, label: NAMES[creator] as string }] } : {}),
    },
    mentions: [],
    linkTargets: [],
    preferredCitation: undefined,
    liveUrl: live < 3 ? `https://archive.example/page/${live}` : undefined,
    origin: 'record',
    bodyVersion: title,
    removedAt: undefined,
    lastmod: undefined,
  };
}

const varied: fc.Arbitrary<Varied> = fc.record({
  title: fc.constantFrom('Net', 'Boat', 'Quay'),
  excerpt: fc.constantFrom('', 'Repairing nets'),
  model: fc.constantFrom('entity', 'entity', 'entity', 'segment', 'file'),
  parent: fc.constantFrom(...COLLECTIONS),
  sort: fc.nat(3),
  // Most records have the first topic, so that it has more than are compared.
  topics: fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3), { maxLength: 3 }),
  narrator: fc.nat(12),
  creator: fc.nat(100),
  live: fc.nat(60),
  hasImage: fc.boolean(),
  year: fc.integer({ min: 1938, max: 1942 }),
  latitude: fc.nat(2),
});

type Records = ReadonlyMap<string, Varied>;

/** An archive, and the same one after some changes. */
const archives: fc.Arbitrary<[Records, Records]> = fc
  .tuple(
    fc.array(varied, { minLength: 5, maxLength: 260 }),
    fc.array(fc.tuple(fc.nat(270), fc.option(varied, { freq: 4 })), { maxLength: 5 }),
  )
  .map(([list, changes]) => {
    const before = new Map(list.map((one, n) => [`demo-org-1-${n}`, one]));
    const after = new Map(before);
    for (const [n, one] of changes) {
      if (one) after.set(`demo-org-1-${n}`, one);
      else after.delete(`demo-org-1-${n}`);
    }
    return [before, after];
  });

const AUTHORS = ['Leif Vane', 'Ada Quill', 'Nils Ropewalk'].map(
  (name, n) => ({ name, title: name, slug: `author-${n}`, titleSort: name, articles: [] }) as unknown as AuthorEntry,
);

function entriesOf(records: Records): TestEntries {
  const objects = Array.from(records, ([id, one]) => entryOf(id, one));
  const top: Varied = {
    title: 'Top',
    excerpt: '',
    model: 'collection',
    parent: 'demo-org',
    sort: 0,
    topics: [],
    narrator: 9,
    creator: 99,
    live: 9,
    hasImage: false,
  };
  const article: ArticleEntry = {
    name: 'Nets',
    liveUrl: undefined,
    title: `Topic ${objects.length % 4}`,
    slug: 'nets',
    titleSort: 'nets',
    excerpt: '',
    authors: [],
    images: [],
    position: undefined,
    sourceCount: 0,
    objects: objects.filter(({ title }) => title === 'Quay').map(({ id }) => id),
    sha256: '',
    removedAt: undefined,
  };
  return { objects: [...COLLECTIONS.map((id) => entryOf(id, top)), ...objects], authors: AUTHORS, articles: [article] };
}

/** Copies a catalogue file, and brings the copy up to date. Returns it with the keys that have changed. */
function update(path: string, entries: TestEntries) {
  copyFileSync(path, `${path}-now`);
  const db = openForWriting(`${path}-now`);
  replaceEntries(db, entries);
  return { db, ...compareCatalogues(db, path) };
}

/** Reads as pages do. The result can be compared. */
const READERS: ReadonlyArray<(relations: Relations, id: string, n: number) => unknown> = [
  (relations, id) => [relations.object(id), relations.has(id)],
  (relations, id) => relations.entry(id),
  (relations, id) => relations.idOfPage(id),
  (relations, _, n) => relations.children(COLLECTIONS[n % 2] as string).slice((n % 6) * 50, (n % 6) * 50 + 50),
  (relations, _, n) => relations.children(COLLECTIONS[n % 2] as string).slice(n, n + 3),
  (relations, _, n) => relations.children(COLLECTIONS[n % 2] as string).slice(n),
  (relations, _, n) => relations.children(COLLECTIONS[n % 2] as string).length,
  (relations, _, n) => relations.children(COLLECTIONS[n % 2] as string).only('segment').length,
  (relations, _, n) => [
    ...relations
      .children(COLLECTIONS[n % 2] as string)
      .except('segment')
      .slice(0, 5),
  ],
  (relations, _, n) =>
    Iterator.from(relations.children(COLLECTIONS[n % 2] as string).withMedia())
      .take(2)
      .toArray(),
  (relations, id, n) => relations.files(COLLECTIONS[n % 2] as string).indexOf(id),
  (relations, _, n) => [...relations.files(COLLECTIONS[n % 2] as string)],
  (relations, _, n) => relations.recordsWith('topic', `topic-${n % 4}`).slice(50, 100),
  (relations, _, n) => relations.recordsWith('topic', `topic-${n % 4}`).length,
  (relations, id) => {
    const entry = relations.entry(id);
    return entry && [relations.previousAndNext(entry), relations.related(entry), relations.otherInterviews(entry, 5)];
  },
  (relations, _, n) => relations.byLiveUrl(`http://www.archive.example/page/${n % 4}/`),
  (relations, _, n) => [relations.terms('topic'), relations.term('topic', `topic-${n % 4}`)],
  (relations, _, n) => relations.summary('topic', `topic-${n % 4}`),
  (relations, _, n) => relations.named(`topic ${n % 4}`),
  (relations, _, n) => relations.placeNamed(`place ${n % 3}`),
  (relations, id) => relations.articlesAbout(id),
  (relations, _, n) => [relations.people(), relations.person(`name-${n % 3}`), relations.person(`author-${n % 3}`)],
  (relations, _, n) => relations.personOfAuthor(`author-${n % 3}`),
  (relations, _, n) => relations.interviewsWith(`narrator-${n % 3}`),
];

it('finds every read whose result differs', () => {
  const directory = createTestDirectory();
  let runs = 0;
  let differing = 0;
  fc.assert(
    fc.property(archives, ([before, after]) => {
      const [earlier, current] = [entriesOf(before), entriesOf(after)];
      const path = join(directory, `${runs++}.sqlite`);
      createCatalogueFile(earlier, path).close();
      const first = new DatabaseSync(path);
      const { db: second, keys: changed } = update(path, current);
      const fresh = createCatalogueFile(current);
      expect(contentOf(second)).toEqual(contentOf(fresh));
      fresh.close();
      const keys = new Set<string>();
      const relations = recordReads(openRelations(first, earlier), (key) => keys.add(key));
      const now = openRelations(second, current);
      const ids = [...new Set([...before.keys(), ...after.keys()])];
      for (const [n, id] of ids.entries())
        for (const [reader, read] of READERS.entries()) {
          keys.clear();
          const result = JSON.stringify(read(relations, id, n));
          if (result === JSON.stringify(read(now, id, n))) continue;
          differing++;
          expect(keys.isDisjointFrom(changed), `reader ${reader} of ${id} (${n}): ${[...keys].join(', ')}`).toBe(false);
        }
      first.close();
      second.close();
    }),
    { numRuns: 25 },
  );
  expect(differing).toBeGreaterThan(500);
});

it('finds little more', () => {
  const records = new Map(
    Array.from({ length: 400 }, (_, n): [string, Varied] => [
      `demo-org-1-${n}`,
      {
        title: 'Net',
        excerpt: '',
        model: 'entity',
        parent: 'demo-org-1',
        sort: n,
        topics: [0],
        narrator: 9,
        creator: 99,
        live: 99,
        hasImage: false,
      },
    ]),
  );
  const before = entriesOf(records);
  const path = join(createTestDirectory(), 'earlier.sqlite');
  createCatalogueFile(before, path).close();
  const changesOf = (change: (records: Map<string, Varied>) => void) => {
    const changed = new Map(records);
    change(changed);
    const { db, keys } = update(path, entriesOf(changed));
    db.close();
    return keys;
  };
  const one = records.get('demo-org-1-200') as Varied;
  expect(changesOf(() => undefined)).toEqual(new Set());
  expect(changesOf((all) => all.set('demo-org-1-200', { ...one, excerpt: 'New' }))).toEqual(
    new Set([READS.entry('demo-org-1-200')]),
  );
  expect(changesOf((all) => all.set('demo-org-1-200', { ...one, title: 'Boat' }))).toEqual(
    new Set([READS.entry('demo-org-1-200'), READS.listed('demo-org-1-200')]),
  );
  const deleted = changesOf((all) => all.delete('demo-org-1-200'));
  expect([...deleted].filter((key) => key.startsWith('siblings')).sort()).toEqual([
    'siblings demo-org-1-199',
    'siblings demo-org-1-201',
  ]);
  expect([...deleted].filter((key) => key.startsWith('related')).length).toBeLessThan(105);
  expect(deleted.has('block 0 children demo-org-1')).toBe(false);
  expect(deleted.has('block 7 children demo-org-1')).toBe(true);
});

it('counts records that are new, changed and removed', () => {
  const one: Varied = {
    title: 'Net',
    excerpt: '',
    model: 'entity',
    parent: 'demo-org-1',
    sort: 0,
    topics: [],
    narrator: 9,
    creator: 99,
    live: 99,
    hasImage: false,
  };
  const records = ['demo-org-1-1', 'demo-org-1-2', 'demo-org-1-3'].map((id): [string, Varied] => [id, one]);
  const path = join(createTestDirectory(), 'earlier.sqlite');
  createCatalogueFile(entriesOf(new Map(records)), path).close();
  const changed = new Map(records).set('demo-org-1-3', { ...one, title: 'Boat' }).set('demo-org-1-4', one);
  changed.set('demo-org-1-5', one).delete('demo-org-1-2');
  const { db, records: counted } = update(path, entriesOf(changed));
  expect(counted).toEqual({ added: 2, changed: 1, removed: 1 });
  db.close();
});
