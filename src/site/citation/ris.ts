/** Citations in RIS, which reference managers import. */
import type { Name } from '../../model/names/names.ts';
import { capitalize } from '../../model/text/capitalize.ts';
import { commas } from '../../model/text/citation-prose.ts';
import { risEntry } from '../../model/text/reference-entries.ts';
import { mediumOf } from './chicago.ts';
import type { CitedItem } from './item.ts';
import { directName, fieldName } from './names.ts';

const TYPES: Readonly<Record<CitedItem['type'], string>> = {
  collection: 'GEN',
  interview: 'GEN',
  audio: 'SOUND',
  video: 'VIDEO',
  graphic: 'ART',
  map: 'MAP',
  manuscript: 'MANSCPT',
  page: 'ELEC',
};

/** Returns the reference type of an item. */
export function risTypeOf(item: CitedItem): string {
  return item.type === 'interview' && item.recording ? TYPES[item.recording] : TYPES[item.type];
}

/** Returns an item in RIS. */
export function formatRis(item: CitedItem): string {
  const { date, archive, collection, id, key, url, accessed } = item;
  const [start] = date.parts ?? [];
  const isPlain = date.parts?.length === 1 && !date.circa;
  return risEntry(risTypeOf(item), [
    ['AU', item.authors.map(risName)],
    ['A2', item.interviewers.map(risName)],
    ['ED', item.editors.map(risName)],
    ['TI', item.title],
    ['T2', collection],
    ['PY', date.year === undefined ? undefined : String(date.year).padStart(4, '0')],
    ['DA', start && risDate(start)],
    ['M3', capitalize(mediumOf(item))],
    ['PB', item.publishers.map(({ literal }) => literal)],
    ['AN', id],
    ['CN', id],
    ['AV', commas(collection, id)],
    ['DB', archive],
    ['DP', archive],
    ['N1', item.interviewers.length > 0 ? `Interview by ${item.interviewers.map(directName).join(', ')}` : undefined],
    ['N1', item.translators.length > 0 ? `Translated by ${item.translators.map(directName).join(', ')}` : undefined],
    ['N1', date.words && !isPlain ? `Date: ${date.words}` : undefined],
    ['LA', item.language],
    ['UR', url],
    ['Y2', accessed && risDate(accessed)],
    ['ID', key],
  ]);
}

/** “Family, Given, Suffix”; an asterisk is not allowed in a name. */
const risName = (name: Name): string => fieldName(name).replaceAll('*', '');

/** `YYYY/MM/DD/`, where month and day may be empty. */
function risDate([year, month, day]: number[]): string {
  const padded = (part: number | undefined) => (part === undefined ? '' : String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}/${padded(month)}/${padded(day)}/`;
}
