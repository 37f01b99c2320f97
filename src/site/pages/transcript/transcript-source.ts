/** The view model of the end of an interview's transcript: how to cite the interview, its ID, its rights and its address. */
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { objectFileName } from '../../../platform/portability.ts';
import type { ObjectContent } from '../../content.ts';
import { createObjectCitations } from '../../parts/actions/object-citations.ts';
import { createRecordStatement } from '../../parts/actions/record-statement.ts';
import { recordTrail } from '../../parts/frame/page-parts.ts';
import type { Site } from '../../site.ts';
import { findPreferredCitation } from '../object/object-context.ts';

/** Returns what is at the end of the transcript of an interview. */
export function createTranscriptSource(
  { record, receivedAt }: Pick<ObjectContent, 'record' | 'receivedAt'>,
  entry: ObjectEntry,
  site: Site,
) {
  const liveUrl = safeExternalUrl(record.links['html'] ?? '');
  const context = { entry, trail: recordTrail(entry, site), preferredCitation: findPreferredCitation(entry, site) };
  return {
    citations: createObjectCitations(record, receivedAt, liveUrl, context, site).citations,
    /** The name of the interview in the names of files, without an extension. */
    fileName: objectFileName(entry.id),
    statement: createRecordStatement(record, entry, liveUrl, site),
  };
}
