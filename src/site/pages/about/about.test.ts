import { expect, it } from 'vitest';
import type { Entries } from '../../../catalogue/catalogue.ts';
import type { Failure } from '../../../snapshot/read.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createAboutView } from './about.ts';

const entries = { objects: { count: () => 0 }, authors: [], articles: [] } as unknown as Entries;

function viewOf(failures: Array<Partial<Failure>>, more: Partial<Site['facts']> = {}) {
  const [locale] = createLocales(['en']);
  const facts = { catalogUrl: 'http://a.example', authorsUrl: 'http://a.example', complete: true, withheld: [], failures };
  const counts = { removedCount: 0, missingImageCount: 0, missingFileCount: 0, filesElsewhere: 0, filesInside: 0 };
  return createAboutView(entries, { facts: { ...facts, ...counts, ...more }, locale } as unknown as Site);
}

const missing = (kind: Failure['kind'], name: string, referrer: string | null): Partial<Failure> => ({
  kind,
  name,
  referrer,
  cause: 'HTTP 500',
  status: 500,
  missing: true,
  hasEarlierVersion: false,
});

it('says in one sentence each what the archive does not have, and lists only other failures', () => {
  const {
    missing: listed,
    notes,
    isComplete,
  } = viewOf([
    missing('article', 'One', 'author:Ada'),
    missing('article', 'Two', 'author:Ada'),
    missing('object', 'demo-org-1-1', 'source:s1'),
    missing('object', 'demo-org-9', null), // the operator named it
  ]);
  expect([listed.map(({ id }) => id), isComplete]).toEqual([['demo-org-9'], false]);
  expect(notes).toEqual([
    '2 articles that authors name are not in the guide.',
    '1 record that the guide names is not in the archive.',
    'The live archive does not have these either, so no copy can.',
  ]);
});

it('says since when a record could not be updated, and how many files are on other servers', () => {
  const failure = { kind: 'object' as const, name: 'demo-org-1', cause: 'HTTP 500', hasEarlierVersion: true, missing: false };
  const { notes, isComplete } = viewOf([{ ...failure, since: '2026-11-20T10:00:00.000Z' }], {
    filesElsewhere: 76,
    filesInside: 1,
  });
  expect(isComplete).toBe(false);
  expect(notes).toEqual([
    '1 record could not be updated in the last harvest, nor since November 20, 2026; an earlier version is shown.',
    '76 files are on other servers and were not copied.',
    '1 file is on a server that only the archive’s own network reaches.',
  ]);
});

it.each([
  [{ missingImageCount: 1 }, false],
  [{ missingFileCount: 1 }, false],
  [{ filesInside: 1 }, false],
  [{ complete: false }, false],
  [{ removedCount: 1 }, true],
  [{}, true],
])('with %j, whether everything was copied: %j', (facts, isComplete) => expect(viewOf([], facts).isComplete).toBe(isComplete));
