/** A finding aid of a collection as an EAD3 document, written part by part: a collection can have a hundred thousand items. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { errorMessage } from '../../catalogue/page-problems.ts';
import { institutionOf } from '../../model/people/agents.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { urlOf } from '../../model/resources.ts';
import { rightsTermsUrl, statedRights } from '../../model/rights-terms.ts';
import { toPlainText } from '../../model/text/text.ts';
import { startTag, toXmlText, type XmlAttributes, xmlElement } from '../../model/text/xml.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { hasValue, text as readText } from '../../model/values.ts';
import { codeLabel } from '../../site/language/locale.ts';
import { SOFTWARE } from '../export-context.ts';
import { accessPoints } from './ead-access.ts';
import { type Described, describe, type FindingAidContext, fieldBlocks, pageUrl } from './ead-context.ts';
import { identification } from './ead-did.ts';

/** The namespace of EAD3. */
const NAMESPACE = 'http://ead3.archivists.org/schema/';

/** What the caller wants to know of the records in a finding aid. */
export interface FindingAidEvents {
  /** A record was written. */
  onRecord: (id: string) => void;
  /** A record could not be described. Only its title is in the finding aid. */
  onProblem: (problem: string) => void;
}

/** Yields the parts of a collection's finding aid. */
export function* findingAid(collection: ListedEntry, context: FindingAidContext, events: FindingAidEvents): Generator<string> {
  const described = describe(collection, context);
  const organization = collection.parent === undefined ? undefined : context.relations.object(collection.parent)?.title;
  const repository = institutionOf(described.record) ?? organization ?? context.title;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${startTag('ead', { xmlns: NAMESPACE })}\n`;
  yield `${control(described, repository, context)}\n${startTag('archdesc', { level: 'collection' })}\n`;
  yield `${description(described, repository, context, events)}\n`;
  events.onRecord(collection.id);
  if (context.relations.children(collection.id).length > 0) {
    yield `${startTag('dsc', { dsctype: 'combined' })}\n`;
    yield* components(collection, repository, context, events);
    yield '</dsc>\n';
  }
  yield '</archdesc>\n</ead>\n';
}

/** Deeper levels are written as siblings: few programs read XML that is nested deeply. */
const MAX_DEPTH = 100;

/** Yields everything below a collection. A loop instead of recursion, and each record once: parents may form a circle. */
function* components(
  collection: ListedEntry,
  repository: string,
  context: FindingAidContext,
  events: FindingAidEvents,
): Generator<string> {
  const written = new Set([collection.id]);
  const open = [{ entries: context.relations.children(collection.id)[Symbol.iterator](), end: '' }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const next = level.entries.next();
    if (next.done) {
      open.pop();
      yield level.end;
      continue;
    }
    const entry = next.value;
    if (written.has(entry.id)) continue;
    written.add(entry.id);
    const children = context.relations.children(entry.id);
    yield `${startTag('c', { id: `c-${entry.id}`, ...levelOf(entry, children.length > 0) })}`;
    yield component(entry, repository, context, events);
    events.onRecord(entry.id);
    const isFlat = open.length >= MAX_DEPTH;
    if (isFlat) yield END;
    open.push({ entries: children[Symbol.iterator](), end: isFlat ? '' : END });
  }
}

const END = '</c>\n';

function component(entry: ListedEntry, repository: string, context: FindingAidContext, events: FindingAidEvents): string {
  try {
    return description(describe(entry, context), repository, context, events);
  } catch (error) {
    events.onProblem(`${entry.id} has only its title in the finding aid: ${errorMessage(error)}`);
    return bareIdentification(entry);
  }
}

/** Returns `did` and the descriptive elements. What cannot be described is left out, and reported. */
function description(described: Described, repository: string, context: FindingAidContext, events: FindingAidEvents): string {
  const parts = [
    () => identification(described, repository, context),
    () => descriptiveNotes(described, context),
    () => accessPoints(described.record, context.locale),
  ];
  const written = parts.map((write, position) => {
    try {
      return write();
    } catch (error) {
      events.onProblem(`${described.entry.id} is described only in part: ${errorMessage(error)}`);
      return position === 0 ? bareIdentification(described.entry) : '';
    }
  });
  return written.join('');
}

function bareIdentification({ id, title }: ListedEntry): string {
  return xmlElement('did', {}, `${xmlElement('unitid', {}, toXmlText(id))}${xmlElement('unittitle', {}, toXmlText(title))}`);
}

function levelOf({ model }: ListedEntry, hasChildren: boolean): XmlAttributes {
  if (model === 'segment') return { level: 'otherlevel', otherlevel: 'segment' };
  if (model === 'collection') return { level: 'collection' };
  return { level: hasChildren ? 'file' : 'item' };
}

/** Returns `control`: what this document is, who is responsible for it, and its origin. Times are those of the snapshot. */
function control({ record, entry, stored }: Described, repository: string, context: FindingAidContext): string {
  const { baseUrls, catalogue, title } = context;
  const harvestedAt = catalogue.facts.harvestedAt ?? stored?.fetchedAt;
  const apiUrl = urlOf({ kind: 'object', name: entry.id }, baseUrls);
  const page = pageUrl(record, context);
  const publication = [
    xmlElement('publisher', {}, toXmlText(repository)),
    harvestedAt === undefined ? '' : xmlElement('date', { normal: harvestedAt.slice(0, 10) }, harvestedAt.slice(0, 10)),
  ];
  const events = [
    event('created', readTimestamp(record.record_created), 'unknown', title),
    event('revised', readTimestamp(record.record_lastmod), 'unknown', title),
    event('derived', harvestedAt ?? UNKNOWN_TIME, 'machine', SOFTWARE, `Derived from the records of ${baseUrls.catalog}.`),
  ];
  return xmlElement(
    'control',
    { langencoding: 'iso639-2b', dateencoding: 'iso8601' },
    [
      xmlElement('recordid', { instanceurl: page }, toXmlText(entry.id)),
      `<filedesc><titlestmt>${xmlElement('titleproper', {}, toXmlText(entry.title))}</titlestmt>`,
      `${xmlElement('publicationstmt', {}, publication.join(''))}</filedesc>`,
      xmlElement('maintenancestatus', { value: 'derived' }),
      xmlElement('publicationstatus', { value: 'published' }),
      `<maintenanceagency>${xmlElement('agencyname', {}, toXmlText(title))}</maintenanceagency>`,
      xmlElement('maintenancehistory', {}, events.join('')),
      `<sources>${xmlElement('source', { href: apiUrl }, xmlElement('sourceentry', {}, toXmlText(apiUrl)))}</sources>`,
    ].join(''),
  );
}

const UNKNOWN_TIME = 'unknown';
/** The schema accepts no later time. */
const MAX_YEAR = 2099;

function event(
  value: string,
  time: string | undefined,
  agenttype: 'unknown' | 'machine',
  agent: string,
  description?: string,
): string {
  if (time === undefined) return '';
  const year = Number(time.slice(0, 4));
  const standarddatetime = year > 0 && year < MAX_YEAR ? time : undefined;
  return xmlElement(
    'maintenanceevent',
    {},
    [
      xmlElement('eventtype', { value }),
      xmlElement('eventdatetime', { standarddatetime }, toXmlText(time)),
      xmlElement('agenttype', { value: agenttype }),
      xmlElement('agent', {}, toXmlText(agent)),
      description === undefined ? '' : xmlElement('eventdescription', {}, toXmlText(description)),
    ].join(''),
  );
}

/**
 * Fields that are elements of the same name (docs/upstream-api.md, “Collection fields”), in the order of a finding aid; `notes`
 * are `odd`. Those that the API is not known to have are elements of EAD too.
 */
const FIELDS =
  'scopecontent arrangement bioghist custodhist acqinfo appraisal accruals processinfo accessrestrict phystech prefercite otherfindaid originalsloc altformavail relatedmaterial separatedmaterial bibliography notes odd'.split(
    ' ',
  );

/** Returns the descriptive elements of a record, without its access points. */
function descriptiveNotes({ record, entry }: Described, context: FindingAidContext): string {
  const { raw } = record;
  const blocks = (name: string) => (hasValue(raw[name]) ? fieldBlocks(raw[name], context) : '');
  const note = (element: string, content: string) => (content === '' ? '' : xmlElement(element, {}, content));
  // A collection with a field for its scope has its description as an abstract.
  const hasAbstract = entry.model === 'collection' && readText(raw['scopecontent']) !== undefined;
  const removed =
    entry.removedAt === undefined ? '' : paragraph(`Removed from the live archive by ${entry.removedAt.slice(0, 10)}.`);
  return [
    hasAbstract ? '' : note('scopecontent', blocks('description')),
    ...FIELDS.map((field) => note(field === 'notes' ? 'odd' : field, blocks(field))),
    note('userestrict', `${blocks('userrestrict')}${blocks('userestrict')}${rights(record, context)}${blocks('credit')}`),
    note('processinfo', `${digitization(record)}${removed}`),
  ].join('');
}

/** Returns the rights code or license in words, the terms that it means, and the archive's own statement. */
function rights(record: ArchivalRecord, context: FindingAidContext): string {
  const stated = statedRights(record);
  const terms = rightsTermsUrl(record);
  const label = stated === undefined ? undefined : codeLabel(context.locale.t.codes.rights, stated);
  const shown = toXmlText(toPlainText(label) || (terms ?? ''));
  const line = terms === undefined ? shown : xmlElement('ref', { href: terms, show: 'new', actuate: 'onrequest' }, shown);
  const statement = hasValue(record.raw['rights_statement']) ? fieldBlocks(record.raw['rights_statement'], context) : '';
  return `${shown === '' ? '' : `<p>${line}</p>`}${statement}`;
}

/** Returns who digitized an item, and when. */
function digitization({ raw, digitizeDate }: ArchivalRecord): string {
  const names = ['digitize_person', 'digitize_organization'].map((name) => readText(raw[name]));
  const stated = [...names, digitizeDate].map(toPlainText).filter((fact) => fact !== '');
  return stated.length === 0 ? '' : paragraph(`Digitized: ${stated.join(', ')}.`);
}

const paragraph = (text: string) => `<p>${toXmlText(text)}</p>`;
