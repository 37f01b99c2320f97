import { expect, it } from 'vitest';
import type { ListedEntry } from '../../catalogue/entries.ts';
import { createAttractView } from '../pages/attract/attract.ts';
import { toCandidate } from '../pages/home/featured.ts';
import { findListedImage, findThumbnail, type ThumbnailContext, thumbnailsAmong } from '../parts/cards/record-thumbnail.ts';
import type { Site } from '../site.ts';
import { applyToArchive, type Notice, openNotices } from './notices.ts';

const notice = (kind: Notice['kind'], title: string, ids: string[]): Notice => ({
  kind,
  title,
  ids,
  key: title,
  text: undefined,
  image: undefined,
  link: undefined,
});
const record = (id: string, ancestors: string[], model: ListedEntry['model'] = 'entity') =>
  ({ id, ancestors, model, mediaUrls: [id], media: [], genre: 'photograph', title: id }) as unknown as ListedEntry;

it('applies a notice to a record and all below it, those from above first, and each once', () => {
  const { of } = openNotices([
    notice('warning', 'own', ['c-1-1']),
    notice('label', 'label', ['c-1']),
    notice('warning', 'above', ['c-1', 'c-1-1']),
  ]);
  const titles = (id: string, ancestors: string[]) => {
    const { warnings, labels } = of({ id, ancestors });
    return [warnings.map(({ title }) => title), labels.map(({ title }) => title)];
  };
  expect(titles('c-1', [])).toEqual([['above'], ['label']]);
  expect(titles('c-1-1', ['c-1'])).toEqual([['above', 'own'], ['label']]);
  expect(titles('c-1-1-1', ['c-1', 'c-1-1'])).toEqual([['above', 'own'], ['label']]);
  expect(titles('c-2', [])).toEqual([[], []]);
});

it('covers a record wherever an image would represent it, and not the collection that has other images', () => {
  const image = (path: string) => ({ path, width: 300, height: 200 });
  const [covered, other] = [record('c-1-1', ['c-1']), record('c-1-2', ['c-1'])];
  const site = {
    images: {
      get: (url: string) => (url.startsWith('c-1-') ? { thumb: image(`thumbs/${url}`), page: image(`media/${url}`) } : undefined),
    },
    relations: { children: () => ({ withMedia: () => [covered, other] }), entry: () => undefined },
    notices: openNotices([notice('warning', 'w', ['c-1-1'])]),
    tiles: { get: () => undefined },
    copiedFiles: { get: () => undefined },
    locale: { rootPath: '', t: { object: { imageOf: String, kinds: {} }, codes: { item: {}, model: {} } } },
  } as unknown as Site & ThumbnailContext;
  expect(findListedImage(covered, site, '../')).toMatchObject({
    image: { path: '../assets/no-picture-covered.svg' },
    isPlaceholder: true,
  });
  expect(findListedImage(other, site)).toMatchObject({ image: { path: 'thumbs/c-1-2' }, isPlaceholder: false });
  expect(findThumbnail(record('c-1', [], 'collection'), site)?.image.path).toBe('thumbs/c-1-2');
  expect([covered, other].map((entry) => toCandidate(entry, site)?.id)).toEqual([undefined, 'c-1-2']);
  expect(createAttractView([covered, other], site).slides.map(({ title }) => title)).toEqual(['c-1-2']);
});

it('lets an image with a label represent something else only if all have one, and then with the label', () => {
  const [labeled, other] = [record('c-1-1', ['c-1']), record('c-1-2', ['c-1'])];
  const siteWith = (ids: string[]) =>
    ({
      images: { get: (url: string) => (url.startsWith('c-1-') ? { thumb: { path: url }, page: { path: url } } : undefined) },
      relations: { children: () => ({ withMedia: () => [labeled, other] }) },
      notices: openNotices([notice('label', 'l', ids)]),
    }) as unknown as ThumbnailContext;
  const collection = record('c-1', [], 'collection');
  const shown = (ids: string[]) => {
    const site = siteWith(ids);
    const among = [...thumbnailsAmong([labeled, other], site)].map(({ shows }) => shows.id);
    return [findThumbnail(collection, site)?.shows.id, ...among];
  };
  expect(shown(['c-1-1'])).toEqual(['c-1-2', 'c-1-2', 'c-1-1']);
  expect(shown(['c-1-1', 'c-1-2'])).toEqual(['c-1-1', 'c-1-1', 'c-1-2']);
  // A label on the collection is on its card.
  expect(shown(['c-1'])).toEqual(['c-1-1', 'c-1-1', 'c-1-2']);
});

it('keeps an image with a label from representing another record that has it too', () => {
  const segment = record('c-1-1-1', ['c-1', 'c-1-1'], 'segment');
  const interview = { ...record('c-1-1', ['c-1']), mediaUrls: ['c-1-1-1', 'own'] };
  const [applied] = applyToArchive([notice('label', 'l', ['c-1-1-1'])], {
    listed: () => undefined,
    withMedia: () => [segment, interview],
  } as unknown as Parameters<typeof applyToArchive>[1]);
  const { mediaUrls } = openNotices(applied ? [applied] : []);
  expect([mediaUrls(interview), mediaUrls(segment)]).toEqual([['own'], ['c-1-1-1']]);
});

it('lets records with notices of their own have the same image, unless one has a warning and the other only a label', () => {
  const entries = ['c-1-1', 'c-1-2', 'c-1-3'].map((id) => ({ ...record(id, ['c-1']), mediaUrls: ['same'] }));
  const applied = applyToArchive(
    [notice('label', 'a', ['c-1-1']), notice('label', 'b', ['c-1-2']), notice('warning', 'c', ['c-1-3'])],
    { listed: () => undefined, withMedia: () => entries } as unknown as Parameters<typeof applyToArchive>[1],
  );
  const { mediaUrls } = openNotices(applied);
  expect(entries.map(mediaUrls)).toEqual([[], [], ['same']]);
  const { mediaUrls: ofLabels } = openNotices(
    applyToArchive([notice('label', 'a', ['c-1-1']), notice('label', 'b', ['c-1-2'])], {
      listed: () => undefined,
      withMedia: () => entries,
    } as unknown as Parameters<typeof applyToArchive>[1]),
  );
  expect(entries.map(ofLabels)).toEqual([['same'], ['same'], []]);
});
