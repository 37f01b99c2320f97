/** Years and dates in the formats of reference managers: only what the archive's words state. */
import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { createCitations } from './citation.ts';

const CHRONOLOGY = [{ startdate: '1920-01-01 00:00:00.0', enddate: '1945-12-31 00:00:00.0', term: 'Between the wars' }];

function citationsOf(creation: string | undefined, more: Record<string, unknown> = {}) {
  const raw = { id: 'demo-org-1-2', model: 'entity', genre: 'photograph', format: 'img', creation, ...more };
  const record = parseRecord(raw) as ArchivalRecord;
  const none = { collection: undefined, url: undefined, accessed: undefined };
  return Object.fromEntries(createCitations({ record, title: 'Pier', archive: 'Demo Archive', ...none }).texts);
}

function datesOf(creation: string | undefined, more?: Record<string, unknown>) {
  const cited = citationsOf(creation, more);
  return {
    ris: /^PY {2}- (.*)$/m.exec(cited['RIS'] ?? '')?.[1],
    bibtex: /^\tyear = \{(.*)\},$/m.exec(cited['BibTeX'] ?? '')?.[1],
    biblatex: /^\tdate = \{(.*)\},$/m.exec(cited['biblatex'] ?? '')?.[1],
  };
}

describe.each([
  ['1942', '1942', '1942'],
  ['March 4, 1942', '1942', '1942-03-04'],
  ['3/4/1942', '1942', '1942'],
  ['c. 1942', '1942', '1942~'],
  ['1942?', '1942', '1942?'],
  ['early 1942', '1942', '1942~'],
  ['Fall 1937', '1937', '1937-23'],
  ['Jan.-Feb. 1943', '1943', '1943-01/1943-02'],
  ['March or April 1942', '1942', undefined],
  ['1942-1945', '1942', '1942/1945'],
  ['1942-45', '1942', '1942/1945'],
  ['1942-', '1942', '1942/'],
  ['ca. 1942-1945', '1942', '1942~/1945'],
  ['昭和10年-昭和17年', '1935', '1935/1942'],
  ['1940s', undefined, '194X'],
  ['c. 1940s', undefined, '194X~'],
  ['194-', undefined, '194X'],
  ['20th century', undefined, '19XX'],
  ['late 19th century', undefined, undefined],
  ['early 1940s', undefined, undefined],
  ['1940s-1950s', undefined, undefined],
  ['años 1940 a años 1950', undefined, undefined],
  ['1940年代-1950年代', undefined, undefined],
  ['昭和10年代', undefined, undefined],
  ['昭和', undefined, undefined],
  ['Showa era', undefined, undefined],
  ['Edo period', undefined, undefined],
  ['1942 or 1943', undefined, undefined],
  ['between 1942 and 1945', undefined, undefined],
  ['1942 and 1945', undefined, undefined],
  ['March 4 and May 6, 1942', '1942', undefined],
  ['before 1942', undefined, undefined],
  ['after 1942', undefined, undefined],
  ['by 1942', undefined, undefined],
  ['no readable date', undefined, undefined],
])('“%s”', (creation, year, biblatex) => {
  it(`has the year ${year}, and in biblatex ${biblatex}`, () =>
    expect(datesOf(creation)).toEqual({ ris: year, bibtex: year, biblatex }));

  it('is given in the archive’s own words if a format cannot say it', () => {
    const cited = citationsOf(creation);
    const isPlain = /^(?:1942|March 4, 1942)$/.test(creation);
    if (!isPlain) expect([cited['RIS'], cited['BibTeX']].join('\n').match(/Date: .*/g)).toHaveLength(2);
    if (biblatex === undefined) expect(cited['biblatex']).toContain(`Date: ${creation}`);
  });
});

it('cites the archive’s words for an era or a decade', () => {
  for (const creation of ['昭和', '昭和10年代', '1940s', 'Showa era'])
    expect(citationsOf(creation)['Chicago']).toContain(`Photograph, ${creation}.`);
});

it.each([undefined, 'undated', 's.d.', 'circa the second ferry'])(
  'never cites the period of a chronology; the date of creation is “%s”',
  (creation) => {
    const chronology = { chronology: CHRONOLOGY };
    expect(datesOf(creation, chronology)).toEqual({});
    expect(Object.values(citationsOf(creation, chronology)).join('\n')).not.toMatch(/19(?:20|45)/);
  },
);

it.each([undefined, 'undated', 'n.d.', 'sin fecha', '年代不詳'])(
  'is “n.d.” in APA if the date of creation is “%s”, with a chronology or without',
  (creation) => {
    for (const more of [{}, { chronology: CHRONOLOGY }])
      expect(citationsOf(creation, more)['APA']).toBe('Pier [Photograph]. (n.d.). (demo-org-1-2), Demo Archive.');
  },
);
