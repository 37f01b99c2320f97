import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { narratorPortrait } from './narrator-portrait.ts';
import { findThumbnail, type ThumbnailContext } from './record-thumbnail.ts';

const [PORTRAIT, OWN] = ['https://media.demo.example/rook.jpg', 'https://media.demo.example/own.jpg'];
const image = (path: string) => ({ thumb: { path, width: 400, height: 300 } });

/** A record of a collection, spoken by `narrators`. `own`: URLs of its images. */
const entry = (id: string, fields: object) =>
  ({
    id,
    model: 'entity',
    genre: 'interview',
    ancestors: ['demo-1'],
    mediaUrls: [],
    narrators: ['ada-rook'],
    ...fields,
  }) as never;

/** A site in which one of two narrators has a portrait. Records in `covered` have a content warning. */
function createSite(records: ListedEntry[], covered: readonly string[] = []) {
  const people = new Map([
    ['ada-rook', '1'],
    ['sol-finch', '2'],
  ]);
  const site = {
    images: new Map([PORTRAIT, OWN].map((url) => [url, image(url.replace(/.*\//, 'thumbs/'))])),
    notices: {
      mediaUrls: ({ mediaUrls }: ListedEntry) => mediaUrls,
      of: ({ id }: ListedEntry) => ({ warnings: covered.includes(id) ? [{}] : [], labels: [] }),
    },
    relations: {
      entry: (id: string) => records.find((each) => each.id === id),
      person: (slug: string) => ({ slug, narrator: people.get(slug) }),
      narratorOf: (id: string) => ({ '1': { id, portrait: PORTRAIT }, '2': { id } })[id],
      interviewsWith: (slug: string) =>
        records.filter((each) => (each as unknown as { narrators: string[] }).narrators.includes(slug)),
    },
  };
  return site as unknown as ThumbnailContext;
}

const shown = (record: ListedEntry, site = createSite([record])) => findThumbnail(record, site)?.image.path;

it('shows an interview without an image by the portrait of its first narrator who has one', () => {
  expect(shown(entry('demo-1-1', {}))).toBe('thumbs/rook.jpg');
  expect(shown(entry('demo-1-1', { genre: undefined, format: 'vh' }))).toBe('thumbs/rook.jpg');
  expect(shown(entry('demo-1-1', { narrators: ['sol-finch', 'ada-rook'] }))).toBe('thumbs/rook.jpg');
});

it('shows no portrait for an image of the interview’s own, other records, or a narrator without one', () => {
  expect(shown(entry('demo-1-1', { mediaUrls: [OWN] }))).toBe('thumbs/own.jpg');
  expect(shown(entry('demo-1-1', { genre: 'photograph' }))).toBeUndefined();
  expect(shown(entry('demo-1-1', { narrators: ['sol-finch'] }))).toBeUndefined();
});

it('shows the portrait for a segment only if no other narrator can be the one who speaks', () => {
  const [alone, two] = [entry('demo-1-1', {}), entry('demo-1-2', { narrators: ['ada-rook', 'sol-finch'] })];
  const site = createSite([alone, two]);
  expect(narratorPortrait(alone, site, true)?.path).toBe('thumbs/rook.jpg');
  expect(narratorPortrait(two, site, true)).toBeUndefined();
});

it('covers the portrait with the images of each interview that needs a content warning', () => {
  const [first, second] = [entry('demo-1-1', {}), entry('demo-1-2', {})];
  expect(shown(second, createSite([first, second], ['demo-1-1']))).toBeUndefined();
});
