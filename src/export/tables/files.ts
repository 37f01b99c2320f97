/** The tables of media files and of transcripts. */
import type { FileOfRecord, TranscriptLine } from './file-lines.ts';
import { defineList, type Line, linesOf } from './list-members.ts';
import { type RecordItem, toRecord } from './records.ts';
import { defineTable, joinValues, type Table } from './table.ts';

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
    about_id: [
      'Item or segment that the transcript is of: the parent of the file record.',
      ({ item: { entry, known } }) => known(entry.model === 'file' ? entry.parent : entry.id),
    ],
    file_position: ['The column position of the file in the table files.', ({ value }) => value.file, 'integer'],
    start_seconds: ['Beginning of a caption, in seconds.', ({ value }) => value.start, 'number'],
    end_seconds: ['End of a caption, in seconds.', ({ value }) => value.end, 'number'],
    speaker: ['Who speaks, if the caption names someone.', ({ value }) => value.speaker],
    text: ['What is said.', ({ value }) => value.text],
  },
});
