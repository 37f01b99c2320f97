/** Citations written by hand after the manuals of the styles, and what the site makes of the same records. */
import { describe, expect, it } from 'vitest';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { createCitations } from './citation.ts';

interface Case {
  title: string;
  raw: Record<string, unknown>;
  /** Each line is one citation without what all have in common: ID, collection, archive, access date and URL. */
  chicago?: string;
  apa?: string;
  mla?: string;
}

const by = (namepart: string, role?: string, more: object = {}) => ({ namepart, ...(role ? { role } : {}), ...more });
const photograph = { genre: 'photograph', format: 'img' };
const interview = { genre: 'interview', format: 'vh' };
const letter = { genre: 'correspondence', format: 'doc' };

const CASES: Record<string, Case> = {
  'a suffix': {
    title: 'Picnic',
    raw: { ...photograph, creation: 'March 4, 1942', creators: [by('Russell K. Ikeda, Jr.', 'photographer')] },
    chicago: 'Ikeda, Russell K., Jr. “Picnic.” Photograph, March 4, 1942.',
    apa: 'Ikeda, R. K., Jr. (1942, March 4). Picnic [Photograph].',
    mla: 'Ikeda, Russell K., Jr. “Picnic.” 4 Mar. 1942.',
  },
  'the same name, inverted': {
    title: 'Picnic',
    raw: { ...photograph, creation: '1942 March 4', creators: [by('Ikeda, Russell K., Jr., 1920-1985', 'photographer')] },
    chicago: 'Ikeda, Russell K., Jr. “Picnic.” Photograph, March 4, 1942.',
  },
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
  'two interviewers': {
    title: 'Leif Vane Interview',
    raw: {
      ...interview,
      creation: 'June 2010',
      creators: [by('Leif Vane', 'narrator'), by('Bram Ousel', 'interviewer'), by('Ada Quill', 'Interviewer')],
    },
    chicago: 'Vane, Leif. “Leif Vane Interview,” interview by Bram Ousel and Ada Quill. Interview, June 2010.',
    apa: 'Vane, L. (2010, June). Leif Vane Interview [Interview by B. Ousel & A. Quill].',
    mla: 'Vane, Leif. “Leif Vane Interview.” Interview by Bram Ousel and Ada Quill, June 2010.',
  },
  'one person twice': {
    title: 'Leif Vane Interview',
    raw: {
      ...interview,
      creation: '2010',
      creators: [by('Leif Vane', 'narrator', { oh_id: 3 }), by('Vane, Leif', 'author'), by('Leif Vane', 'interviewee')],
    },
    chicago: 'Vane, Leif. “Leif Vane Interview.” Interview, 2010.',
  },
  'one person under two names, with one ID': {
    title: 'Kenji Ota Interview',
    raw: {
      ...interview,
      creation: '2010',
      creators: [
        by('Kenji Ota', 'narrator', { oh_id: 3 }),
        by('Ota, Kenji K.', 'author', { oh_id: 3 }),
        by('太田健二', 'author', { oh_id: 3 }),
      ],
    },
    chicago: 'Ota, Kenji. “Kenji Ota Interview.” Interview, 2010.',
  },
  'two people with one ID, which is wrong for one': {
    title: 'Log',
    raw: { creation: '2010', creators: [by('Leif Vane', 'author', { oh_id: 3 }), by('Ada Quill', 'author', { oh_id: 3 })] },
    chicago: 'Vane, Leif, and Ada Quill. “Log.” 2010.',
  },
  'two people of one name': {
    title: 'Log',
    raw: { creation: '2010', creators: [by('Leif Vane', 'author', { oh_id: 3 }), by('Vane, Leif', 'author', { oh_id: 8 })] },
    chicago: 'Vane, Leif, and Leif Vane. “Log.” 2010.',
  },
  'a letter and its recipient': {
    title: 'On the ferry',
    raw: { ...letter, creation: 'before 1942', creators: [by('Kenji Ōta', 'author'), by('Mary Abe', 'recipient')] },
    chicago: 'Ōta, Kenji. “On the ferry.” Letter to Mary Abe, before 1942.',
    apa: 'Ōta, K. (before 1942). On the ferry [Letter to Mary Abe].',
    mla: 'Ōta, Kenji. “On the ferry.” Before 1942.',
  },
  'an organization and its publisher': {
    title: 'Harbor News',
    raw: {
      genre: 'periodical',
      format: 'doc',
      creation: '1937-1941',
      creators: [by('Brannan Slough Methodist Church', 'author'), by('Tidewater Press', 'publisher')],
    },
    chicago: 'Brannan Slough Methodist Church. “Harbor News.” Periodical, 1937–1941.',
    apa: 'Brannan Slough Methodist Church. (1937–1941). Harbor News [Periodical].',
    mla: 'Brannan Slough Methodist Church. “Harbor News.” 1937–1941.',
  },
  'exchanged fields': {
    title: 'Album',
    raw: { genre: 'album', creation: 'c. 1942', creators: [by('compiler', 'Ōta, Inés María')] },
    chicago: 'Ōta, Inés María. “Album.” Album, c. 1942.',
    apa: 'Ōta, I. M. (ca. 1942). Album [Album].',
    mla: 'Ōta, Inés María. “Album.” Circa 1942.',
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
  'names in Japanese': {
    title: '婦人会 議事録',
    raw: { creation: '昭和17年3月', creators: [by('田中 花', '著者')] },
    chicago: '田中 花. “婦人会 議事録.” March 1942.',
    apa: '田中 花. (1942, March). 婦人会 議事録.',
    mla: '田中 花. “婦人会 議事録.” Mar. 1942.',
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
  'three authors': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Ada Quill'), by('Leif Vane'), by('Bram Ousel')] },
    chicago: 'Quill, Ada, Leif Vane, and Bram Ousel. “Minutes.” 1920.',
    apa: 'Quill, A., Vane, L., & Ousel, B. (1920). Minutes.',
    mla: 'Quill, Ada, et al. “Minutes.” 1920.',
  },
  'an editor without an author': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Ada Quill', 'editor')] },
    chicago: 'Quill, Ada, ed. “Minutes.” 1920.',
    apa: 'Quill, A. (Ed.). (1920). Minutes.',
    mla: 'Quill, Ada, editor. “Minutes.” 1920.',
  },
  'a translator': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Ada Quill', 'author'), by('Leif Vane', 'translator')] },
    chicago: 'Quill, Ada. “Minutes.” Translated by Leif Vane. 1920.',
    mla: 'Quill, Ada. “Minutes.” Translated by Leif Vane, 1920.',
  },
  'a question and quotation marks': {
    title: 'Who said “no”?',
    raw: { creation: '1920', creators: [by('Unknown', 'photographer')] },
    chicago: '“Who said ‘no’?” 1920.',
    mla: '“Who said ‘no’?” 1920.',
  },
  'a family': {
    title: 'Papers',
    raw: { creation: '1920-', creators: [by('Ota family')] },
    chicago: 'Ota family. “Papers.” 1920-.',
  },
  'a map by a department': {
    title: 'Harbor chart',
    raw: { genre: 'map', creation: '1911', creators: [by('War Department', 'cartographer')] },
    chicago: 'War Department. “Harbor chart.” Map, 1911.',
    apa: 'War Department. (1911). Harbor chart [Map].',
    mla: 'War Department. “Harbor chart.” 1911.',
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
  'a second author with a suffix': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Ada Quill'), by('John Smith III')] },
    chicago: 'Quill, Ada, and John Smith III. “Minutes.” 1920.',
    apa: 'Quill, A., & Smith, J., III. (1920). Minutes.',
    mla: 'Quill, Ada, and John Smith III. “Minutes.” 1920.',
  },
  'a videographer alone': {
    title: 'Festival',
    raw: { genre: 'music', format: 'av', creation: '1950', creators: [by('Dana Hill', 'videographer')] },
    chicago: '“Festival.” Music, 1950.',
    apa: 'Festival [Music]. (1950).',
    mla: '“Festival.” 1950.',
  },
  'months of two years': {
    title: 'Log',
    raw: { creation: 'March 1942 - April 1943', creators: [by('Ada Quill')] },
    chicago: 'Quill, Ada. “Log.” March 1942–April 1943.',
    mla: 'Quill, Ada. “Log.” Mar. 1942–Apr. 1943.',
  },
  'two interviewers in one field': {
    title: 'Leif Vane Interview',
    raw: { ...interview, creation: '2010', creators: [by('Leif Vane', 'narrator'), by('Ito, Alice; Ikeda, Tom', 'interviewer')] },
    chicago: 'Vane, Leif. “Leif Vane Interview,” interview by Alice Ito and Tom Ikeda. Interview, 2010.',
    apa: 'Vane, L. (2010). Leif Vane Interview [Interview by A. Ito & T. Ikeda].',
    mla: 'Vane, Leif. “Leif Vane Interview.” Interview by Alice Ito and Tom Ikeda, 2010.',
  },
  'two authors in one field': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Ito, Alice and Ikeda, Tom')] },
    chicago: 'Ito, Alice, and Tom Ikeda. “Minutes.” 1920.',
    apa: 'Ito, A., & Ikeda, T. (1920). Minutes.',
    mla: 'Ito, Alice, and Tom Ikeda. “Minutes.” 1920.',
  },
  'several names that cannot be separated': {
    title: 'Minutes',
    raw: { creation: '1920', creators: [by('Kenji Ota et al.')] },
    chicago: 'Kenji Ota et al. “Minutes.” 1920.',
  },
  'a photographer whom the archive supposes': {
    title: 'Pier',
    raw: { ...photograph, creation: '1920', creators: [by('[Kenji Ota?]', 'photographer')] },
    chicago: '[Ota, Kenji?]. “Pier.” Photograph, 1920.',
    apa: '[Ota, K.?]. (1920). Pier [Photograph].',
    mla: '[Ota, Kenji?]. “Pier.” 1920.',
  },
  'a photographer who is said to be unknown': {
    title: 'Pier',
    raw: { ...photograph, creation: '1920', creators: [by('Photographer: unknown', 'photographer'), by('Artist Unknown')] },
    chicago: '“Pier.” Photograph, 1920.',
    apa: 'Pier [Photograph]. (1920).',
  },
  initials: {
    title: 'Letter of Mr. Vane, Esq.',
    raw: { creation: '1920', creators: [by('J.B. Smith, M.D.')] },
    chicago: 'Smith, J.B. “Letter of Mr. Vane, Esq.” 1920.',
    apa: 'Smith, J. B. (1920). Letter of Mr. Vane, Esq.',
    mla: 'Smith, J.B. “Letter of Mr. Vane, Esq.” 1920.',
  },
};

const COMMON = {
  chicago: ' demo-org-1-2, Harbor, Demo Archive. Accessed November 21, 2026. https://demo.example/x/.',
  apa: ' Harbor (demo-org-1-2), Demo Archive. Retrieved November 21, 2026, from https://demo.example/x/',
  mla: ' Harbor, demo-org-1-2, Demo Archive, https://demo.example/x/. Accessed 21 Nov. 2026.',
};

describe.each(Object.entries(CASES))('with %s', (_, { title, raw, ...expected }) => {
  const { texts } = createCitations({
    record: parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw }) as ArchivalRecord,
    title,
    archive: 'Demo Archive',
    collection: 'Harbor',
    url: 'https://demo.example/x/',
    accessed: '2026-11-21T10:00:00.000Z',
  });
  const cited = Object.fromEntries(texts.map(([style, text]) => [style.toLowerCase(), text]));
  for (const style of ['chicago', 'apa'] as const) {
    const own = expected[style];
    if (own !== undefined) it(`is cited in ${style}`, () => expect(cited[style]).toBe(own + COMMON[style]));
  }
  const { mla } = expected;
  // The medium comes last.
  if (mla !== undefined) it('is cited in MLA', () => expect(cited['mla']?.startsWith(mla + COMMON.mla), cited['mla']).toBe(true));
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
