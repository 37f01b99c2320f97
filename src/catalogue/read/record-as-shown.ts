/** What a contribution says of its record: the same words in the browser of the reader, and later at the archive. */
import type { RecordAsShown } from '../../formats/contribution.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { toPlainText, truncateWords } from '../../model/text/text.ts';
import { titleOf } from './create-entry.ts';

/** Characters. */
const MAX_TEXT = 200;

/** Returns a record in short plain texts, as it states them. */
export function recordAsShown(record: ArchivalRecord): RecordAsShown {
  const short = (text: string | undefined) => truncateWords(toPlainText(text), MAX_TEXT);
  return {
    title: short(titleOf(record)),
    date: short(record.statedCreation ?? record.creation),
    description: short(record.description),
    credit: short(record.creators.map(({ namepart }) => namepart).join('; ') || record.contributor),
  };
}
