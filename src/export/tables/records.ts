/** The table of records. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { titleOf } from '../../catalogue/read/object-entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import type { ArchivalRecord, Term } from '../../model/records.ts';
import { rightsTermsUrl } from '../../model/rights-terms.ts';
import { cleanTitle, toPlainText } from '../../model/text/text.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { text as readText } from '../../model/values.ts';
import { CERTAINTIES, readDateColumns } from './dates.ts';
import type { FileOfRecord } from './file-lines.ts';
import { defineTable, joinValues, type Table } from './table.ts';

/** A record with all that its rows are read from. */
export interface RecordItem {
  entry: ObjectEntry;
  record: ArchivalRecord;
  /** When its body was received (ISO 8601 in UTC); undefined for a partial record. */
  receivedAt: string | undefined;
  files: FileOfRecord[];
  /** Returns an ID if the tables have its record. */
  known: (id: string | undefined) => string | undefined;
  /** ID of its collection, if the tables have it. */
  collection: string | undefined;
}

/** A foreign key to a record. */
export const toRecord = (column: string) => ({ column, table: 'records', key: 'id' });
const plain = ({ record }: RecordItem, field: string) => toPlainText(readText(record.raw[field]));
const certainties = Object.entries(CERTAINTIES)
  .map(([name, meaning]) => `${name} (${meaning})`)
  .join(', ');

const ORIGINS: Readonly<Record<ObjectEntry['origin'], string>> = {
  record: 'record',
  summary: 'list entry',
  breadcrumbs: 'breadcrumbs',
};

type RecordLine = RecordItem & { date: ReturnType<typeof readDateColumns> };

/** One row per record. */
export const RECORDS: Table<RecordItem> = defineTable<RecordItem, RecordLine>({
  name: 'records',
  title: 'Records',
  description: 'One row per record, of any level: repository, organization, collection, item (entity), segment or file.',
  primaryKey: ['id'],
  foreignKeys: ['parent_id', 'collection_id', 'signature_id'].map(toRecord),
  indexed: ['parent_id', 'collection_id', 'date_start'],
  searched: ['title', 'description', 'creators', 'persons', 'topics', 'facilities', 'places', 'location', 'alternate_id'],
  facets: ['model', 'genre', 'format', 'rights', 'collection_id'],
  lines: (item) => [{ ...item, date: readDateColumns(item.record) }],
  columns: {
    id: ['ID of the record.', ({ entry }) => entry.id],
    model: ['Level: repository, organization, collection, entity (an item), segment or file.', ({ entry }) => entry.model],
    parent_id: ['Record above this one. Empty if the tables do not have it.', ({ known, entry }) => known(entry.parent)],
    collection_id: ['Collection of the record, or the record itself if it is one.', ({ collection }) => collection],
    sort: ['Position among the records of the same parent.', ({ entry }) => entry.sort, 'integer'],
    title: ['Title. Its ID in brackets if it has none.', ({ record }) => titleOf(record)],
    description: ['Description, as plain text.', ({ record }) => toPlainText(record.description)],
    date: ['Date in the archive’s own words.', ({ date }) => date.words],
    date_start: [
      'First day that the date can mean, as read from its words or, if they cannot be read, from the periods. Empty if it has no beginning.',
      ({ date }) => date.start,
      'date',
    ],
    date_end: ['Last day that the date can mean. Empty if it has no end.', ({ date }) => date.end, 'date'],
    date_edtf: ['The reading of the date in EDTF (ISO 8601-2), with its precision.', ({ date }) => date.edtf],
    date_certainty: [`How certain the date is: ${certainties}.`, ({ date }) => date.certainty],
    creators: ['Creators with their roles, separated by “; ”. The table creators has one row for each.', creatorsInOneCell],
    persons: [
      'Persons whom the record mentions, separated by “; ”. The table persons has one row for each.',
      ({ record }) => joinValues(record.persons.map(({ namepart }) => toPlainText(namepart))),
    ],
    topics: ['Topics, separated by “; ”. The table topics has one row for each.', ({ record }) => joinTerms(record.topics)],
    facilities: [
      'Facilities, separated by “; ”. The table facilities has one row for each.',
      ({ record }) => joinTerms(record.facility),
    ],
    places: ['Places, separated by “; ”. The table places has one row for each.', ({ record }) => joinTerms(record.geography)],
    location: ['Place in the archive’s own words.', (item) => plain(item, 'location')],
    languages: [
      'Languages of the item as codes of ISO 639, separated by “; ”.',
      ({ record }) => joinValues(record.language.map(cleanTitle)),
    ],
    genre: ['Genre, as a code such as photograph.', ({ record }) => record.genre],
    format: ['Format, as a code such as img (image), doc (document), av or vh (recording).', ({ record }) => record.format],
    extent: ['Size or duration in the archive’s own words.', (item) => plain(item, 'extent')],
    duration_seconds: ['Duration of a recording, in seconds.', ({ entry }) => entry.durationSeconds, 'number'],
    contributor: ['Who gave the item to the archive.', ({ record }) => toPlainText(record.contributor)],
    credit: ['Credit line.', (item) => plain(item, 'credit')],
    rights: ['Rights, as a code.', ({ record }) => record.rights],
    rights_url: [
      'URL of the license or rights statement that the record names, or that its code means.',
      ({ record }) => rightsTermsUrl(record),
    ],
    rights_statement: ['Rights in the archive’s own words.', (item) => plain(item, 'rights_statement')],
    alternate_id: ['Another ID of the item.', (item) => plain(item, 'alternate_id')],
    file_role: ['Of a file: what it is for, such as mezzanine or transcript.', ({ entry }) => entry.role],
    signature_id: [
      'File that represents the record. Empty if the tables do not have it.',
      ({ known, record }) => known(record.signature_id),
    ],
    status: ['State of the record in the archive, such as completed.', ({ record }) => record.status],
    created: [
      'When the archive made the record: ISO 8601, with a time zone only if the archive states one.',
      ({ record }) => readTimestamp(record.record_created),
    ],
    modified: ['When the archive last changed the record, in the same form.', ({ entry }) => entry.lastmod],
    received_at: ['When the record was harvested: ISO 8601 in UTC.', ({ receivedAt }) => receivedAt],
    removed_at: [
      'When the record was found to be removed from the live archive: ISO 8601 in UTC. Empty if it was not.',
      ({ entry }) => entry.removedAt,
    ],
    origin: [
      'What the row is made from: the record, or only its list entry or the breadcrumbs of other records if it could not be harvested.',
      ({ entry }) => ORIGINS[entry.origin],
    ],
    live_url: [
      'URL of its page in the live archive.',
      ({ record }) => record.links['html'] && safeExternalUrl(record.links['html']),
    ],
    page: ['Path of its page in the offline copy (site).', ({ entry }) => objectPath(entry.id)],
  },
});

function creatorsInOneCell({ record }: RecordLine): string {
  return joinValues(
    record.creators.map(({ namepart, role }) =>
      [toPlainText(namepart), toPlainText(role)].filter((part) => part !== '').join(', '),
    ),
  );
}

const joinTerms = (terms: readonly Term[]): string => joinValues(terms.map(({ term }) => toPlainText(term)));
