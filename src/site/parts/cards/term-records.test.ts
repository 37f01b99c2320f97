import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { createLocales } from '../../language/locale.ts';
import { openNotices } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';
import { createCard } from './card.ts';
import { createTermRecords } from './term-records.ts';

const entry = (id: string, more: Partial<ListedEntry>): ListedEntry =>
  ({
    id,
    model: 'entity',
    title: `The title of ${id}`,
    ancestors: [],
    mediaUrls: [],
    media: [],
    facets: {},
    ...more,
  }) as unknown as ListedEntry;

const interview = entry('demo-org-1-1', { title: 'Ada Quill Interview', genre: 'interview', ancestors: ['demo-org-1'] });
const segment = entry('demo-org-1-1-2', {
  model: 'segment',
  title: 'Ada Quill Interview Segment 2',
  parent: 'demo-org-1-1',
  ancestors: ['demo-org-1', 'demo-org-1-1'],
  durationSeconds: 137,
});
const transcript = entry('demo-org-1-1-2-transcript-aa', {
  model: 'file',
  title: 'Transcript',
  ancestors: ['demo-org-1', 'demo-org-1-1', 'demo-org-1-1-2'],
});
const photograph = entry('demo-org-1-3', { genre: 'photograph', ancestors: ['demo-org-1'] });
const scan = entry('demo-org-1-3-master-bb', { model: 'file', ancestors: ['demo-org-1', 'demo-org-1-3'] });
const orphan = entry('demo-org-1-9-1', { model: 'segment', ancestors: ['demo-org-1', 'demo-org-1-9'] });
const collection = entry('demo-org-1', { model: 'collection' });

const all = [collection, interview, segment, transcript, photograph, scan, orphan];
const site = {
  locale: createLocales(['en'])[0],
  images: { get: () => undefined },
  notices: openNotices([]),
  relations: {
    entry: () => undefined,
    object: (id: string) => all.find((each) => each.id === id),
    children: () => Object.assign([], { withMedia: () => [] }),
  },
  archiveLanguages: { main: 'en', named: [] },
} as unknown as Site;

it('folds segments and files into their interview, also if the list lacks the interview', () => {
  const { cards, interviews } = createTermRecords([segment, transcript, photograph, scan, orphan], site);
  expect(cards.map(({ id }) => id)).toEqual([photograph.id, scan.id, orphan.id]);
  expect(interviews.map(({ isCounted }) => isCounted)).toEqual([false]);
  expect(interviews.map(({ card, parts }) => [card.title, parts.map(({ title, fact }) => [title, fact])])).toEqual([
    [
      'Ada Quill Interview',
      [
        ['Segment 2', '2:17'],
        ['Transcript', 'File'],
      ],
    ],
  ]);
});

it('has an interview without segments as a row of its own', () => {
  expect(createTermRecords([interview], site)).toMatchObject({
    cards: [],
    interviews: [{ card: { id: interview.id }, isCounted: true, parts: [] }],
  });
});

it('names the collections of records of one title', () => {
  const [twin, other] = ['demo-org-1-4', 'demo-org-1-5'].map((id) => entry(id, { title: 'The quay', ancestors: ['demo-org-1'] }));
  const { cards } = createTermRecords([photograph, twin, other] as ListedEntry[], site);
  expect(cards.map(({ id, notes }) => [id, notes])).toEqual([
    [photograph.id, undefined],
    ['demo-org-1-4', ['The title of demo-org-1']],
    ['demo-org-1-5', ['The title of demo-org-1']],
  ]);
});

it('calls a segment whose title is a number by what it is about, and keeps its whole title', () => {
  const about = { ...segment, subject: 'The winter catch' };
  const [row] = createTermRecords([about], site).interviews;
  expect(row?.parts.map(({ title }) => title)).toEqual(['The winter catch']);
  expect(createCard(about, site)).toMatchObject({ title: 'The winter catch', fullTitle: 'Ada Quill Interview Segment 2' });
});

it('calls a record whose title is its ID by what it is and the ID, so that several can be told apart', () => {
  expect(createCard({ ...photograph, title: photograph.id }, site).title).toBe(`Record ${photograph.id}`);
  expect(createCard({ ...collection, title: `[${collection.id}]` }, site).title).toBe(`Collection ${collection.id}`);
  const organization = entry('demo-org', { model: 'organization', title: 'demo-org' });
  expect(createCard(organization, site).title).toBe('demo-org');
});
