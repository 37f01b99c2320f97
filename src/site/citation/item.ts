/** The data of a citation, from a record: names by their roles, the date in numbers or words, and where the item is. */
import { readDate } from '../../model/dates/read.ts';
import { dcmiType } from '../../model/dublin-core.ts';
import { comparableName, mayBeOnePerson } from '../../model/names/name-forms.ts';
import { isUnnamed } from '../../model/names/name-kinds.ts';
import { splitNames } from '../../model/names/name-lists.ts';
import { type Name, parseName } from '../../model/names/names.ts';
import { type CitationRole, roleOf } from '../../model/names/roles.ts';
import { readRecordDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { languageTag } from '../../model/text/language-tag.ts';
import { LANGUAGE_FILES } from '../../model/text/languages.ts';
import { MAX_LABEL_LENGTH } from '../../model/text/limits.ts';
import { cleanTitle, toPlainText, truncateWords } from '../../model/text/text.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { type CitedDate, readCitedDate } from './dates.ts';

/** Models with citations. A file is cited as the item that it belongs to. */
export const CITED_MODELS: ReadonlySet<string> = new Set(['collection', 'entity', 'segment']);

/** The input of a citation. */
export interface CitationInput {
  record: ArchivalRecord;
  /** Plain text, as all titles here. */
  title: string;
  /** The archive's title, plain text. */
  archive: string;
  /** The collection's title. */
  collection: string | undefined;
  /** The page in the live archive. */
  url: string | undefined;
  /** When the record was harvested: ISO 8601. */
  accessed: string | undefined;
}

/** A page that is cited as such. */
export interface CitedPage {
  title: string;
  /** What names it in the file of a reference manager. */
  key: string;
  /** The archive's title, plain text. */
  archive: string;
  url: string | undefined;
  /** Names of who wrote it. */
  authors?: readonly string[];
  /** When it was last changed, as the archive states it. */
  modified?: string | undefined;
}

/** What is cited. */
export type CitedType = 'collection' | 'page' | 'interview' | 'audio' | 'video' | 'graphic' | 'map' | 'manuscript';

/** The data of a citation: texts on one line, names by role, each person once. */
export interface CitedItem {
  /** The record's ID; empty for a page. */
  id: string;
  /** What names it in the file of a reference manager: the record's ID. */
  key: string;
  type: CitedType;
  /** For interviews, whether there is a recording, and of which kind. */
  recording: 'audio' | 'video' | undefined;
  title: string;
  /** Who is responsible for the item; of an interview, first who was interviewed. */
  authors: Name[];
  editors: Name[];
  translators: Name[];
  interviewers: Name[];
  recipients: Name[];
  publishers: Name[];
  date: CitedDate;
  /** The genre’s code, and the genre in words, in English: `photograph`. */
  genre: string | undefined;
  medium: string | undefined;
  archive: string;
  collection: string | undefined;
  url: string | undefined;
  /** Year, month and day of the harvest. */
  accessed: number[] | undefined;
  /** BCP 47 tag of the item's language, if it has one. */
  language: string | undefined;
}

/** Names in one citation. */
const MAX_NAMES = 50;

/** Returns text of a record on one line, short enough for a citation. */
const lineOf = (text: string | undefined): string => truncateWords(toPlainText(text), MAX_LABEL_LENGTH);

/** Returns the data of a record's citation. */
export function createCitedItem({ record, title, archive, collection, url, accessed }: CitationInput): CitedItem {
  const names = namesByRole(record);
  const named = (role: CitationRole) => (names.get(role) ?? []).slice(0, MAX_NAMES).map(({ name }) => name);
  // The periods of a chronology are what an item is about; they do not date it.
  const { stated: reading, words, isUnread } = readRecordDates(record);
  const interviewees = named('interviewee');
  return {
    id: record.id,
    key: record.id,
    type: citedType(record, interviewees.length > 0),
    recording: recordingKind(record),
    title: cleanTitle(title) || `[${record.id}]`,
    authors: [...interviewees, ...named('author')].slice(0, MAX_NAMES),
    editors: named('editor'),
    translators: named('translator'),
    interviewers: named('interviewer'),
    recipients: named('recipient'),
    publishers: named('publisher'),
    date: {
      ...readCitedDate(reading, truncateWords(words ?? '', MAX_LABEL_LENGTH)),
      isUndated: reading === undefined && !isUnread,
    },
    genre: lineOf(record.genre) || undefined,
    medium: mediumName(lineOf(record.genre)),
    archive,
    collection: collection || undefined,
    url,
    accessed: accessed && /^\d{4}-\d\d-\d\d/.test(accessed) ? accessed.slice(0, 10).split('-').map(Number) : undefined,
    language: record.language.length === 1 ? languageTag(record.language[0] as string) : undefined,
  };
}

/** Returns the data of a page's citation. */
export function createCitedPage({ title, key, archive, url, authors = [], modified }: CitedPage): CitedItem {
  const names = { editors: [], translators: [], interviewers: [], recipients: [], publishers: [] };
  const unknown = { recording: undefined, genre: undefined, medium: undefined, collection: undefined, language: undefined };
  const day = readTimestamp(modified)?.slice(0, 'YYYY-MM-DD'.length) ?? '';
  const read = readDate(day);
  const reading = typeof read === 'object' ? read : undefined;
  return {
    ...names,
    ...unknown,
    id: '',
    key,
    type: 'page',
    title,
    authors: authors
      .filter((name) => !isUnnamed(name))
      .slice(0, MAX_NAMES)
      .map((name) => parseName(truncateWords(name, MAX_LABEL_LENGTH))),
    date: { ...readCitedDate(reading, day), isUndated: reading === undefined },
    archive,
    url,
    accessed: undefined,
  };
}

/** The order in which the roles of a person count, who is named once. */
const PRECEDENCE = 'interviewee author editor translator interviewer recipient publisher'.split(' ') as CitationRole[];

/** Returns the names that are cited, by role. A person with several roles, or several entries, has the first of them. */
function namesByRole({ creators }: ArchivalRecord): ReadonlyMap<CitationRole, readonly Identified[]> {
  const cited = creators.slice(0, 10 * MAX_NAMES).flatMap(({ namepart, role, oh_id, nr_id }) => {
    const { citation, name: roleName } = roleOf(role);
    if (!PRECEDENCE.includes(citation)) return [];
    const texts = splitNames(toPlainText(namepart)).map((name) => truncateWords(name, MAX_LABEL_LENGTH));
    // An ID is that of one person.
    const ids = texts.length === 1 ? [oh_id && `oh ${oh_id}`, nr_id && `nr ${nr_id}`] : [undefined, undefined];
    const named = texts.slice(0, MAX_NAMES).filter((text) => text !== '' && !isUnnamed(text));
    return named.map((text) => {
      const name = parseName(text, { role: roleName });
      return { citation, name, key: comparableName(name), ids };
    });
  });
  cited.sort((a, b) => PRECEDENCE.indexOf(a.citation) - PRECEDENCE.indexOf(b.citation));
  const people: typeof cited = [];
  for (const one of cited) if (!people.some((other) => isSamePerson(other, one))) people.push(one);
  return Map.groupBy(people, ({ citation }) => citation);
}

type Identified = { name: Name; key: string; ids: unknown[] };

/** Two entries are one person if they share an ID not surely wrong, or the name, and no two IDs of a kind differ. */
function isSamePerson(a: Identified, b: Identified): boolean {
  if (a.ids.some((id, i) => id && id === b.ids[i])) return mayBeOnePerson(a.name.literal, b.name.literal);
  return a.key === b.key && a.ids.every((id, i) => !id || !b.ids[i]);
}

const GENRES: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGE_FILES.en.codes.genre).map(([code, { singular }]) => [code, singular]),
);

/** Returns a genre in words, as within a sentence. */
function mediumName(genre: string): string | undefined {
  const known = GENRES.get(genre);
  return known ? known.charAt(0).toLowerCase() + known.slice(1) : genre.replaceAll('_', ' ') || undefined;
}

function recordingKind({ ia_meta: media, format }: ArchivalRecord): 'audio' | 'video' | undefined {
  if (media) return media.mimetype?.startsWith('audio/') ? 'audio' : 'video';
  return format === 'vh' ? 'video' : undefined;
}

function citedType(record: ArchivalRecord, hasInterviewees: boolean): CitedType {
  const { model, genre, format, ia_meta: media } = record;
  if (model === 'collection') return 'collection';
  if (genre === 'interview' || format === 'vh' || (hasInterviewees && media)) return 'interview';
  if (media) return recordingKind(record) ?? 'video';
  if (genre === 'map') return 'map';
  const type = dcmiType(record);
  if (type === 'Sound') return 'audio';
  if (type === 'MovingImage') return 'video';
  return type === 'StillImage' || type === 'PhysicalObject' ? 'graphic' : 'manuscript';
}
