import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { type CslItem, createCitations, formatWithPattern, formatWithProcessor } from './citation.ts';

const cite = (raw: Record<string, unknown>) =>
  Object.fromEntries(
    createCitations({
      record: parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw }) as ArchivalRecord,
      title: 'Nets drying',
      archive: 'Demo Archive',
      collection: 'Harbour',
      url: 'https://demo.example/demo-org-1-2/',
      accessed: '2026-11-21T10:00:00.000Z',
    }),
  );

describe('a photograph', () => {
  const styles = cite({
    genre: 'photograph',
    format: 'img',
    creation: 'c. 1942',
    creators: [{ namepart: 'Hugo Fairtide', role: 'photographer' }],
  });

  it('is cited in Chicago style', () =>
    expect(styles['Chicago']).toBe(
      'Hugo Fairtide. “Nets drying.” Photograph, c. 1942. demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.',
    ));

  it('is cited in APA style', () =>
    expect(styles['APA']).toBe(
      'Hugo Fairtide. (ca. 1942). Nets drying (demo-org-1-2) [Photograph]. Demo Archive. https://demo.example/demo-org-1-2/',
    ));

  it('is cited in BibTeX and RIS', () => {
    expect(styles['BibTeX']).toMatch(/^@misc\{[\s\S]*title = \{Nets drying\}[\s\S]*\}$/);
    expect(styles['RIS']).toMatch(/^TY {2}- ART\n[\s\S]*AU {2}- Hugo Fairtide\n[\s\S]*ER {2}-$/);
  });
});

it('cites the narrator of an interview as its author, and the interviewer', () => {
  const creators = [
    { namepart: 'Leif Vane', role: 'narrator' },
    { namepart: 'Bram Ousel', role: 'interviewer' },
  ];
  expect(cite({ genre: 'interview', creation: 'June 2, 2010', creators })['Chicago']).toBe(
    'Leif Vane. “Nets drying,” interview by Bram Ousel. Interview, June 2, 2010. demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.',
  );
});

it('leaves out what is unknown', () => {
  expect(cite({})['Chicago']).toBe('“Nets drying.” demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.');
  expect(cite({ creation: 'before the second ferry', genre: 'letter_book' })['APA']).toContain('before the second ferry');
});

it('D44: uses the record’s ID as the BibTeX key, so that keys are unique', () => {
  for (const id of ['demo-org-1-2', 'demo-org-1-3', 'demo-org-1-2-mezzanine-0a1b2c3d4e'])
    expect(cite({ id, creators: [{ namepart: 'Hugo Fairtide' }] })['BibTeX']).toContain(`{${id},`);
});

it('D18: prevents text of a record from starting a line of RIS or ending a field of BibTeX', () => {
  const breaks = '\nER  - \r\nTY  - BOOK\u2028AU  - Forged\u0085KW  - x';
  const long = `${'x'.repeat(70)}ER  - `;
  const styles = cite({
    genre: `photograph${breaks}`,
    creation: `c. 1942${breaks}`,
    creators: [{ namepart: `A${breaks}` }, { namepart: long }, { namepart: 'B }, evil = {', role: 'interviewer' }],
  });
  const lines = styles['RIS']?.split(/[\n\r\u0085\u2028]/) ?? [];
  expect(lines.filter((line) => !/^[A-Z][A-Z0-9] {2}-(?: |$)/.test(line))).toEqual([]);
  expect(lines.filter((line) => /^(?:TY|ER|KW) /.test(line))).toEqual([expect.stringMatching(/^TY/), 'ER  -']);
  expect(lines).toContain(`AU  - ${'x'.repeat(70)}ER -`);
  expect(styles['BibTeX']).not.toMatch(/^\s*(?:ER|TY|evil)/m);
});

it('D11: cites records with texts and IDs that are names of JavaScript’s own methods, and the records after them', () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const letters = (text: string) =>
    text
      .replaceAll('textunderscore', '')
      .replace(/[^a-z]/gi, '')
      .toLowerCase();
  for (const name of names) {
    const record = parseRecord({ id: 'demo-org-1-2', creation: name, genre: name, creators: [name] }) as ArchivalRecord;
    const cited = { record, title: name, archive: name, collection: name, url: undefined, accessed: undefined };
    for (const citations of [
      createCitations(cited),
      createCitations({ ...cited, record: { ...record, id: name } }),
      createCitations({ ...cited, record: parseRecord({ id: 'demo-org-1-2' }) as ArchivalRecord }),
    ])
      for (const [style, text] of citations) expect(letters(text), `${style} of ${name}`).toContain(letters(name));
  }
  expect(cite({})['Chicago']).toBe('“Nets drying.” demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.');
});

/** Words as they occur in titles and names, and sometimes arbitrary ones. */
const words = fc.oneof(
  fc
    .array(
      fc.oneof(
        {
          weight: 9,
          arbitrary: fc.constantFrom(
            'Nets',
            'drying',
            'on',
            'the',
            'Quay',
            'no.',
            '18',
            'Máire',
            'O’Dálaigh',
            '山の灯',
            '(view',
            '2)',
            'and',
            'de',
            'La',
            'USS',
            'iPad',
            '–',
            'A:',
            'Letter;',
            'Smith,',
            'John',
          ),
        },
        { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 6 }).map((text) => text.replace(/\s/g, 'x')) },
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(' ')),
  fc.constantFrom('What now?', '“Quoted” whole', 'An end…', 'lower case', '<i>Marked</i> up', "it's", 'Mr.'),
);
const item: fc.Arbitrary<CslItem> = fc.record(
  {
    id: fc.constant('demo-org-1-2'),
    type: fc.constantFrom('graphic', 'manuscript', 'interview', 'collection', 'motion_picture', 'map'),
    title: words,
    author: fc.array(fc.record({ literal: words }), { minLength: 1, maxLength: 3 }),
    interviewer: fc.array(fc.record({ literal: words }), { minLength: 1, maxLength: 2 }),
    issued: fc.constantFrom(
      { 'date-parts': [[1942]] },
      { 'date-parts': [[1942], [1945]], circa: true },
      { 'date-parts': [[1947, 2, 11]] },
      { literal: 'n.d.' },
    ),
    medium: fc.constantFrom('photograph', 'correspondence', 'interview'),
    archive: words,
    archive_collection: words,
    archive_location: fc.constantFrom('demo-org-1-2', 'lica-quay-1-1'),
    URL: fc.constantFrom('https://demo.example/demo-org-1-2/', 'http://x.example/a-1/'),
  },
  { requiredKeys: ['id', 'title', 'archive', 'archive_location'] },
);

it('formats by pattern exactly like the processor', () => {
  fc.assert(
    fc.property(item, fc.constantFrom('apa', 'microfiche-chicago'), (cslItem, style) => {
      expect(formatWithPattern(cslItem, style)).toBe(formatWithProcessor(cslItem, style));
    }),
    { numRuns: 400 },
  );
});

it('runs the processor once for items of one kind', () => {
  const numbered = (n: number): CslItem => ({
    id: `x-y-1-${n}`,
    type: 'graphic',
    title: `Nets ${n}`,
    archive: 'Demo Archive',
    archive_location: `x-y-1-${n}`,
  });
  formatWithPattern(numbered(0), 'apa');
  const start = performance.now();
  for (let n = 1; n <= 500; n++) expect(formatWithPattern(numbered(n), 'apa')).toContain(`Nets ${n} (x-y-1-${n})`);
  expect((performance.now() - start) / 500).toBeLessThan(0.5); // the processor takes about a millisecond
});
