/** The templates of Wikipedia (Help:Citation Style 1): an interview, a page on the web, or without an address, any source. */
import { mediumOf } from './chicago.ts';
import type { DateStyle } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, personalName } from './names.ts';
import { ENGLISH } from './wording.ts';

const DATES: DateStyle = { months: 'long', order: 'mdy', circa: 'c.' };

/** Returns the citation of an item as a template in the language of the English Wikipedia. */
export function formatWikipedia(item: CitedItem): string {
  const { type, title, date, archive, collection, id, url, accessed } = item;
  const template = type === 'interview' ? 'Cite interview' : url ? 'Cite web' : 'Citation';
  const fields: Array<[name: string, value: string | undefined]> = [
    ...item.authors.flatMap(nameFields),
    ['interviewer', item.interviewers.map(directName).join(', ')],
    ['title', title],
    ['date', date.isUndated ? '' : ENGLISH.date(date, DATES)],
    ['type', type === 'page' ? '' : mediumOf(item, ENGLISH)],
    ['website', archive],
    ['department', collection],
    ['id', id],
    ['url', url],
    ['access-date', accessed && ENGLISH.day(accessed, DATES)],
  ];
  // What a template would read as markup is a character reference.
  const escapeValue = (value: string) => value.replace(/[{}|[\]<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const stated = fields.flatMap(([name, value]) => (value ? [`|${name}=${escapeValue(value)}`] : []));
  return `{{${[template, ...stated].join(' ')}}}`;
}

function nameFields(name: CitedItem['authors'][number], i: number): Array<[string, string]> {
  const parts = personalName(name);
  if (!parts) return [[`author${i + 1}`, name.literal]];
  const { family, given, leading, trailing, suffix } = parts;
  return [
    [`last${i + 1}`, [leading, family].filter(Boolean).join(' ')],
    [`first${i + 1}`, [given, trailing, suffix].filter(Boolean).join(' ')],
  ];
}
