/** The tables of media files and of transcripts. */
import { readPosition } from '../../model/coordinates.ts';
import { INDEX_LANGUAGES, indexText, pointLinks, pointTitle, type RecordingIndex } from '../../model/transcripts/index-points.ts';
import type { FileOfRecord, TranscriptLine } from './file-lines.ts';
import { defineList, type Line, linesOf } from './list-members.ts';
import { type RecordItem, toRecord } from './records.ts';
import { defineTable, joinValues, type Table } from './table.ts';

const ABOUT = [
  'Item or segment that the text is of: the parent of the file record.',
  ({ item: { entry, known } }: Line<unknown>) => known(entry.model === 'file' ? entry.parent : entry.id),
] as const;

/** One row per media file that a record names. */
export const FILES = defineList<FileOfRecord>({
  name: 'files',
  title: 'Files',
  description:
    'One row per media file that a record names: an image, recording, transcript or original. Records can share a file.',
  indexed: ['sha256', 'path'],
  facets: ['kind', 'state', 'media_type'],
  values: (item) => item.files,
  columns: {
    kind: ['thumb (thumbnail), image, audio, video, transcript or original.', ({ value }) => value.kind],
    url: ['URL of the file in the live archive.', ({ value }) => value.url],
    state: [
      'stored, failed (could not be downloaded) or quarantined (its bytes contradict its declared checksum). Empty if it was not downloaded.',
      ({ value }) => value.row?.state,
    ],
    path: [
      'Path of the file in the snapshot, and below data/ in a bag of it. Empty without a file, or if it is named after a record that is not in these tables.',
      ({ value }) => value.path,
    ],
    sha256: ['SHA-256 of the file, hexadecimal.', ({ value }) => value.row?.sha256 ?? undefined],
    size: ['Size of the file, in bytes.', ({ value }) => value.row?.size ?? undefined, 'integer'],
    media_type: ['Media type (MIME type), as detected from its bytes.', ({ value }) => value.row?.mimetype ?? undefined],
    declared_size: ['Size that the archive declares, in bytes.', ({ value }) => value.declaredSize, 'integer'],
    verified_with: [
      'Algorithms of the checksums that the archive declares and that the bytes match, separated by “; ”.',
      ({ value }) => joinValues(value.verifiedWith),
    ],
    problem: ['Why the file could not be downloaded, or is in quarantine.', ({ value }) => value.row?.cause ?? undefined],
  },
});

/** Returns the points of an index in each language in which they say something. */
function listPoints(index: RecordingIndex | undefined) {
  return (index?.points ?? []).flatMap((point) =>
    INDEX_LANGUAGES.filter((language) => pointTitle(point, language) !== '').map((language) => ({
      point,
      stated: language === '' ? index?.language : index?.translation,
      text: (name: string) => indexText(point.fields, name, language),
      places: point.places.map((place) => indexText(place, 'gps_text', language)),
      links: pointLinks(point, language).map(({ url }) => url),
      position: point.places.map(({ gps }) => readPosition(gps, undefined).position).find(Boolean),
    })),
  );
}

/** One row per point of an index inside a recording, in each of its languages. */
export const INDEX_POINTS = defineList<ReturnType<typeof listPoints>[number]>({
  name: 'index_points',
  title: 'Index points',
  description: 'One row per point of an index inside a recording (OHMS, or chapters of WebVTT), in each language that it has.',
  searched: ['title', 'synopsis', 'keywords', 'subjects'],
  values: ({ files }) => files.flatMap(({ index }) => listPoints(index)),
  columns: {
    about_id: ABOUT,
    start_seconds: ['When the point begins, in seconds.', ({ value }) => value.point.start, 'number'],
    language: ['Language, as the file states it.', ({ value }) => value.stated],
    title: ['Title.', ({ value }) => value.text('title')],
    partial_transcript: ['The first words that are said.', ({ value }) => value.text('partial_transcript')],
    synopsis: ['What is spoken about.', ({ value }) => value.text('synopsis')],
    keywords: ['Keywords, separated by “; ”.', ({ value }) => value.text('keywords')],
    subjects: ['Subjects, separated by “; ”.', ({ value }) => value.text('subjects')],
    latitude: ['Latitude of its first place, in degrees (WGS 84).', ({ value }) => value.position?.lat, 'number'],
    longitude: ['Longitude of its first place, in degrees (WGS 84).', ({ value }) => value.position?.lng, 'number'],
    places: ['Names of its places, separated by “; ”.', ({ value }) => joinValues(value.places)],
    links: ['URLs that it names, separated by “; ”.', ({ value }) => joinValues(value.links)],
  },
});

/** One row per caption or paragraph of a transcript. */
export const TRANSCRIPTS: Table<RecordItem> = defineTable<RecordItem, Line<TranscriptLine & { file: number }>>({
  name: 'transcripts',
  title: 'Transcripts',
  description: 'One row per caption or paragraph of a transcript or glossary that is a text file. Those in PDF are not included.',
  primaryKey: ['record_id', 'position'],
  foreignKeys: [toRecord('record_id'), toRecord('about_id')],
  indexed: ['about_id'],
  searched: ['text'],
  lines(item) {
    const lines = item.files.flatMap((file, i) => file.lines.map((line) => ({ file: i + 1, ...line })));
    return linesOf(item, lines);
  },
  columns: {
    record_id: ['Record of the file.', ({ item }) => item.entry.id],
    position: ['Position in the text, from 1.', ({ position }) => position, 'integer'],
    about_id: ABOUT,
    file_position: ['The column position of the file in the table files.', ({ value }) => value.file, 'integer'],
    start_seconds: ['Beginning of a caption, in seconds.', ({ value }) => value.start, 'number'],
    end_seconds: ['End of a caption, in seconds.', ({ value }) => value.end, 'number'],
    speaker: ['Who speaks, if the caption names someone.', ({ value }) => value.speaker],
    text: ['What is said.', ({ value }) => value.text],
  },
});
