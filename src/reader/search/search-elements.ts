/** The elements of the search page, the data that the page passes to its script, and what is made of it. */
import { formFor, type PluralForms } from '../../formats/plural-forms.ts';
import type { NameKind } from '../../formats/search/name-kinds.ts';
import type { SearchWords } from '../../formats/search/search-page-data.ts';
import type { DateWords } from '../../model/dates/format.ts';
import { NAME_FACETS, type SearchFacet, STEPPED_FACETS } from '../../model/facets.ts';
import { parseNameWithId } from '../../model/name-with-id.ts';
import { stepsOfTerm } from '../../model/term-steps.ts';
import { lazy } from '../../platform/lazy.ts';
import { createElement } from '../browser/create-element.ts';
import { pageHref, type SitePlace } from '../browser/site-files.ts';
import type { MarkedText } from './excerpt.ts';

/** The data that the page passes to its script, as JSON in the element `said`. */
interface PageData extends SitePlace {
  language: string;
  /** The language of titles and texts without one of their own: a BCP 47 tag. */
  archiveLanguage: string;
  /** Those that have values. */
  facets: readonly SearchFacet[];
  /** The number of values of the first one. */
  firstValues: number;
  /** The link to what the rights permit. */
  reuse: { label: string; href: string };
  words: SearchWords;
  /** Labels by facet and code. */
  codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  dates: DateWords;
  /** Labels of fields. */
  fields: Readonly<Record<string, string>>;
  /** Labels of the kinds of names. */
  nameKinds: Readonly<Record<NameKind, string>>;
}

/** The data of the page. */
export const pageData = JSON.parse(getElement('said').textContent ?? '{}') as PageData;

// Made when needed: the first formatter of a page takes a browser 30 milliseconds.
const numberFormat = lazy(() => new Intl.NumberFormat([`${pageData.language}-u-nu-latn`, 'en']));
const languageNames = lazy(() => new Intl.DisplayNames([pageData.language, 'en'], { type: 'language', fallback: 'none' }));

/** Formats a number in the language of the page. */
export const formatNumber = (n: number): string => numberFormat().format(n);

/** Returns a text with a number in the form that the language of the page has for it. */
export function formatCounted(forms: PluralForms, n: number, sign = '#'): string {
  return formFor(forms, n, pageData.language).replace(sign, formatNumber(n));
}

/** Returns an element that the page has. */
export function getElement<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** Returns a facet value's or field's label; unknown codes stay as they are. `filedAs` is a name as lists show it. */
export function valueLabel(facet: string, value: string, filedAs?: string): string {
  if (NAME_FACETS.includes(facet)) return nameLabel(value, filedAs);
  if (facet === 'topics' || STEPPED_FACETS.includes(facet)) return stepsOfTerm(value);
  const labels = pageData.codes[facet];
  if (!labels) return value;
  const code = facet === 'language' ? value.toLowerCase() : value;
  const label = new Map(Object.entries(labels)).get(code);
  if (label !== undefined) return label;
  if (facet !== 'language' || !/^[A-Za-z]{2,3}$/.test(value)) return value;
  return languageNames().of(value) ?? pageData.words.unknownLanguage.replace('#', value);
}

/** Returns a name, with an ID in words if several people have it. */
function nameLabel(value: string, filedAs: string | undefined): string {
  const { name, ids } = parseNameWithId(value);
  const shown = filedAs ?? name;
  if (!ids) return shown;
  const { narratorName, recordName } = pageData.words;
  const [words, id] = ids.oh === undefined ? [recordName, ids.nr ?? ''] : [narratorName, String(ids.oh)];
  return words.replace('##', () => id).replace('#', () => shown);
}

/** Returns the address of a page by its path from the top of the locale, as fragments have it. */
export const pageAddress = (url: string): string => pageHref(url.replace(/^\//, ''), pageData);

/** Returns text as nodes. Nothing from the index is parsed as HTML. */
export function toNodes({ segments }: MarkedText): Node[] {
  return segments.map(({ text, isMatch }) => (isMatch ? createElement('mark', {}, text) : document.createTextNode(text)));
}
