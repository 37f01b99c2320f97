import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { createLocales } from '../../language/locale.ts';
import { type Notice, openNotices } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';
import { countFichePages, createFicheView, hasFiche } from './fiche.ts';

const collection = { id: 'c-1', model: 'collection', title: 'The quay', ancestors: [], facets: {} } as unknown as ListedEntry;
const records = (count: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      ({
        ...collection,
        id: `c-1-${i}`,
        model: 'entity',
        title: `View ${i}`,
        ancestors: ['c-1'],
        mediaUrls: [`${i}`],
      }) as ListedEntry,
  );

/** Returns a site of a collection, of which each record but one has an image. */
function siteOf(children: readonly ListedEntry[], notices: readonly Notice[] = [], without?: string): Site {
  const image = (path: string) => ({ path, width: 300, height: 200 });
  return {
    locale: createLocales(['en'])[0],
    notices: openNotices(notices),
    images: {
      get: (url: string) =>
        url === without ? undefined : { thumb: image(`thumbs/${url}.webp`), page: image(`media/${url}.webp`) },
    },
    relations: { object: () => collection, children: () => ({ withMedia: () => children }) },
    archiveLanguages: { main: 'en', named: [] },
  } as unknown as Site;
}
const notice = (kind: Notice['kind'], ids: string[]): Notice => ({
  kind,
  title: `A ${kind}`,
  ids,
  key: kind,
  text: undefined,
  image: undefined,
  link: undefined,
});
const framesOf = (site: Site, page = 1) => createFicheView(collection, page, site).sheets.flat();

it('has a collection of twelve images or more', () => {
  expect(hasFiche(collection, siteOf(records(12)))).toBe(true);
  expect(hasFiche(collection, siteOf(records(12), [], '3'))).toBe(false);
  expect(hasFiche({ ...collection, model: 'entity' }, siteOf(records(12)))).toBe(false);
});

it('has 98 frames on a sheet, and six sheets on a page', () => {
  const site = siteOf(records(1000));
  expect(countFichePages(collection, site)).toBe(2);
  const sheets = [1, 2].map((page) => createFicheView(collection, page, site).sheets.map(({ length }) => length));
  expect(sheets).toEqual([Array.from({ length: 6 }, () => 98), [98, 98, 98, 98, 20]]);
  expect(framesOf(site, 2)[0]).toMatchObject({ path: 'objects/c-1-588.html', title: 'View 588' });
});

it('leaves out a record without an image', () => {
  expect(framesOf(siteOf(records(14), [], '3')).map(({ title }) => title)).not.toContain('View 3');
});

it('shows no image of a record with a warning, or with a label that the collection does not have', () => {
  const site = siteOf(records(14), [notice('warning', ['c-1-3']), notice('label', ['c-1-5'])]);
  const frames = framesOf(site);
  expect(frames).toHaveLength(14);
  expect(frames.filter(({ image, larger }) => !image && !larger).map(({ title, notice: why }) => [title, why])).toEqual([
    ['View 3', 'Content warning: A warning'],
    ['View 5', 'Label: A label'],
  ]);
  const labeled = siteOf(records(14), [notice('label', ['c-1'])]);
  expect(framesOf(labeled).every(({ image }) => image)).toBe(true);
  expect(createFicheView(collection, 1, labeled).labels.map(({ title }) => title.text)).toEqual(['A label']);
  expect(hasFiche(collection, siteOf(records(14), [notice('warning', ['c-1'])]))).toBe(false);
});
