import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, readRecord } from '../../model/records.ts';
import { citationsOf } from './citation.ts';

const cite = (raw: Record<string, unknown>) =>
  Object.fromEntries(
    citationsOf({
      record: readRecord({ id: 'demo-org-1-2', model: 'entity', ...raw }) as ArchivalRecord,
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

  it('in Chicago style', () =>
    expect(styles['Chicago']).toBe(
      'Hugo Fairtide. “Nets drying.” Photograph, c. 1942. demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.',
    ));

  it('in APA style', () =>
    expect(styles['APA']).toBe(
      'Hugo Fairtide. (ca. 1942). Nets drying (demo-org-1-2) [Photograph]. Demo Archive. https://demo.example/demo-org-1-2/',
    ));

  it('in BibTeX and RIS', () => {
    expect(styles['BibTeX']).toMatch(/^@misc\{[\s\S]*title = \{Nets drying\}[\s\S]*\}$/);
    expect(styles['RIS']).toMatch(/^TY {2}- ART\n[\s\S]*AU {2}- Hugo Fairtide\n[\s\S]*ER {2}-$/);
  });
});

it('names the interviewer of an interview, and the narrator as its author', () => {
  const creators = [
    { namepart: 'Leif Vane', role: 'narrator' },
    { namepart: 'Bram Ousel', role: 'interviewer' },
  ];
  expect(cite({ genre: 'interview', creation: 'June 2, 2010', creators })['Chicago']).toBe(
    'Leif Vane. “Nets drying,” interview by Bram Ousel. Interview, June 2, 2010. demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.',
  );
});

it('does without what is not known', () => {
  expect(cite({})['Chicago']).toBe('“Nets drying.” demo-org-1-2, Harbour, Demo Archive. https://demo.example/demo-org-1-2/.');
  expect(cite({ creation: 'before the second ferry', genre: 'letter_book' })['APA']).toContain('before the second ferry');
});
