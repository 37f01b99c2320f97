/** The entry of an archival item in the list of works cited of the Modern Language Association (9th ed., 5.74 and 6.75). */
import { mediumOf } from './chicago.ts';
import { type DateStyle, formatDate, formatDay } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, invertedName, listOf } from './names.ts';
import { capitalized, commas, quoted, sentences } from './prose.ts';

const DATES: DateStyle = { months: 'short', order: 'dmy', circa: 'circa' };
/** Of more names than this, only the first is given. */
const MAX_NAMES = 2;

/** Returns the citation of an item in the MLA style. */
export function formatMla(item: CitedItem): string {
  const { authors, editors, interviewers, translators, archive, collection, id, url, accessed } = item;
  const date = formatDate(item.date, DATES);
  const by = [
    interviewers.length > 0 ? `interview by ${namesOf(interviewers.map(directName))}` : '',
    authors.length > 0 && editors.length > 0 ? `edited by ${namesOf(editors.map(directName))}` : '',
    translators.length > 0 ? `translated by ${namesOf(translators.map(directName))}` : '',
  ];
  return sentences([
    leadOf(item),
    item.type === 'collection' ? item.title : quoted(item.title, '.'),
    capitalized(commas(...by, date)),
    commas(collection, id, archive, url),
    accessed ? `Accessed ${formatDay(accessed, DATES)}` : '',
    interviewers.length > 0 ? '' : capitalized(mediumOf(item)),
  ]);
}

function leadOf({ authors, editors }: CitedItem): string {
  const lead = authors.length > 0 ? authors : editors;
  const [first, ...more] = lead;
  if (!first) return '';
  const isInverted = invertedName(first) !== directName(first);
  const names = namesOf([invertedName(first), ...more.map(directName)], { commaAfterFirst: isInverted });
  return authors.length > 0 ? names : `${names}, ${lead.length > 1 ? 'editors' : 'editor'}`;
}

/** Returns a list of names. A comma follows the first of them only if its order is inverted. */
function namesOf(names: string[], { commaAfterFirst = false } = {}): string {
  if (names.length > MAX_NAMES) return `${names[0]}${commaAfterFirst ? ',' : ''} et al.`;
  return listOf(names, 'and', { commaBeforeSecond: commaAfterFirst });
}
