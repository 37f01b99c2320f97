/** Records whose citations for reference managers are checked by hand. */
import { type ArchivalRecord, parseRecord } from '../../src/model/records.ts';
import { createCitations } from '../../src/site/citation/citation.ts';
import { by } from './hand-checked.ts';

const RECORDS = {
  'an interview': {
    title: 'Inés María Ōta Interview I',
    raw: {
      id: 'demo-org-1-2',
      model: 'entity',
      genre: 'interview',
      format: 'vh',
      creation: 'June 5, 2009',
      language: ['spa'],
      ia_meta: { mimetype: 'video/mp4', files: {} },
      creators: [
        by('Ōta, Inés María', 'narrator', { oh_id: 7 }),
        by('Bram Ousel', 'interviewer'),
        by('Ito, Alice; Ikeda, Tom', 'interviewer'),
        by('Mary Abe', 'translator'),
        by('Dana Hill', 'videographer'),
      ],
    },
  },
  'a letter': {
    title: 'From Kenji to the U.S. Army & others',
    raw: {
      id: 'demo-org-1-3',
      model: 'entity',
      genre: 'correspondence',
      format: 'doc',
      creation: 'c. 1942-1945',
      creators: [by('Kenji Ōta', 'author'), by('Mary van der Meer, Jr.', 'recipient')],
    },
  },
  'a newspaper': {
    title: 'Tulean Dispatch 100%',
    raw: {
      id: 'demo-org-1-4',
      model: 'entity',
      genre: 'periodical',
      format: 'doc',
      creation: '1940s',
      language: ['eng', 'jpn'],
      creators: [
        by('Ada Quill', 'editor'),
        by('Leif Vane', 'editor'),
        by('Tulean Dispatch', 'publisher'),
        by('Sato and Sons', 'publisher'),
        by('Miyatake, Toyo', 'publisher'),
      ],
    },
  },
  'a photograph': {
    title: 'Pier',
    raw: {
      id: 'demo-org-1-5',
      model: 'entity',
      genre: 'photograph',
      creation: '[1942?]',
      creators: [by('[Jan van der Meer?]', 'photographer'), by('Ada Quill', 'editor'), by('War Relocation Authority')],
    },
  },
  'a collection': {
    title: '婦人会 議事録',
    raw: {
      id: 'demo-org-1',
      model: 'collection',
      creation: '昭和17年3月',
      language: ['jpn'],
      creators: [by('太田 次郎', '著者'), by('Ikeda, Russell K., Jr.', 'editor')],
    },
  },
};

/** The name of one of the records. */
export type CitedRecord = keyof typeof RECORDS;

/** Returns the citations of a record by style, with spaces for tabulators. */
export function citationsOf(name: CitedRecord): Partial<Record<string, string>> {
  const { title, raw } = RECORDS[name];
  const { texts } = createCitations({
    record: parseRecord(raw) as ArchivalRecord,
    title,
    archive: 'Demo Archive',
    collection: raw.model === 'collection' ? undefined : 'Harbor',
    url: `https://demo.example/${raw.id}/`,
    accessed: '2026-11-21T10:00:00.000Z',
  });
  return Object.fromEntries(texts.map(([style, text]) => [style, text.replaceAll('\t', '  ')]));
}
