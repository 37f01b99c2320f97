/** The view model of what is at the end of an interview's transcript: how to cite the interview, its ID, its rights and its address. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { objectFileName } from '../../platform/portability.ts';
import type { ObjectContent } from '../content.ts';
import type { Site } from '../site.ts';
import { safeLiveUrl } from './metadata.ts';
import { createObjectCitations, type PageCitation } from './object-citations.ts';
import { createTrail, findPreferredCitation } from './object-context.ts';
import { createRecordStatement, type RecordStatement } from './record-statement.ts';

/** What is at the end of a transcript. */
export interface TranscriptSource {
  citations: PageCitation[];
  /** The name of the interview in the names of files, without an extension. */
  fileName: string;
  statement: RecordStatement;
}

/** Returns what is at the end of the transcript of an interview. */
export function createTranscriptSource(
  { record, receivedAt }: Pick<ObjectContent, 'record' | 'receivedAt'>,
  entry: ObjectEntry,
  site: Site,
): TranscriptSource {
  const liveUrl = safeLiveUrl(record.links['html']);
  const context = { entry, trail: createTrail(entry, site), preferredCitation: findPreferredCitation(entry, site) };
  return {
    citations: createObjectCitations(record, receivedAt, liveUrl, context, site).citations,
    fileName: objectFileName(entry.id),
    statement: createRecordStatement(record, entry, liveUrl, site),
  };
}
