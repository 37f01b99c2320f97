/** The Chicago Manual of Style's bibliography entry for manuscripts and archival items (17th ed., 14.211 and 14.221–14.231). */
import { type DateStyle, formatDate, formatDay } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, invertedName, listOf } from './names.ts';
import { capitalized, commas, quoted, sentences } from './prose.ts';

const DATES: DateStyle = { months: 'long', order: 'mdy', circa: 'c.' };
/** Of more names than this, the first seven are given. */
const MAX_NAMES = 10;
const NAMES_BEFORE_OTHERS = 7;

/** Returns the citation of an item in the Chicago style. */
export function formatChicago(item: CitedItem): string {
  const by = item.interviewers.length > 0 ? `interview by ${listOf(item.interviewers.map(directName))}` : '';
  const isQuoted = item.type !== 'collection';
  const name = isQuoted ? quoted(item.title, by ? ',' : '.') : by ? item.title.replace(/”?$/, ',$&') : item.title;
  const title = by ? `${name} ${by}` : name;
  const leading = leadOf(item);
  return sentences([
    leading,
    title,
    item.authors.length > 0 && item.editors.length > 0 ? `Edited by ${listOf(item.editors.map(directName))}` : '',
    item.translators.length > 0 ? `Translated by ${listOf(item.translators.map(directName))}` : '',
    commas(capitalized(mediumOf(item)), formatDate(item.date, DATES)),
    commas(item.id, item.collection, item.archive),
    item.accessed ? `Accessed ${formatDay(item.accessed, DATES)}` : '',
    item.url,
  ]);
}

/** Returns the genre; of a letter, also to whom it is. */
export function mediumOf({ medium = '', recipients }: CitedItem): string {
  if (recipients.length === 0) return medium;
  return `${medium === '' || medium === 'correspondence' ? 'letter' : medium} to ${listOf(recipients.map(directName))}`;
}

function leadOf({ authors, editors }: CitedItem): string {
  const lead = authors.length > 0 ? authors : editors;
  const [first, ...more] = lead;
  if (!first) return '';
  const suffix = authors.length > 0 ? '' : lead.length > 1 ? ', eds.' : ', ed.';
  if (lead.length > MAX_NAMES)
    return `${[invertedName(first), ...more.slice(0, NAMES_BEFORE_OTHERS - 1).map(directName)].join(', ')}, et al.`;
  const isInverted = invertedName(first) !== directName(first);
  return `${listOf([invertedName(first), ...more.map(directName)], 'and', { commaBeforeSecond: isInverted })}${suffix}`;
}
