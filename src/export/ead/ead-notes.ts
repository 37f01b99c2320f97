/** The finding-aid fields of a record in EAD3: scope, history, conditions of access and use, and so on. */
import type { ArchivalRecord } from '../../model/records.ts';
import { rightsTermsUrl, statedRights } from '../../model/rights-terms.ts';
import { toPlainText } from '../../model/text.ts';
import { hasValue, text as readText } from '../../model/values.ts';
import { toXmlText, xmlElement } from '../../model/xml.ts';
import { codeLabel } from '../../site/language/locale.ts';
import { type Described, type FindingAidContext, fieldBlocks } from './ead-context.ts';

/**
 * Elements by field (docs/upstream-api.md, “Collection fields”), in the order of a finding aid. The fields that the API is not known to have are
 * elements of EAD too.
 */
const ELEMENTS: ReadonlyArray<readonly [field: string, element: string]> = [
  ['scopecontent', 'scopecontent'],
  ['arrangement', 'arrangement'],
  ['bioghist', 'bioghist'],
  ['custodhist', 'custodhist'],
  ['acqinfo', 'acqinfo'],
  ['appraisal', 'appraisal'],
  ['accruals', 'accruals'],
  ['processinfo', 'processinfo'],
  ['accessrestrict', 'accessrestrict'],
  ['phystech', 'phystech'],
  ['prefercite', 'prefercite'],
  ['otherfindaid', 'otherfindaid'],
  ['originalsloc', 'originalsloc'],
  ['altformavail', 'altformavail'],
  ['relatedmaterial', 'relatedmaterial'],
  ['separatedmaterial', 'separatedmaterial'],
  ['bibliography', 'bibliography'],
  ['notes', 'odd'],
  ['odd', 'odd'],
];

/** Returns the descriptive elements of a record, without its access points. */
export function descriptiveNotes({ record, entry }: Described, context: FindingAidContext): string {
  const { raw } = record;
  const blocks = (name: string) => (hasValue(raw[name]) ? fieldBlocks(raw[name], context) : '');
  const note = (element: string, content: string) => (content === '' ? '' : xmlElement(element, {}, content));
  // A collection with a field for its scope has its description as an abstract.
  const hasAbstract = entry.model === 'collection' && readText(raw['scopecontent']) !== undefined;
  const removed =
    entry.removedAt === undefined ? '' : paragraph(`Removed from the live archive by ${entry.removedAt.slice(0, 10)}.`);
  return [
    hasAbstract ? '' : note('scopecontent', blocks('description')),
    ...ELEMENTS.map(([field, element]) => note(element, blocks(field))),
    note('userestrict', `${blocks('userrestrict')}${blocks('userestrict')}${rights(record.raw, context)}${blocks('credit')}`),
    note('processinfo', `${digitization(record)}${removed}`),
  ].join('');
}

/** Returns the rights code or license in words, the terms that it means, and the archive's own statement. */
function rights(raw: Readonly<Record<string, unknown>>, context: FindingAidContext): string {
  const stated = statedRights(raw);
  const terms = rightsTermsUrl(raw);
  const label = stated === undefined ? undefined : codeLabel(context.locale.t.codes.rights, stated);
  const shown = toXmlText(toPlainText(label) || (terms ?? ''));
  const line = terms === undefined ? shown : xmlElement('ref', { href: terms, show: 'new', actuate: 'onrequest' }, shown);
  const statement = hasValue(raw['rights_statement']) ? fieldBlocks(raw['rights_statement'], context) : '';
  return `${shown === '' ? '' : `<p>${line}</p>`}${statement}`;
}

/** Returns who digitized an item, and when. */
function digitization({ raw, digitizeDate }: ArchivalRecord): string {
  const names = ['digitize_person', 'digitize_organization'].map((name) => readText(raw[name]));
  const facts = [...names, digitizeDate].map(toPlainText);
  const stated = facts.filter((fact) => fact !== '');
  return stated.length === 0 ? '' : paragraph(`Digitized: ${stated.join(', ')}.`);
}

const paragraph = (text: string) => `<p>${toXmlText(text)}</p>`;
