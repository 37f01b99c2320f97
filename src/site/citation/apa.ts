/** The reference of an archival item in the style of the American Psychological Association (7th ed., and its guide to archival documents). */
import { mediumOf } from './chicago.ts';
import { type DateStyle, formatDate, formatDay } from './dates.ts';
import type { CitedItem } from './item.ts';
import { initialsFirst, initialsLast, listOf } from './names.ts';
import { capitalized, commas, sentences } from './prose.ts';

const DATES: DateStyle = { months: 'long', order: 'ymd', circa: 'ca.' };
const ACCESS: DateStyle = { ...DATES, order: 'mdy' };
/** Of more names than this, the first 19 and the last are given. */
const MAX_NAMES = 20;

/** Returns the citation of an item in the APA style. */
export function formatApa(item: CitedItem): string {
  const { interviewers, archive, collection, id, url, accessed } = item;
  const lead = leadOf(item);
  const date = `(${item.date.isUndated ? 'n.d.' : formatDate(item.date, DATES)})`;
  const by = interviewers.length > 0 ? listOf(interviewers.map(initialsFirst), '&') : '';
  const medium = capitalized(mediumOf(item));
  const description = by ? `${medium || 'Interview'} by ${by}` : medium;
  const title = [item.title, othersOf(item), description && `[${description}]`].filter(Boolean).join(' ');
  const location = commas(collection ? `${collection} (${id})` : `(${id})`, archive);
  const source = accessed && url ? `Retrieved ${formatDay(accessed, ACCESS)}, from ${url}` : (url ?? '');
  const body = lead ? [lead, date, title] : [title, date];
  return `${sentences([...body, location])}${source ? ` ${source}` : ''}`;
}

/** “(B. Ousel, Ed.; L. Vane, Trans.)”: who is not in the lead. */
function othersOf({ authors, editors, translators }: CitedItem): string {
  const eds = authors.length > 0 ? editors : [];
  const parts = [
    eds.length > 0 ? `${listOf(eds.map(initialsFirst), '&')}, ${eds.length > 1 ? 'Eds.' : 'Ed.'}` : '',
    translators.length > 0 ? `${listOf(translators.map(initialsFirst), '&')}, Trans.` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `(${parts.join('; ')})` : '';
}

function leadOf({ authors, editors }: CitedItem): string {
  const lead = authors.length > 0 ? authors : editors;
  const names = lead.map(initialsLast);
  const suffix = authors.length > 0 || lead.length === 0 ? '' : lead.length > 1 ? ' (Eds.)' : ' (Ed.)';
  if (names.length > MAX_NAMES) return `${names.slice(0, MAX_NAMES - 1).join(', ')}, . . . ${names.at(-1)}${suffix}`;
  return `${listOf(names, '&', { commaBeforeSecond: true })}${suffix}`;
}
