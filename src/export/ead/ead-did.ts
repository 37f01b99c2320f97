/** The identification of a collection, item or segment in EAD3: title, IDs, dates, extent, languages, creators and files. */

import { titleOf } from '../../catalogue/object-entries.ts';
import { institutionOf } from '../../model/agents.ts';
import { toIso } from '../../model/dates/coverage.ts';
import { readDate } from '../../model/dates/read.ts';
import { readRecordDates } from '../../model/dates/record-dates.ts';
import { languageTag } from '../../model/language-tag.ts';
import { MAX_LIST_MEMBERS } from '../../model/limits.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { toPlainText } from '../../model/text.ts';
import { text as readText } from '../../model/values.ts';
import { startTag, toXmlText, type XmlAttributes, xmlElement } from '../../model/xml.ts';
import { parseDuration } from '../../platform/quantities.ts';
import { jsonParts } from '../../site/field-values.ts';
import { corporateName, nameElements } from './ead-access.ts';
import type { Described, FindingAidContext } from './ead-context.ts';
import { digitalObjects } from './ead-files.ts';
import { toEadLine } from './ead-text.ts';

/** Returns the element `did`. `repository` is the institution of the finding aid: only a record from another one repeats it. */
export function identification(described: Described, repository: string | undefined, context: FindingAidContext): string {
  const { record, entry } = described;
  const { raw } = record;
  const line = (name: string, element: string, attributes: XmlAttributes = {}) =>
    jsonParts(raw[name])
      .map(({ text }) => toEadLine(text, context.resolve))
      .filter((content) => content !== '')
      .map((content) => xmlElement(element, attributes, content));
  const creators = nameElements(record.creators.slice(0, MAX_LIST_MEMBERS));
  const institution = institutionOf(record);
  const isCollection = entry.model === 'collection';
  const parts = [
    xmlElement('unitid', {}, toXmlText(record.id)),
    ...line('alternate_id', 'unitid', { localtype: 'alternate' }),
    xmlElement('unittitle', {}, toXmlText(titleOf(record))),
    ...unitDates(record),
    ...physicalDescription(record),
    languages(record, context),
    ...creators.map((name) => xmlElement('origination', {}, name)),
    isCollection && repository !== undefined ? xmlElement('repository', {}, corporateName(repository)) : '',
    !isCollection && institution !== undefined && institution !== repository
      ? xmlElement('repository', {}, corporateName(institution))
      : '',
    ...line('physloc', 'physloc'),
    isCollection && readText(raw['scopecontent']) !== undefined ? line('description', 'abstract').join('') : '',
    digitalObjects(described, context),
  ];
  return `${startTag('did')}${parts.join('')}</did>`;
}

/** The dates of a record: when it was made, or those of a collection's contents. */
function unitDates(record: ArchivalRecord): string[] {
  const { raw } = record;
  const { words } = readRecordDates({ ...record, chronology: [] });
  const inclusive = toPlainText(readText(raw['unitdateinclusive']));
  const bulk = toPlainText(readText(raw['unitdatebulk']));
  return [
    unitDate(words, words !== undefined && words === inclusive ? 'inclusive' : undefined),
    inclusive === words ? '' : unitDate(inclusive, 'inclusive'),
    unitDate(bulk, 'bulk'),
  ];
}

/** A date that EAD3's schema for dates accepts. */
const NORMAL_DATE = /^[012]\d{3}(?:-\d\d(?:-\d\d)?)?$/;

/** Returns a date in the archive's words, with what they mean. An open period is a structured date, since `normal` has none. */
function unitDate(words: string | undefined, unitdatetype: 'inclusive' | 'bulk' | undefined): string {
  if (!words) return '';
  const reading = readDate(words);
  const dates = typeof reading === 'object' ? toIso(reading).split('/') : [];
  const intervals = typeof reading === 'object' ? reading.intervals : [];
  const certainty = intervals.some(({ uncertain }) => uncertain)
    ? 'uncertain'
    : intervals.some(({ approximate }) => approximate)
      ? 'approximate'
      : undefined;
  const attributes = { unitdatetype, certainty };
  const content = toXmlText(words);
  if (dates.length > 0 && dates.every((date) => NORMAL_DATE.test(date)))
    return xmlElement('unitdate', { ...attributes, normal: dates.join('/') }, content);
  const [notbefore, notafter] = dates.map((date) => (NORMAL_DATE.test(date) ? date : undefined));
  if (dates.length !== 2 || (notbefore ?? notafter) === undefined) return xmlElement('unitdate', { unitdatetype }, content);
  return xmlElement('unitdatestructured', attributes, xmlElement('datesingle', { notbefore, notafter }, content));
}

/** “6 linear feet”, “3 leaves”, “120 photographs”. */
const QUANTITY = /^(\d{1,6}(?:[.,]\d{1,3})?)\s+(\p{L}[\p{L} .]{0,40}\p{L})\.?$/u;
const SPACE = /^(?:(?:linear|cubic)\b|(?:feet|foot|ft|met(?:er|re)s?|m)\b)/i;

function physicalDescription({ raw }: ArchivalRecord): string[] {
  return jsonParts(raw['extent']).flatMap(({ text }) => {
    const extent = toPlainText(text);
    if (extent === '') return [];
    if (parseDuration(extent) !== undefined && !/^[\d.,]+$/.test(extent))
      return [xmlElement('physdesc', { localtype: 'duration' }, toXmlText(extent))];
    const [, quantity, unit] = QUANTITY.exec(extent) ?? [];
    if (quantity === undefined || unit === undefined) return [xmlElement('physdesc', {}, toXmlText(extent))];
    const content = `${xmlElement('quantity', {}, quantity)}${xmlElement('unittype', {}, toXmlText(unit))}`;
    const physdescstructuredtype = SPACE.test(unit) ? 'spaceoccupied' : 'materialtype';
    return [xmlElement('physdescstructured', { physdescstructuredtype, coverage: 'whole' }, content)];
  });
}

/** Returns the languages, with the codes of ISO 639-2/B that upstream uses. */
function languages({ language }: ArchivalRecord, { locale }: FindingAidContext): string {
  const elements = language.map((code) => {
    const isCode = /^[a-z]{3}$/.test(code) && languageTag(code) !== undefined;
    return xmlElement('language', isCode ? { langcode: code } : {}, toXmlText(toPlainText(locale.languageName(code)) || code));
  });
  return elements.length === 0 ? '' : xmlElement('langmaterial', {}, elements.join(''));
}
