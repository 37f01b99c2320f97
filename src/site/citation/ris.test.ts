/** Complete records in RIS and CSL-JSON, checked by hand: each field is there, and no other. */
import { describe, expect, it } from 'vitest';
import { type CitedRecord, citationsOf } from '../../../tests/support/cited-records.ts';
import { findCslErrors } from '../../../tests/support/csl-data.ts';

const EXPECTED: Record<CitedRecord, { ris: string; csl: Record<string, unknown> }> = {
  'an interview': {
    ris: `TY  - VIDEO
AU  - Ōta, Inés María
A2  - Ousel, Bram
A2  - Ito, Alice
A2  - Ikeda, Tom
TI  - Inés María Ōta Interview I
T2  - Harbor
PY  - 2009
DA  - 2009/06/05/
M3  - Interview
AN  - demo-org-1-2
CN  - demo-org-1-2
AV  - Harbor, demo-org-1-2
DB  - Demo Archive
DP  - Demo Archive
N1  - Interview by Bram Ousel, Alice Ito, Tom Ikeda
N1  - Translated by Mary Abe
LA  - es
UR  - https://demo.example/demo-org-1-2/
Y2  - 2026/11/21/
ID  - demo-org-1-2
ER  -`,
    csl: {
      id: 'demo-org-1-2',
      type: 'interview',
      title: 'Inés María Ōta Interview I',
      author: [{ family: 'Ōta', given: 'Inés María' }],
      translator: [{ family: 'Abe', given: 'Mary' }],
      interviewer: [
        { family: 'Ousel', given: 'Bram' },
        { family: 'Ito', given: 'Alice' },
        { family: 'Ikeda', given: 'Tom' },
      ],
      issued: { 'date-parts': [[2009, 6, 5]] },
      medium: 'interview',
      archive: 'Demo Archive',
      archive_collection: 'Harbor',
      archive_location: 'demo-org-1-2',
      language: 'es',
      URL: 'https://demo.example/demo-org-1-2/',
      accessed: { 'date-parts': [[2026, 11, 21]] },
    },
  },
  'a letter': {
    ris: `TY  - MANSCPT
AU  - Ōta, Kenji
TI  - From Kenji to the U.S. Army & others
T2  - Harbor
PY  - 1942
DA  - 1942///
M3  - Letter to Mary van der Meer Jr.
AN  - demo-org-1-3
CN  - demo-org-1-3
AV  - Harbor, demo-org-1-3
DB  - Demo Archive
DP  - Demo Archive
N1  - Date: c. 1942-1945
UR  - https://demo.example/demo-org-1-3/
Y2  - 2026/11/21/
ID  - demo-org-1-3
ER  -`,
    csl: {
      id: 'demo-org-1-3',
      type: 'manuscript',
      title: 'From Kenji to the U.S. Army & others',
      author: [{ family: 'Ōta', given: 'Kenji' }],
      recipient: [{ family: 'Meer', given: 'Mary', 'non-dropping-particle': 'van der', suffix: 'Jr.' }],
      issued: { 'date-parts': [[1942], [1945]], circa: true },
      medium: 'correspondence',
      archive: 'Demo Archive',
      archive_collection: 'Harbor',
      archive_location: 'demo-org-1-3',
      URL: 'https://demo.example/demo-org-1-3/',
      accessed: { 'date-parts': [[2026, 11, 21]] },
    },
  },
  'a newspaper': {
    ris: `TY  - MANSCPT
ED  - Quill, Ada
ED  - Vane, Leif
TI  - Tulean Dispatch 100%
T2  - Harbor
M3  - Periodical
PB  - Tulean Dispatch
PB  - Sato and Sons
PB  - Miyatake, Toyo
AN  - demo-org-1-4
CN  - demo-org-1-4
AV  - Harbor, demo-org-1-4
DB  - Demo Archive
DP  - Demo Archive
N1  - Date: 1940s
UR  - https://demo.example/demo-org-1-4/
Y2  - 2026/11/21/
ID  - demo-org-1-4
ER  -`,
    csl: {
      id: 'demo-org-1-4',
      type: 'manuscript',
      title: 'Tulean Dispatch 100%',
      editor: [
        { family: 'Quill', given: 'Ada' },
        { family: 'Vane', given: 'Leif' },
      ],
      issued: { literal: '1940s' },
      medium: 'periodical',
      publisher: 'Tulean Dispatch; Sato and Sons; Miyatake, Toyo',
      archive: 'Demo Archive',
      archive_collection: 'Harbor',
      archive_location: 'demo-org-1-4',
      URL: 'https://demo.example/demo-org-1-4/',
      accessed: { 'date-parts': [[2026, 11, 21]] },
    },
  },
  'a photograph': {
    ris: `TY  - ART
AU  - Meer, Jan van der
AU  - War Relocation Authority
ED  - Quill, Ada
TI  - Pier
T2  - Harbor
PY  - 1942
M3  - Photograph
AN  - demo-org-1-5
CN  - demo-org-1-5
AV  - Harbor, demo-org-1-5
DB  - Demo Archive
DP  - Demo Archive
N1  - Date: [1942?]
UR  - https://demo.example/demo-org-1-5/
Y2  - 2026/11/21/
ID  - demo-org-1-5
ER  -`,
    csl: {
      id: 'demo-org-1-5',
      type: 'graphic',
      title: 'Pier',
      author: [{ family: 'Meer', given: 'Jan', 'non-dropping-particle': 'van der' }, { literal: 'War Relocation Authority' }],
      editor: [{ family: 'Quill', given: 'Ada' }],
      issued: { literal: '[1942?]' },
      medium: 'photograph',
      archive: 'Demo Archive',
      archive_collection: 'Harbor',
      archive_location: 'demo-org-1-5',
      URL: 'https://demo.example/demo-org-1-5/',
      accessed: { 'date-parts': [[2026, 11, 21]] },
    },
  },
  'a collection': {
    ris: `TY  - GEN
AU  - 太田 次郎
ED  - Ikeda, Russell K., Jr.
TI  - 婦人会 議事録
PY  - 1942
DA  - 1942/03//
AN  - demo-org-1
CN  - demo-org-1
AV  - demo-org-1
DB  - Demo Archive
DP  - Demo Archive
LA  - ja
UR  - https://demo.example/demo-org-1/
Y2  - 2026/11/21/
ID  - demo-org-1
ER  -`,
    csl: {
      id: 'demo-org-1',
      type: 'collection',
      title: '婦人会 議事録',
      author: [{ literal: '太田 次郎' }],
      editor: [{ family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' }],
      issued: { 'date-parts': [[1942, 3]] },
      archive: 'Demo Archive',
      archive_location: 'demo-org-1',
      language: 'ja',
      URL: 'https://demo.example/demo-org-1/',
      accessed: { 'date-parts': [[2026, 11, 21]] },
    },
  },
};

describe.each(Object.keys(EXPECTED) as CitedRecord[])('%s', (name) => {
  const { RIS, 'CSL-JSON': json = '' } = citationsOf(name);
  const { ris, csl } = EXPECTED[name];
  it('is complete in RIS', () => expect(RIS).toBe(ris));
  it('is complete in CSL-JSON, and valid', () => {
    expect(JSON.parse(json)).toEqual([csl]);
    expect(findCslErrors(csl)).toEqual([]);
  });
});
