/** The entry of an archival item in the list of works cited of the Modern Language Association (9th ed., 5.74 and 6.75). */
import { capitalize } from '../../model/text/capitalize.ts';
import { commas, sentences } from '../../model/text/citation-prose.ts';
import { mediumOf } from './chicago.ts';
import type { DateStyle } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, invertedName } from './names.ts';
import { ENGLISH, type Wording } from './wording.ts';

const DATES: DateStyle = { months: 'short', order: 'dmy', circa: 'circa' };
/** Of more names than this, only the first is given. */
const MAX_NAMES = 2;

/** Returns the citation of an item in the MLA style. */
export function formatMla(item: CitedItem, wording = ENGLISH): string {
  const { authors, editors, interviewers, translators, archive, collection, id, url, accessed } = item;
  const { words } = wording;
  const date = wording.date(item.date, DATES);
  const listed = (names: CitedItem['editors']) => namesOf(names.map(directName), wording);
  const by = [
    interviewers.length > 0 ? words.interviewBy(listed(interviewers)) : '',
    authors.length > 0 && editors.length > 0 ? words.editedBy(listed(editors)) : '',
    translators.length > 0 ? words.translatedBy(listed(translators)) : '',
  ];
  return sentences([
    leadOf(item, wording),
    item.type === 'collection' ? item.title : wording.quoted(item.title, '.'),
    capitalize(commas(...by, date)),
    commas(collection, id, archive, url),
    accessed ? words.accessed(wording.day(accessed, DATES)) : '',
    interviewers.length > 0 ? '' : capitalize(mediumOf(item, wording)),
  ]);
}

function leadOf({ authors, editors }: CitedItem, wording: Wording): string {
  const lead = authors.length > 0 ? authors : editors;
  const [first, ...more] = lead;
  if (!first) return '';
  const isInverted = invertedName(first) !== directName(first);
  const names = namesOf([invertedName(first), ...more.map(directName)], wording, { commaAfterFirst: isInverted });
  const { editor, editors: several } = wording.words;
  return authors.length > 0 ? names : `${names}, ${(lead.length > 1 ? several : editor).mla}`;
}

/** Returns a list of names. A comma follows the first of them only if its order is inverted. */
function namesOf(names: string[], { words, list }: Wording, { commaAfterFirst = false } = {}): string {
  if (names.length > MAX_NAMES) return `${names[0]}${commaAfterFirst ? ',' : ''} ${words.andOthers}`;
  return list(names, words.and, { commaBeforeSecond: commaAfterFirst });
}
