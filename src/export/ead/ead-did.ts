/** The identification of a collection, item or segment in EAD3: title, IDs, dates, extent, languages, creators and files. */
import { titleOf } from '../../catalogue/read/object-entries.ts';
import { toIso } from '../../model/dates/coverage.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import { isObjectId } from '../../model/ids.ts';
import { filesOfRecord } from '../../model/media/media.ts';
import { institutionOf } from '../../model/people/agents.ts';
import { readCertain, readRecordDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { languageTag } from '../../model/text/language-tag.ts';
import { MAX_LIST_MEMBERS } from '../../model/text/limits.ts';
import { toPlainText, truncateWords } from '../../model/text/text.ts';
import { startTag, toXmlText, type XmlAttributes, xmlElement } from '../../model/text/xml.ts';
import { text as readText } from '../../model/values.ts';
import { parseDuration } from '../../platform/quantities.ts';
import { jsonParts } from '../../site/fields/field-values.ts';
import { readMediaByUrl } from '../../snapshot/read.ts';
import { portablePath } from '../portable-media.ts';
import { corporateName, nameElements } from './ead-access.ts';
import { type Described, describe, type FindingAidContext, pageUrl } from './ead-context.ts';
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
  const { words } = readRecordDates(record);
  const inclusive = toPlainText(record.unitdateinclusive);
  return [
    unitDate(words, words !== undefined && words === inclusive ? 'inclusive' : undefined),
    inclusive === words ? '' : unitDate(inclusive, 'inclusive'),
    unitDate(toPlainText(readText(record.raw['unitdatebulk'])), 'bulk'),
  ];
}

/** A date that EAD3's schema for dates accepts. */
const NORMAL_DATE = /^[012]\d{3}(?:-\d\d(?:-\d\d)?)?$/;

/** Returns a date in the archive's words, with what they mean. An open period is a structured date, since `normal` has none. */
function unitDate(words: string | undefined, unitdatetype: 'inclusive' | 'bulk' | undefined): string {
  if (!words) return '';
  const reading = readCertain(words);
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

const MAX_TITLE_LENGTH = 200;
/** More files of one record are left out. */
const MAX_FILES = 1_000;

interface DigitalObject {
  href: string;
  kind: string;
  title: string;
  identifier: string | undefined;
  note: string;
}

/** Returns the record's page and its files, as `dao` or `daoset`; empty if it has no files. */
function digitalObjects(described: Described, context: FindingAidContext): string {
  const { record, entry } = described;
  const fileRecords = context.relations.files(entry.id).slice(0, MAX_FILES);
  const objects = new Map<string, DigitalObject>();
  for (const owner of [described, ...fileRecords.map((file) => describe(file, context))])
    for (const object of filesOf(owner, context)) if (!objects.has(object.href)) objects.set(object.href, object);
  const page = pageUrl(record, context);
  const isShown = objects.size > 0 || entry.streamOnlyUrls.length > 0;
  if (isShown && page !== undefined && !objects.has(page))
    objects.set(page, { href: page, kind: 'page', title: entry.title, identifier: undefined, note: '' });
  const elements = [...objects.values()].slice(0, MAX_FILES).map(digitalObject);
  return elements.length > 1 ? xmlElement('daoset', { coverage: 'whole' }, elements.join('')) : elements.join('');
}

function filesOf({ record, entry }: Described, { publicStore, mediaBase, isWithheld }: FindingAidContext): DigitalObject[] {
  const id = entry.model === 'file' ? entry.id : undefined;
  return filesOfRecord(record).flatMap(({ url, kind }) => {
    if (kind === 'thumb' || publicStore.filter.hidesMedia({ url, owner: isObjectId(entry.id) ? entry.id : '' })) return [];
    const media = readMediaByUrl(publicStore, url);
    const isStored = media?.state === 'stored' && media.path !== null;
    const href =
      isStored && mediaBase !== undefined
        ? `${mediaBase}${encodeURI(portablePath(media, isWithheld) ?? '')}`
        : safeExternalUrl(url);
    if (href === undefined) return [];
    const facts = isStored ? [media.mimetype, media.size === null ? null : `${media.size} bytes`, `SHA-256 ${media.sha256}`] : [];
    const note = facts.filter((fact) => fact !== null).join(', ');
    return [{ href, kind, title: truncateWords(entry.title, MAX_TITLE_LENGTH), identifier: id, note }];
  });
}

/** Whether a file was made from a physical item is not known. */
function digitalObject({ href, kind, title, identifier, note }: DigitalObject): string {
  const content = note === '' ? '' : `<descriptivenote><p>${toXmlText(note)}</p></descriptivenote>`;
  return xmlElement('dao', { daotype: 'unknown', localtype: kind, href, linktitle: title, identifier }, content);
}
