/** CSL-JSON, the data of citation processors such as Zotero's and Pandoc's (schema of CSL 1.0.2). */
import type { Name } from '../../model/names/names.ts';
import { mediumOf } from './chicago.ts';
import type { CitedItem } from './item.ts';
import { personalName } from './names.ts';

/** The types that have other names in CSL. */
const TYPES: Readonly<Partial<Record<CitedItem['type'], string>>> = { audio: 'song', video: 'motion_picture', page: 'webpage' };

/** Returns an item as CSL-JSON, without empty properties. */
export function toCslJson(item: CitedItem) {
  const { date, accessed } = item;
  const issued = date.parts
    ? { 'date-parts': date.parts, ...(date.circa ? { circa: true } : {}) }
    : date.words && { literal: date.words };
  return withoutEmpty({
    id: item.key,
    type: TYPES[item.type] ?? item.type,
    title: item.title,
    author: item.authors.map(cslName),
    editor: item.editors.map(cslName),
    translator: item.translators.map(cslName),
    interviewer: item.interviewers.map(cslName),
    recipient: item.recipients.map(cslName),
    issued,
    medium: mediumOf({ ...item, recipients: [] }),
    publisher: item.publishers.map(({ literal }) => literal).join('; '),
    archive: item.archive,
    archive_collection: item.collection,
    archive_location: item.id,
    language: item.language,
    URL: item.url,
    accessed: accessed && { 'date-parts': [accessed] },
  });
}

/** Returns an item as text in CSL-JSON: a list of one, with each date on one line. */
export function formatCslJson(item: CitedItem): string {
  const json = JSON.stringify([toCslJson(item)], undefined, 1);
  // Texts in JSON contain no line breaks.
  return json.replace(/\[\n[\s\d,[\]]*\]/g, (dates) => dates.replace(/\s+/g, ''));
}

/** Leaves out empty values. */
export function withoutEmpty<T extends object>(item: T): T {
  const isSet = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(item).filter(([, value]) => isSet(value))) as T;
}

function cslName(name: Name) {
  const parts = personalName(name);
  if (!parts) return { literal: name.literal };
  const { family, given, leading, trailing, suffix } = parts;
  return {
    // The archive's own order: “de la Cruz” is sorted under “de”.
    family: leading ? `${leading} ${family}` : family,
    given,
    ...(trailing ? { 'non-dropping-particle': trailing } : {}),
    ...(suffix ? { suffix } : {}),
  };
}
