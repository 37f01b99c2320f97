/** What a printed transcript says of its record, beside the citation: ID, rights and address. */
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { rightsParts } from '../../fields/field-parts.ts';
import { codeLabel } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { addressOfPage } from '../frame/page-parts.ts';

/** Rows of a label and values in plain text. */
export type RecordStatement = Array<{ label: string; values: string[] }>;

/** Returns a record's statement. Its address is in the live archive, or else here, if one of them is known. */
export function createRecordStatement(
  record: ArchivalRecord,
  entry: Pick<ObjectEntry, 'id' | 'facets'>,
  liveUrl: string | undefined,
  site: Pick<Site, 'locale' | 'siteUrl' | 'design'>,
): RecordStatement {
  const { locale, design } = site;
  const { fields, object } = locale.t;
  const isHidden = design?.fields.some(({ name, section }) => name === 'rights' && section === 'none') === true;
  const rights = isHidden ? [] : rightsParts(record, entry.facets, locale).map(({ text }) => text);
  const address = liveUrl ?? addressOfPage(objectPath(entry.id), site);
  return [
    { label: fields.id, values: [entry.id] },
    { label: codeLabel(fields, 'rights'), values: rights },
    { label: object.address, values: address === undefined ? [] : [address] },
  ].filter(({ values }) => values.length > 0);
}
