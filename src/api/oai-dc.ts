/** Records in the format oai_dc: unqualified Dublin Core. */
import { titleOf } from '../catalogue/object-entries.ts';
import { DUBLIN_CORE_ELEMENTS, datesCovered, datesOfCreation, dublinCoreOf, isoPeriod } from '../model/dublin-core.ts';
import { safeExternalUrl } from '../model/external-url.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { toXmlText, xmlElement } from '../model/xml.ts';

/** Namespace of the format. */
export const DC_NAMESPACE = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
/** URL of its schema. */
export const DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';
/** Characters of one text. */
const MAX_TEXT_LENGTH = 10_000;

const element = (name: string, text: string) => xmlElement(`dc:${name}`, {}, toXmlText(text));

/** Returns a record as unqualified Dublin Core. Periods are written as in ISO 8601, since it has no scheme for them. */
export function dublinCore(record: ArchivalRecord, collectionTitle: string | undefined): string {
  const liveUrl = safeExternalUrl(record.links['html'] ?? '');
  const elements = dublinCoreOf(record, { title: titleOf(record), liveUrl, collectionTitle, maxLength: MAX_TEXT_LENGTH });
  const created = datesOfCreation(record);
  const covered = datesCovered(record);
  const more: Partial<typeof elements> = {
    date: created.dates.length === 0 ? created.periods.map(isoPeriod) : [],
    coverage: [...covered.dates, ...covered.periods.map(isoPeriod)],
  };
  const content = DUBLIN_CORE_ELEMENTS.flatMap((name) =>
    [...new Set([...(elements[name] ?? []), ...(more[name] ?? [])])].map((value) => (value ? element(name, value) : '')),
  );
  return dublinCoreElement(content.join(''));
}

/** Returns what remains of a record that cannot be read. */
export function bareDublinCore(id: string): string {
  return dublinCoreElement(`${element('title', `[${id}]`)}${element('identifier', id)}`);
}

function dublinCoreElement(content: string): string {
  const attributes = {
    'xmlns:oai_dc': DC_NAMESPACE,
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${DC_NAMESPACE} ${DC_SCHEMA}`,
  };
  return xmlElement('oai_dc:dc', attributes, content);
}
