/** Responses to the verbs of OAI-PMH, as XML. */
import { errorMessage } from '../catalogue/page-problems.ts';
import { titleOf } from '../catalogue/read/object-entries.ts';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { DUBLIN_CORE_ELEMENTS, datesCovered, datesOfCreation, dublinCoreOf, isoPeriod } from '../model/dublin-core.ts';
import { safeExternalUrl } from '../model/external-url.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { toXmlText, type XmlAttributes, xmlElement } from '../model/text/xml.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { compareHeaders, type OaiHeader, type OaiIndex, readOaiRecord } from './oai-records.ts';
import * as oai from './oai-request.ts';

/** What responses are made from. */
export interface OaiSource {
  /** Public only. */
  shown: VisibleStore;
  index: OaiIndex;
  /** What precedes the record's ID in its identifier. */
  idPrefix: string;
  baseUrl: string;
  adminEmail: string;
}

const PAGE_LENGTHS = { ListRecords: 100, ListIdentifiers: 500, ListSets: 500 } as const;
const NO_DATESTAMP = '1970-01-01T00:00:00Z';

/** Returns an element with a text. */
export const el = (name: string, text: string, attributes: XmlAttributes = {}) => xmlElement(name, attributes, toXmlText(text));

/** Returns the content of the response to a request. @throws {OaiError} as the protocol defines. */
export function fulfill(request: oai.OaiRequest, source: OaiSource): string {
  const { verb, arguments: given } = request;
  if (verb === 'Identify') return identify(source);
  if (verb === 'ListMetadataFormats') {
    if (given['identifier'] !== undefined) findHeader(given['identifier'], source);
    const format = [el('metadataPrefix', oai.METADATA_PREFIX), el('schema', DC_SCHEMA), el('metadataNamespace', DC_NAMESPACE)];
    return xmlElement('metadataFormat', {}, format.join(''));
  }
  if (verb === 'ListSets') return listSets(source.index, given['resumptionToken']);
  if (verb === 'GetRecord') {
    oai.checkFormat(given['metadataPrefix']);
    return recordElement(findHeader(given['identifier'] ?? '', source), source);
  }
  return listRecords(request, verb, source);
}

function findHeader(identifier: string, { index, idPrefix }: OaiSource): OaiHeader {
  const header = identifier.startsWith(idPrefix) ? index.byId.get(identifier.slice(idPrefix.length)) : undefined;
  if (!header) throw new oai.OaiError('idDoesNotExist', 'No record has this identifier.');
  return header;
}

function listRecords(request: oai.OaiRequest, verb: 'ListRecords' | 'ListIdentifiers', source: OaiSource): string {
  const selection = oai.parseSelection(request);
  const { from, until, set, after, cursor } = selection;
  const matching = source.index.headers.filter(
    ({ datestamp, set: own }) =>
      (from === undefined || datestamp >= from) &&
      (until === undefined || datestamp <= until) &&
      (set === undefined || own === set),
  );
  const rest = after === undefined ? matching : matching.filter((header) => compareHeaders(header, after) > 0);
  const page = rest.slice(0, PAGE_LENGTHS[verb]);
  const last = page.at(-1);
  if (last === undefined && after !== undefined)
    throw new oai.OaiError('badResumptionToken', 'The list has changed. Start it again.');
  if (last === undefined) throw new oai.OaiError('noRecordsMatch', 'No record matches.');
  const records = page.map((header) => (verb === 'ListRecords' ? recordElement(header, source) : headerElement(header, source)));
  const next =
    rest.length > page.length ? oai.formatRecordToken({ ...selection, after: last, cursor: cursor + page.length }) : '';
  return `\n${records.join('\n')}${tokenElement(next, cursor, matching.length)}\n`;
}

function headerElement({ id, datestamp, set, isDeleted }: OaiHeader, { idPrefix }: OaiSource): string {
  const parts = [el('identifier', `${idPrefix}${id}`), el('datestamp', datestamp), set === undefined ? '' : el('setSpec', set)];
  return xmlElement('header', { status: isDeleted ? 'deleted' : undefined }, parts.join(''));
}

function recordElement(header: OaiHeader, source: OaiSource): string {
  const { id, set, isDeleted } = header;
  if (isDeleted) return xmlElement('record', {}, headerElement(header, source));
  const collectionTitle = set === undefined || set === id ? undefined : source.index.sets.get(set);
  const metadata = xmlElement('metadata', {}, metadataOf(id, collectionTitle, source));
  return xmlElement('record', {}, `${headerElement(header, source)}${metadata}`);
}

/** Returns the metadata of a record; only its ID if it cannot be read, so that one record does not end a harvest. */
function metadataOf(id: string, collectionTitle: string | undefined, { shown }: OaiSource): string {
  try {
    const record = readOaiRecord(shown, id);
    return record ? dublinCore(record, collectionTitle) : bareDublinCore(id);
  } catch (error) {
    console.error(`microfiche: ${id} has no metadata in OAI-PMH: ${toPrintable(errorMessage(error))}`);
    return bareDublinCore(id);
  }
}

function identify({ index: { title, headers }, baseUrl, adminEmail }: OaiSource): string {
  return [
    el('repositoryName', title),
    el('baseURL', baseUrl),
    el('protocolVersion', '2.0'),
    el('adminEmail', adminEmail),
    el('earliestDatestamp', headers[0]?.datestamp ?? NO_DATESTAMP),
    el('deletedRecord', 'persistent'),
    el('granularity', 'YYYY-MM-DDThh:mm:ssZ'),
  ].join('');
}

function listSets({ sets }: OaiIndex, token: string | undefined): string {
  const { after, cursor } = token === undefined ? { after: undefined, cursor: 0 } : oai.parseSetToken(token);
  const all = [...sets];
  const rest = after === undefined ? all : all.filter(([id]) => id > after);
  const page = rest.slice(0, PAGE_LENGTHS.ListSets);
  const last = page.at(-1);
  if (last === undefined && after === undefined) throw new oai.OaiError('noSetHierarchy', 'The archive has no collections.');
  if (last === undefined) throw new oai.OaiError('badResumptionToken', 'The list has changed. Start it again.');
  const next = rest.length > page.length ? oai.formatSetToken(last[0], cursor + page.length) : '';
  const elements = page.map(([id, title]) => xmlElement('set', {}, `${el('setSpec', id)}${el('setName', title)}`));
  return `${elements.join('')}${tokenElement(next, cursor, sets.size)}`;
}

/** Returns the token of a page: empty on the last of several pages, none on the only page. */
function tokenElement(token: string, cursor: number, total: number): string {
  if (token === '' && cursor === 0) return '';
  return el('resumptionToken', token, { completeListSize: String(total), cursor: String(cursor) });
}

/** Namespace of the format. */
const DC_NAMESPACE = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
/** URL of its schema. */
const DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';
/** Characters of one text. */
const MAX_TEXT_LENGTH = 10_000;

const element = (name: string, text: string) => xmlElement(`dc:${name}`, {}, toXmlText(text));

/** Returns a record as unqualified Dublin Core. Periods are written as in ISO 8601, since it has no scheme for them. */
function dublinCore(record: ArchivalRecord, collectionTitle: string | undefined): string {
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
const bareDublinCore = (id: string): string => dublinCoreElement(`${element('title', `[${id}]`)}${element('identifier', id)}`);

function dublinCoreElement(content: string): string {
  const attributes = {
    'xmlns:oai_dc': DC_NAMESPACE,
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${DC_NAMESPACE} ${DC_SCHEMA}`,
  };
  return xmlElement('oai_dc:dc', attributes, content);
}
