/** The Chicago Manual of Style's bibliography entry for manuscripts and archival items (17th ed., 14.211 and 14.221–14.231). */
import { capitalize } from '../../model/text/capitalize.ts';
import { commas, sentences } from '../../model/text/citation-prose.ts';
import type { DateStyle } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, invertedName } from './names.ts';
import { ENGLISH, type Wording } from './wording.ts';

const DATES: DateStyle = { months: 'long', order: 'mdy', circa: 'c.' };
/** Of more names than this, the first seven are given. */
const MAX_NAMES = 10;
const NAMES_BEFORE_OTHERS = 7;

/** Returns the citation of an item in the Chicago style. */
export function formatChicago(item: CitedItem, wording = ENGLISH): string {
  const { words } = wording;
  const namesOf = (names: CitedItem['editors']) => wording.list(names.map(directName), words.and);
  const by = item.interviewers.length > 0 ? words.interviewBy(namesOf(item.interviewers)) : '';
  const isQuoted = item.type !== 'collection';
  const name = isQuoted ? wording.quoted(item.title, by ? ',' : '.') : by ? item.title.replace(/”?$/, ',$&') : item.title;
  const title = by ? `${name} ${by}` : name;
  const leading = leadOf(item, wording);
  return sentences([
    leading,
    title,
    item.authors.length > 0 && item.editors.length > 0 ? capitalize(words.editedBy(namesOf(item.editors))) : '',
    item.translators.length > 0 ? capitalize(words.translatedBy(namesOf(item.translators))) : '',
    commas(capitalize(mediumOf(item, wording)), wording.date(item.date, DATES)),
    commas(item.id, item.collection, item.archive),
    item.accessed ? words.accessed(wording.day(item.accessed, DATES)) : '',
    item.url,
  ]);
}

/** Returns the genre; of a letter, also to whom it is. */
export function mediumOf(item: CitedItem, { words, genre, list } = ENGLISH): string {
  const { recipients } = item;
  if (recipients.length === 0) return genre(item);
  const isLetter = item.medium === undefined || item.medium === '' || item.medium === 'correspondence';
  return words.to(isLetter ? words.letter : genre(item), list(recipients.map(directName), words.and));
}

function leadOf({ authors, editors }: CitedItem, { words, list }: Wording): string {
  const lead = authors.length > 0 ? authors : editors;
  const [first, ...more] = lead;
  if (!first) return '';
  const suffix = authors.length > 0 ? '' : `, ${(lead.length > 1 ? words.editors : words.editor).chicago}`;
  if (lead.length > MAX_NAMES)
    return `${[invertedName(first), ...more.slice(0, NAMES_BEFORE_OTHERS - 1).map(directName)].join(', ')}, ${words.andOthers}`;
  const isInverted = invertedName(first) !== directName(first);
  return `${list([invertedName(first), ...more.map(directName)], words.and, { commaBeforeSecond: isInverted })}${suffix}`;
}
