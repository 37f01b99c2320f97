/** References to archival items in the style of the American Psychological Association (7th ed., and its archival guide). */
import { capitalize } from '../../model/text/capitalize.ts';
import { commas, sentences } from '../../model/text/citation-prose.ts';
import { mediumOf } from './chicago.ts';
import type { DateStyle } from './dates.ts';
import type { CitedItem } from './item.ts';
import { initialsFirst, initialsLast } from './names.ts';
import { ENGLISH, type Wording } from './wording.ts';

const DATES: DateStyle = { months: 'long', order: 'ymd', circa: 'ca.' };
const ACCESS: DateStyle = { ...DATES, order: 'mdy' };
/** Of more names than this, the first 19 and the last are given. */
const MAX_NAMES = 20;

/** Returns the citation of an item in the APA style. */
export function formatApa(item: CitedItem, wording = ENGLISH): string {
  const { interviewers, archive, collection, id, url, accessed } = item;
  const { words } = wording;
  const lead = leadOf(item, wording);
  const date = `(${item.date.isUndated ? words.undated : wording.date(item.date, DATES)})`;
  const by = interviewers.length > 0 ? wording.list(interviewers.map(initialsFirst), words.ampersand) : '';
  const medium = capitalize(mediumOf(item, wording));
  const description = by ? words.mediumBy(medium || words.interview, by) : medium;
  const title = [item.title, othersOf(item, wording), description && `[${description}]`].filter(Boolean).join(' ');
  const location = commas([collection, id && `(${id})`].filter(Boolean).join(' '), archive);
  const source = accessed && url ? words.retrieved(wording.day(accessed, ACCESS), url) : (url ?? '');
  const body = lead ? [lead, date, title] : [title, date];
  return `${sentences([...body, location])}${source ? ` ${source}` : ''}`;
}

/** “(B. Ousel, Ed.; L. Vane, Trans.)”: who is not in the lead. */
function othersOf({ authors, editors, translators }: CitedItem, { words, list }: Wording): string {
  const eds = authors.length > 0 ? editors : [];
  const namesOf = (names: CitedItem['editors']) => list(names.map(initialsFirst), words.ampersand);
  const parts = [
    eds.length > 0 ? `${namesOf(eds)}, ${(eds.length > 1 ? words.editors : words.editor).apa}` : '',
    translators.length > 0 ? `${namesOf(translators)}, ${words.translators}` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `(${parts.join('; ')})` : '';
}

function leadOf({ authors, editors }: CitedItem, { words, list }: Wording): string {
  const lead = authors.length > 0 ? authors : editors;
  const names = lead.map(initialsLast);
  const suffix = authors.length > 0 || lead.length === 0 ? '' : ` (${(lead.length > 1 ? words.editors : words.editor).apa})`;
  if (names.length > MAX_NAMES) return `${names.slice(0, MAX_NAMES - 1).join(', ')}, . . . ${names.at(-1)}${suffix}`;
  return `${list(names, words.ampersand, { commaBeforeSecond: true })}${suffix}`;
}
