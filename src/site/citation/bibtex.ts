/** BibTeX, and biblatex with dates in EDTF. Text stays in Unicode, which BibTeX's processors read since biber and LuaTeX. */
import { generationalSuffix, type Name } from '../../model/names/names.ts';
import { capitalize } from '../../model/text/capitalize.ts';
import { commas } from '../../model/text/citation-prose.ts';
import { toOneLine } from '../../model/text/legible.ts';
import { bibtexEntry, bibtexText, bibtexUrl, escapeBibtex } from '../../model/text/reference-entries.ts';
import { mediumOf } from './chicago.ts';
import type { CitedDate } from './dates.ts';
import type { CitedItem } from './item.ts';
import { directName, personalName } from './names.ts';

const MONTH_MACROS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Returns an item in BibTeX. What its entry types have no field for is in `note`. */
export function formatBibtex(item: CitedItem): string {
  const [start = [], end] = item.date.parts ?? [];
  const isSingle = start.length > 0 && end === undefined;
  const month = isSingle ? start[1] : undefined;
  return bibtexEntry('misc', item.key, [
    ...commonFields(item),
    ['year', item.date.year === undefined ? '' : `{${item.date.year}}`],
    ['month', month === undefined ? '' : (MONTH_MACROS[month - 1] ?? '')],
    ['publisher', literals(item.publishers)],
    ['note', bibtexText(noteOf(item, !isSingle || start.length === 3 || item.date.circa))],
    ...urlFields(item),
  ]);
}

/** Returns an item in biblatex: the whole date in `date`, if biblatex can read it. */
export function formatBiblatex(item: CitedItem): string {
  const date = biblatexDate(item.date);
  return bibtexEntry(BIBLATEX_TYPES[item.type] ?? 'misc', item.key, [
    ...commonFields(item),
    ['date', date === undefined ? '' : `{${date}}`],
    ['publisher', literals(item.publishers)],
    ['library', bibtexText(item.archive)],
    ['number', bibtexText(item.id)],
    ['note', bibtexText(noteOf(item, date === undefined || item.date.parts === undefined))],
    ...urlFields(item),
  ]);
}

const BIBLATEX_TYPES: Partial<Record<CitedItem['type'], string>> = {
  audio: 'audio',
  video: 'video',
  graphic: 'image',
  manuscript: 'unpublished',
  page: 'online',
};

function commonFields(item: CitedItem): Array<[string, string]> {
  return [
    ['author', names(item.authors)],
    ['editor', names(item.editors)],
    ['translator', names(item.translators)],
    ['title', `{${withCapitals(item.title)}}`],
    ['howpublished', bibtexText(capitalize(mediumOf(item)))],
  ];
}

const urlFields = ({ url, accessed }: CitedItem): Array<[string, string]> => [
  ['url', url ? bibtexUrl(url) : ''],
  ['urldate', url && accessed ? `{${accessed.map((part) => String(part).padStart(2, '0')).join('-')}}` : ''],
];

/** Archive, collection, ID, interviewers; and the date in the archive's words, if it is not said elsewhere. */
function noteOf(item: CitedItem, withDate: boolean): string {
  const { interviewers, archive, collection, id, date } = item;
  const people = interviewers.length > 0 ? `Interview by ${interviewers.map(directName).join(', ')}` : '';
  return [people, commas(id, collection, archive), withDate && date.words ? `Date: ${date.words}` : '']
    .filter(Boolean)
    .join('. ');
}

/** The dates of EDTF levels 0 and 1 with a beginning, which biblatex reads (its manual, 2.3.8), and programs that import it. */
const BIBLATEX_DATE = /^\d{4}(?:-\d\d){0,2}[~?%]?(?:\/(?:\.\.|\d{4}(?:-\d\d){0,2}[~?%]?))?$/;
const BIBLATEX_DECADE_OR_CENTURY = /^(?:\d{3}X|\d\dXX)[~?%]?$/;

function biblatexDate({ edtf = '', year }: CitedDate): string | undefined {
  if (BIBLATEX_DECADE_OR_CENTURY.test(edtf)) return edtf;
  return year !== undefined && BIBLATEX_DATE.test(edtf) ? edtf.replace('..', '') : undefined;
}

const names = (list: Name[]): string => (list.length === 0 ? '' : `{${list.map(nameOf).join(' and ')}}`);

/** A list of names that are not those of persons: “and” separates them, so a name that contains it is in braces of its own. */
function literals(list: Name[]): string {
  const all = list.map(({ literal }) => (/\sand\s/i.test(literal) ? bibtexText(literal) : escapeBibtex(literal)));
  return all.length === 0 ? '' : `{${all.join(' and ')}}`;
}

/** “von Last, Jr, First”; any name that is not divided is in braces of its own. */
function nameOf(name: Name): string {
  const parts = personalName(name);
  if (!parts || /,/.test(parts.family + parts.given)) return `{${bibtexText(name.literal).slice(1, -1)}}`;
  const { family, given, leading, trailing } = parts;
  const particle = leading || trailing;
  const surname = [particle, / /.test(family) && !particle ? `{${escapeBibtex(family)}}` : escapeBibtex(family)]
    .filter(Boolean)
    .join(' ');
  return [surname, generationalSuffix(name), escapeBibtex(given)].filter(Boolean).join(', ');
}

/** Returns a title with each word whose capitals must stay in braces: styles write the rest of a title in lower case. */
function withCapitals(title: string): string {
  return toOneLine(title)
    .split(' ')
    .map((word, i) => (/\p{Lu}/u.test(i === 0 ? word.replace(/\p{L}/u, '') : word) ? bibtexText(word) : escapeBibtex(word)))
    .join(' ');
}
