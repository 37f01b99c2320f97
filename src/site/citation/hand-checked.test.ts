/** Citations written by hand after the manuals of the styles, and what the site makes of the same records. */
import { expect, it } from 'vitest';
import { by, interview, letter, photograph, testCases } from '../../../tests/support/hand-checked.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { createCitations } from './citation.ts';

testCases({
  'a genre whose code is not a word': {
    title: 'Log',
    raw: { genre: 'misc_document', creation: '1920' },
    chicago: '“Log.” Document, 1920.',
    apa: 'Log [Document]. (1920).',
  },
  'a recording log': { title: 'Log', raw: { genre: 'rec_log' }, chicago: '“Log.” Recording log.' },
  'a genre without a label': { title: 'Log', raw: { genre: 'ship_log' }, chicago: '“Log.” Ship log.' },
  'an interview, recorded by a videographer': {
    title: 'Inés María Ōta Interview I',
    raw: {
      ...interview,
      creation: '2009年6月5日',
      creators: [
        by('Ōta, Inés María', 'narrator', { oh_id: 7 }),
        by('Bram Ousel', 'interviewer'),
        by('Dana Hill', 'videographer'),
      ],
    },
    chicago: 'Ōta, Inés María. “Inés María Ōta Interview I,” interview by Bram Ousel. Interview, June 5, 2009.',
    apa: 'Ōta, I. M. (2009, June 5). Inés María Ōta Interview I [Interview by B. Ousel].',
    mla: 'Ōta, Inés María. “Inés María Ōta Interview I.” Interview by Bram Ousel, 5 June 2009.',
  },
  'a letter and its recipient': {
    title: 'On the ferry',
    raw: { ...letter, creation: 'before 1942', creators: [by('Kenji Ōta', 'author'), by('Mary Abe', 'recipient')] },
    chicago: 'Ōta, Kenji. “On the ferry.” Letter to Mary Abe, before 1942.',
    apa: 'Ōta, K. (before 1942). On the ferry [Letter to Mary Abe].',
    mla: 'Ōta, Kenji. “On the ferry.” Before 1942.',
  },
  'a season': {
    title: 'Ice',
    raw: { ...photograph, creation: 'Winter 1943-1944', creators: [by('Hugo Fairtide', 'photographer')] },
    chicago: 'Fairtide, Hugo. “Ice.” Photograph, Winter 1943-1944.',
    apa: 'Fairtide, H. (Winter 1943-1944). Ice [Photograph].',
  },
  'a part of a decade': {
    title: 'Ice',
    raw: { ...photograph, creation: 'late 1930s' },
    chicago: '“Ice.” Photograph, late 1930s.',
    apa: 'Ice [Photograph]. (late 1930s).',
    mla: '“Ice.” Late 1930s.',
  },
  'ends of different precision': { title: 'Log', raw: { creation: 'March 1942 - 1943' }, chicago: '“Log.” March 1942 - 1943.' },
  'two years': {
    title: 'Log',
    raw: { creation: '1942 and 1945' },
    chicago: '“Log.” 1942 and 1945.',
    mla: '“Log.” 1942 and 1945.',
  },
  'days of one month': {
    title: 'Festival',
    raw: { ...photograph, creation: 'December 24-26, 1942', creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Festival.” Photograph, December 24–26, 1942.',
    apa: 'Quill, A. (1942, December 24–26). Festival [Photograph].',
    mla: 'Quill, Ada. “Festival.” 24–26 Dec. 1942.',
  },
  'no date': {
    title: 'Festival',
    raw: { ...photograph, creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Festival.” Photograph.',
    apa: 'Quill, A. (n.d.). Festival [Photograph].',
  },
  particles: {
    title: 'Quay',
    raw: {
      ...photograph,
      creation: '1920',
      creators: [by('Jan van der Meer', 'photographer'), by('de la Cruz, María', 'photographer')],
    },
    chicago: 'Meer, Jan van der, and María de la Cruz. “Quay.” Photograph, 1920.',
    apa: 'van der Meer, J., & de la Cruz, M. (1920). Quay [Photograph].',
    mla: 'Meer, Jan van der, and María de la Cruz. “Quay.” 1920.',
  },
  'a question and quotation marks': {
    title: 'Who said “no”?',
    raw: { creation: '1920', creators: [by('Unknown', 'photographer')] },
    chicago: '“Who said ‘no’?” 1920.',
    mla: '“Who said ‘no’?” 1920.',
  },
  'an approximate range': {
    title: 'Pier',
    raw: { ...photograph, creation: 'ca. 1942-1945', creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Pier.” Photograph, c. 1942–1945.',
    apa: 'Quill, A. (ca. 1942–1945). Pier [Photograph].',
    mla: 'Quill, Ada. “Pier.” Circa 1942–1945.',
  },
  'a decade': {
    title: 'Pier',
    raw: { ...photograph, creation: '1940s' },
    chicago: '“Pier.” Photograph, 1940s.',
    mla: '“Pier.” 1940s.',
  },
  'the word “undated”': {
    title: 'Pier',
    raw: { ...photograph, creation: 'undated', creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Pier.” Photograph, undated.',
    apa: 'Quill, A. (n.d.). Pier [Photograph].',
  },
  'a Spanish date and two surnames': {
    title: 'Fiesta',
    raw: { ...photograph, creation: 'junio de 1947', creators: [by('Ana García López', 'fotógrafa')] },
    chicago: 'García López, Ana. “Fiesta.” Photograph, June 1947.',
    apa: 'García López, A. (1947, June). Fiesta [Photograph].',
    mla: 'García López, Ana. “Fiesta.” June 1947.',
  },
  'months of two years': {
    title: 'Log',
    raw: { creation: 'March 1942 - April 1943', creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Log.” March 1942–April 1943.',
    mla: 'Quill, Ada. “Log.” Mar. 1942–Apr. 1943.',
  },
});

it('cites a collection in every style', () => {
  const { texts } = createCitations({
    record: parseRecord({
      id: 'demo-org-1',
      model: 'collection',
      creation: '1905-1988',
      creators: [by('Ōta family')],
    }) as ArchivalRecord,
    title: 'The Ōta Family Papers',
    archive: 'Demo Archive',
    collection: undefined,
    url: undefined,
    accessed: undefined,
  });
  expect(texts.slice(0, 3).map(([, text]) => text)).toEqual([
    'Ōta family. The Ōta Family Papers. 1905–1988. demo-org-1, Demo Archive.',
    'Ōta family. (1905–1988). The Ōta Family Papers. (demo-org-1), Demo Archive.',
    'Ōta family. The Ōta Family Papers. 1905–1988. demo-org-1, Demo Archive.',
  ]);
});
