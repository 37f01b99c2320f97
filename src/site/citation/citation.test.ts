import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { createLocales, type Language, type Locale } from '../language/locale.ts';
import { createCitations, createPageCitations } from './citation.ts';
import { wordingOf } from './wording.ts';

const cite = (raw: Record<string, unknown>, title = 'Nets drying', archive = 'Demo Archive') =>
  Object.fromEntries(
    createCitations({
      record: parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw }) as ArchivalRecord,
      title,
      archive,
      collection: 'Harbour',
      url: 'https://demo.example/demo-org-1-2/',
      accessed: '2026-11-21T10:00:00.000Z',
    }).texts,
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
      'Fairtide, Hugo. “Nets drying.” Photograph, c. 1942. demo-org-1-2, Harbour, Demo Archive. Accessed November 21, 2026. https://demo.example/demo-org-1-2/.',
    ));

  it('is cited in APA style', () =>
    expect(styles['APA']).toBe(
      'Fairtide, H. (ca. 1942). Nets drying [Photograph]. Harbour (demo-org-1-2), Demo Archive. Retrieved November 21, 2026, from https://demo.example/demo-org-1-2/',
    ));

  it('is cited as a template of Wikipedia', () =>
    expect(styles['Wikipedia']).toBe(
      '{{Cite web |last1=Fairtide |first1=Hugo |title=Nets drying |date=c. 1942 |type=photograph |website=Demo Archive |department=Harbour |id=demo-org-1-2 |url=https://demo.example/demo-org-1-2/ |access-date=November 21, 2026}}',
    ));

  it('is cited in BibTeX and RIS', () => {
    expect(styles['BibTeX']).toMatch(/^@misc\{[\s\S]*title = \{Nets drying\}[\s\S]*\}$/);
    expect(styles['RIS']).toMatch(/^TY {2}- ART\n[\s\S]*AU {2}- Fairtide, Hugo\n[\s\S]*ER {2}-$/);
  });
});

it('cites the narrator of an interview as its author, and the interviewer', () => {
  const creators = [
    { namepart: 'Leif Vane', role: 'narrator' },
    { namepart: 'Bram Ousel', role: 'interviewer' },
  ];
  expect(cite({ genre: 'interview', creation: 'June 2, 2010', creators })['Chicago']).toBe(
    'Vane, Leif. “Nets drying,” interview by Bram Ousel. Interview, June 2, 2010. demo-org-1-2, Harbour, Demo Archive. Accessed November 21, 2026. https://demo.example/demo-org-1-2/.',
  );
});

it('cites an interview on Wikipedia with its interviewer, and nothing of a record is markup there', () => {
  const creators = [
    { namepart: 'Leif Vane', role: 'narrator' },
    { namepart: 'Bram Ousel', role: 'interviewer' },
  ];
  const { Wikipedia: text } = cite(
    { genre: 'interview', creation: 'June 2, 2010', creators },
    'Nets | [[drying]] {{in}} <ref>winter',
  );
  expect(text).toMatch(/^\{\{Cite interview \|last1=Vane \|first1=Leif \|interviewer=Bram Ousel \|title=/);
  expect(text).toContain(
    '|title=Nets &#124; &#91;&#91;drying&#93;&#93; &#123;&#123;in&#125;&#125; &#60;ref&#62;winter |date=June 2, 2010 ',
  );
});

it('cites the author of a page by the name that the page shows', () => {
  const page = { title: 'Quay', key: 'quay', archive: 'Demo Archive', url: undefined, authors: ['R&amp;B <i>Quill</i>'] };
  expect(Object.fromEntries(createPageCitations(page))['BibTeX']).toContain('R\\&amp;B <i>Quill</i>');
});

it('cites a page that is not about one record', () => {
  const page = { title: 'Leif Vane', key: 'leif-vane', archive: 'Demo Archive', url: 'https://demo.example/leif-vane/' };
  const styles = Object.fromEntries(createPageCitations(page));
  expect(styles['Chicago']).toBe('“Leif Vane.” Demo Archive. https://demo.example/leif-vane/.');
  expect(styles['APA']).toBe('Leif Vane. (n.d.). Demo Archive. https://demo.example/leif-vane/');
  expect(styles['MLA']).toBe('“Leif Vane.” Demo Archive, https://demo.example/leif-vane/.');
  expect(styles['BibTeX']).toMatch(/^@misc\{leif-vane,\n/);
  expect(styles['biblatex']).toMatch(/^@online\{leif-vane,\n/);
  expect(styles['RIS']).toBe(
    'TY  - ELEC\nTI  - Leif Vane\nDB  - Demo Archive\nDP  - Demo Archive\nUR  - https://demo.example/leif-vane/\nID  - leif-vane\nER  -',
  );
  expect(styles['CSL-JSON']).toContain('"type": "webpage"');
});

it('does not read text as HTML a second time', () => {
  const creators = [{ namepart: 'Vane Press &lt;i&gt;', role: 'author' }];
  const styles = cite({ creators, creation: '&lt;b&gt;spring' }, 'Smith & Sons <b>draft</b> &amp;', 'Archive <i>of</i>');
  expect(styles['RIS']).toContain('TI  - Smith & Sons <b>draft</b> &amp;');
  expect(styles['Chicago']).toMatch(/<i>.*Smith & Sons <b>draft<\/b> &amp;.*<b>spring.*Archive <i>of<\/i>/);
  expect(styles['BibTeX']).toContain('draft');
});

it('leaves out what is unknown', () => {
  expect(cite({})['Chicago']).toBe(
    '“Nets drying.” demo-org-1-2, Harbour, Demo Archive. Accessed November 21, 2026. https://demo.example/demo-org-1-2/.',
  );
  expect(cite({ creation: 'before the second ferry', genre: 'letter_book' })['APA']).toContain('before the second ferry');
});

it('uses the record’s ID as the BibTeX key, so that keys are unique', () => {
  for (const id of ['demo-org-1-2', 'demo-org-1-3', 'demo-org-1-2-mezzanine-0a1b2c3d4e'])
    expect(cite({ id, creators: [{ namepart: 'Hugo Fairtide' }] })['BibTeX']).toContain(`{${id},`);
});

it('prevents text of a record from starting a line of RIS or ending a field of BibTeX', () => {
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

it('cites records with texts and IDs that are names of JavaScript’s own methods, and the records after them', () => {
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
      for (const [style, text] of citations.texts) expect(letters(text), `${style} of ${name}`).toContain(letters(name));
  }
  expect(cite({})['Chicago']).toBe(
    '“Nets drying.” demo-org-1-2, Harbour, Demo Archive. Accessed November 21, 2026. https://demo.example/demo-org-1-2/.',
  );
});

it('replaces a citation that fails by a plain one, and reports it', () => {
  const cited = {
    record: parseRecord({ id: 'demo-org-1-2' }) as ArchivalRecord,
    title: 'Nets drying',
    archive: 'Demo Archive',
    collection: 'Harbor',
    url: undefined,
    accessed: undefined,
  };
  const error = new Error('no');
  const failing = () => {
    throw error;
  };
  expect(createCitations(cited, undefined, [['APA', failing]])).toEqual({
    texts: [['APA', 'Nets drying. demo-org-1-2, Harbor, Demo Archive.']],
    problems: [{ style: 'APA', error }],
  });
});

it('cites any record in every style', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('1942-1945', 'Winter 1943-1944', 'narrator', 'Ōta, Inés', '', null, 7),
  );
  const creators = fc.array(fc.record({ namepart: value, role: value, oh_id: value }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.record({ creation: value, genre: value, format: value, creators, language: value }), value, (raw, title) => {
      const record = parseRecord({ id: 'demo-org-1-2', ...raw }) as ArchivalRecord;
      const input = { title: String(title), archive: 'Demo', collection: undefined, url: undefined, accessed: undefined };
      const { texts, problems } = createCitations({ record, ...input });
      expect(problems).toEqual([]);
      for (const [style, text] of texts) {
        expect(text).toContain('demo-org-1-2');
        if (!/JSON|RIS|tex/i.test(style)) expect(text).not.toContain('\n');
      }
    }),
    { numRuns: 300 },
  );
});

it('formats a citation in less than half a millisecond', () => {
  // The fastest of several batches, since other programs run at the same time.
  const batches = Array.from({ length: 25 }, (_, batch) => {
    const start = performance.now();
    for (let n = 0; n < 20; n++) cite({ creation: `${1800 + n}`, creators: [{ namepart: `Hugo Fairtide ${batch} ${n}` }] });
    return (performance.now() - start) / 20;
  });
  expect(Math.min(...batches)).toBeLessThan(0.5);
});

describe('in other languages', () => {
  const raw = {
    id: 'demo-org-1-2',
    model: 'entity',
    title: 'The “Tide”',
    genre: 'interview',
    format: 'vh',
    creation: 'June 2, 2010',
    creators: [
      { namepart: 'Leif Vane', role: 'narrator' },
      { namepart: 'Ana Ibarra', role: 'interviewer' },
      { namepart: 'Inés Ota', role: 'interviewer' },
    ],
  };
  const citedIn = (language: Language, more: Record<string, unknown> = {}) => {
    const [locale] = createLocales([language]) as [Locale];
    const record = parseRecord({ ...raw, ...more }) as ArchivalRecord;
    const input = { collection: 'Voices', url: 'https://demo.example/2/', accessed: '2026-11-24T10:00:00Z' };
    const { texts } = createCitations(
      { record, title: record.title ?? '', archive: 'Demo Archive', ...input },
      wordingOf(locale),
    );
    return Object.fromEntries(texts);
  };

  it('has the words, dates and quotation marks of Spanish in the styles', () => {
    expect(citedIn('es')).toMatchObject({
      Chicago:
        'Vane, Leif. «The “Tide”», entrevista de Ana Ibarra e Inés Ota. Entrevista, 2 de junio de 2010. demo-org-1-2, Voices, Demo Archive. Consultado el 24 de noviembre de 2026. https://demo.example/2/.',
      APA: 'Vane, L. (2010, 2 de junio). The “Tide” [Entrevista de A. Ibarra e I. Ota]. Voices (demo-org-1-2), Demo Archive. Recuperado el 24 de noviembre de 2026, de https://demo.example/2/',
      MLA: 'Vane, Leif. «The “Tide”». Entrevista de Ana Ibarra e Inés Ota, 2 de junio de 2010. Voices, demo-org-1-2, Demo Archive, https://demo.example/2/. Consultado el 24 de noviembre de 2026.',
    });
  });

  it('has those of Japanese', () => {
    expect(citedIn('ja')['Chicago']).toBe(
      'Vane, Leif. 「The “Tide”」, 聞き手：Ana Ibarra、Inés Ota. インタビュー, 2010年6月2日. demo-org-1-2, Voices, Demo Archive. 2026年11月24日閲覧. https://demo.example/2/.',
    );
  });

  it.each([
    ['circa 1942', '(hacia 1942)'],
    ['Spring 1943', '(primavera de 1943)'],
    ['June 2010', '(2010, junio)'],
    ['June 2-4, 2010', '(2010, 2–4 de junio)'],
    ['1942-1945', '(1942–1945)'],
    ['before the second ferry', '(before the second ferry)'],
    ['n.d.', '(s. f.)'],
  ])('writes the date “%s” in Spanish as %s', (creation, expected) =>
    expect(citedIn('es', { creation })['APA']).toContain(expected),
  );

  it('has the formats of reference managers in English, as in every language', () => {
    const [spanish, english] = [citedIn('es'), citedIn('en')];
    for (const format of ['BibTeX', 'biblatex', 'RIS', 'CSL-JSON']) expect(spanish[format]).toBe(english[format]);
  });
});
