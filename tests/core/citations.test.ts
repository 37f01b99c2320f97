/** The site's own citations against independent programs: the citation processor citeproc, and parsers of RIS and BibTeX. */
import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../src/model/records.ts';
import { formatApa } from '../../src/site/citation/apa.ts';
import { formatBiblatex, formatBibtex } from '../../src/site/citation/bibtex.ts';
import { formatChicago } from '../../src/site/citation/chicago.ts';
import { toCslJson } from '../../src/site/citation/csl-json.ts';
import { createCitedItem } from '../../src/site/citation/item.ts';
import { formatMla } from '../../src/site/citation/mla.ts';
import { personalName } from '../../src/site/citation/names.ts';
import { formatRis } from '../../src/site/citation/ris.ts';
import { CHICAGO_CSL, MLA_CSL } from '../support/citation-styles.ts';
import { findCslErrors } from '../support/csl-data.ts';

const csl = plugins.config.get('@csl');
csl.templates.add('chicago-archival', CHICAGO_CSL);
csl.templates.add('mla-archival', MLA_CSL);

function formatWithCiteproc(item: object, template: string): string {
  const engine = csl.engine([{ ...item, id: 'item' }], template, 'en-US', 'text');
  engine.updateItems(['item']);
  // The processor changes apostrophes, and abbreviates September in another way than the MLA's handbook.
  return (engine.makeBibliography()[1][0] ?? '').trim().replaceAll('’', "'").replaceAll('Sep.', 'Sept.');
}

const straight = (text: string) => text.replaceAll('’', "'");

const name = fc.constantFrom(
  ...['Hugo Fairtide', 'Ikeda, Russell K., Jr.', 'Ōta, Inés María', 'Vincent van Gogh', 'John Smith III'],
  ...[
    'Brannan Slough Methodist Church',
    'Quayside History Circle',
    'Hokusai',
    'Jean-Paul Ousel',
    'Gabriel García Márquez',
    'JACL',
  ],
  ...["Máire O'Dálaigh", 'Susan St. John', 'Ota family', 'Acme, Inc.'],
);
const creator = fc.record({
  namepart: name,
  role: fc.constantFrom('author', 'photographer', 'narrator', 'interviewer', 'videographer', 'publisher'),
});
const creation = fc.constantFrom(
  ...[
    '1942',
    '1942-1945',
    'c. 1942',
    'March 1942',
    'March 4, 1942',
    '1942-03-04',
    'March 1942 - May 1942',
    'March 1942 - April 1943',
  ],
  ...[
    'December 24-26, 1942',
    'March 4 - April 2, 1942',
    'September 2, 2010',
    'before 1942',
    'Winter 1943-1944',
    '',
    'ca. 1942-1945',
  ],
);
const title = fc.constantFrom(
  ...[
    'Nets drying',
    'What now?',
    'The “Isabel” at the quay',
    '婦人会 議事録',
    'The harbor, no. 3',
    'Letter of Mr. Vane to A. B.',
    'An end…',
  ],
  ...['Read “What Now?”', 'It is so!', 'Vane’s boat'],
);
const record = fc
  .record({
    creators: fc.array(creator, { maxLength: 4 }),
    creation,
    title,
    genre: fc.constantFrom('photograph', 'interview', 'correspondence', 'map', undefined),
    format: fc.constantFrom('img', 'vh', 'doc'),
    model: fc.constantFrom('entity', 'segment', 'collection'),
  })
  .map((raw) => parseRecord({ id: 'demo-org-1-2', ...raw }) as ArchivalRecord);
const itemOf = (read: ArchivalRecord) =>
  createCitedItem({
    record: read,
    title: read.title ?? '',
    archive: 'Demo Archive',
    collection: 'Harbor',
    url: 'https://demo.example/demo-org-1-2/',
    accessed: '2026-11-21T10:00:00.000Z',
  });

it('writes CSL-JSON that its schema allows', () => {
  fc.assert(
    fc.property(record, (read) => void expect(findCslErrors({ ...toCslJson(itemOf(read)) })).toEqual([])),
    { numRuns: 150 },
  );
});

it('formats Chicago and MLA as the citation processor does', () => {
  fc.assert(
    fc.property(record, (read) => {
      const item = itemOf(read);
      // Between two names of which one is not divided, the processor's comma differs.
      if (item.authors.length === 2 && item.authors.map(personalName).includes(undefined)) return;
      expect(straight(formatChicago(item))).toBe(formatWithCiteproc(toCslJson(item), 'chicago-archival'));
      // The processor has a comma before “et al.” also after a name that cannot be inverted.
      const [first] = item.authors;
      if (item.authors.length > 2 && first && !personalName(first)) return;
      // The processor leaves the archive's words for a date in lower case at the beginning of a sentence.
      expect(straight(formatMla(item)).toLowerCase()).toBe(formatWithCiteproc(toCslJson(item), 'mla-archival').toLowerCase());
    }),
    { numRuns: 150 },
  );
});

it('formats names and date of APA as the citation processor does', () => {
  fc.assert(
    fc.property(record, (read) => {
      const item = itemOf(read);
      const [start] = /^.*?\((?:ca\. )?[^()]*\d{4}[^()]*\)\. |^.*?\(n\.d\.\)\. /.exec(formatApa(item)) ?? [''];
      // The processor writes the months of two years as “1942–1943, March–April”.
      const [from, to] = item.date.parts ?? [];
      if (to && from?.[0] !== to[0] && to.length > 1) return;
      // It writes “Fairtide, H. & JACL”, where the manual has a comma.
      const names = item.authors.map(personalName);
      if (names.length > 0 && !names.includes(undefined))
        expect(formatWithCiteproc({ ...toCslJson(item), type: 'webpage' }, 'apa')).toContain(straight(start));
    }),
    { numRuns: 150 },
  );
});

const parse = (text: string, type: string) => plugins.input.chain(text, { forceType: type })[0] as Record<string, unknown>;
const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      '婦人会',
      '議事録',
      'Nets',
      'Ōta',
      '&',
      '100%',
      'a_b',
      '#1',
      '$5',
      '~',
      '^',
      '{',
      '}',
      '\\',
      '“x”',
      '<i>y</i>',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  ),
  { minLength: 1, maxLength: 6 },
);

it('writes RIS that a parser reads back, with whole texts', () => {
  fc.assert(
    fc.property(record, words, (read, parts) => {
      const item = { ...itemOf(read), title: itemOf({ ...read, title: parts.join(' ') }).title };
      const back = parse(formatRis(item), '@ris/file');
      expect(back['title']).toBe(item.title);
      expect(back['URL']).toBe(item.url);
      expect(back).toMatchObject({ id: 'demo-org-1-2', 'call-number': 'demo-org-1-2', source: 'Demo Archive' });
      expect(back['accessed']).toMatchObject({ 'date-parts': [[2026, 11, 21]] });
      const all = JSON.stringify(back);
      for (const { literal } of item.interviewers) expect(all).toContain(literal.split(/[ ,]/)[0]);
      if (item.date.year !== undefined) expect(all).toContain(String(item.date.year));
      if (item.authors.length > 0) expect(back['author']).toHaveLength(item.authors.length);
      if (item.date.parts?.length === 1) expect(back['issued']).toMatchObject({ 'date-parts': item.date.parts });
    }),
    { numRuns: 150 },
  );
});

it('writes BibTeX and biblatex that a parser reads back, with whole texts', () => {
  fc.assert(
    fc.property(record, words, (read, parts) => {
      const item = { ...itemOf(read), title: itemOf({ ...read, title: parts.join(' ') }).title };
      for (const [text, type] of [
        [formatBibtex(item), '@bibtex/text'],
        [formatBiblatex(item), '@biblatex/text'],
      ] as const) {
        const back = parse(text, type);
        const letters = (value: unknown) => String(value).replace(/<[^>]*>|[^\p{L}\p{N}]/gu, '');
        expect(letters(back['title'])).toBe(letters(item.title));
        expect(back['citation-key']).toBe('demo-org-1-2');
        if (item.authors.length > 0) expect(back['author']).toHaveLength(item.authors.length);
        if (type === '@biblatex/text') expect(back['accessed']).toMatchObject({ 'date-parts': [[2026, 11, 21]] });
        expect(back['URL']).toBe(item.url);
        expect(text).not.toContain('undefined');
        for (const part of ['Demo Archive', 'Harbor', 'demo-org-1-2']) expect(text).toContain(part);
      }
    }),
    { numRuns: 150 },
  );
});
