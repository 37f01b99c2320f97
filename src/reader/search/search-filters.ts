/** The filters of the search page: the checkboxes of facet values, and a button for each choice. */
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';
import { toLegible } from '../../model/text/legible.ts';
import { createElement } from '../browser/create-element.ts';
import { createSvgElement } from '../browser/svg-element.ts';
import type { Counts } from './facet-filter.ts';
import { createFacetGroup } from './facet-group.ts';
import { FIRST_VALUES } from './facet-order.ts';
import { formatCounted, getElement, pageData, valueLabel } from './search-elements.ts';
import type { FiledBy, SearchQuery } from './search-engine.ts';
import { yearBars } from './year-bars.ts';

const barsElement = getElement('year-bars');
const yearEnds = getElement('year-ends');
const fromInput = getElement<HTMLInputElement>('from');
const toInput = getElement<HTMLInputElement>('to');

let chosenValues: Record<string, string[]> = {};

/** Returns the address of the page with a query, so that it can be bookmarked. */
export function addressOf({ words, chosen, sort, from, to }: SearchQuery): string {
  const parameters = new URLSearchParams();
  if (words.trim() !== '') parameters.set('q', words.trim());
  for (const [facet, values] of Object.entries(chosen)) for (const value of values) parameters.append(facet, value);
  if (from !== undefined) parameters.set('from', String(from));
  if (to !== undefined) parameters.set('to', String(to));
  if (sort !== '') parameters.set('sort', sort);
  return `${location.pathname}${String(parameters).replace(/^(?=.)/, '?')}`;
}

/** Returns the chosen values by facet, and the years. */
export function readChoices(): Pick<SearchQuery, 'chosen' | 'from' | 'to'> {
  const year = (input: HTMLInputElement) => {
    const typed = input.value.normalize('NFKC').trim(); // full-width digits of an input method
    return /^\d{4}$/.test(typed) ? Number(typed) : undefined;
  };
  return { chosen: chosenValues, from: year(fromInput), to: year(toInput) };
}

/** Restores the choices from the URL. Another person may have made the link, so its values are made legible. */
export function restoreChoices(parameters: URLSearchParams): void {
  fromInput.value = parameters.get('from') ?? '';
  toInput.value = parameters.get('to') ?? '';
  const given = SEARCH_FACETS.map((facet) => [facet, parameters.getAll(facet).map(toLegible)] as const);
  chosenValues = Object.fromEntries(given.filter(([, values]) => values.length > 0));
}

const groups = new Map<SearchFacet, ReturnType<typeof createFacetGroup>>();

/** Creates a closed group per facet; the first one and those with choices are open. `onOpen` is called on opening. */
export function createGroups(onOpen: () => void): void {
  for (const facet of pageData.facets) {
    const isFirst = facet === pageData.facets[0];
    // The values of the first facet get the space that they will take without a query.
    const space = isFirst ? Math.min(pageData.firstValues, FIRST_VALUES) : 0;
    const group = createFacetGroup(facet, isFirst || (chosenValues[facet] ?? []).length > 0, space);
    group.element.addEventListener('toggle', () => {
      if (group.element.open) onOpen();
    });
    groups.set(facet, group);
    getElement('filters').append(group.element);
  }
}

/** Returns the facets whose values are shown. */
export const openFacets = (): SearchFacet[] => [...groups].filter(([, { element }]) => element.open).map(([facet]) => facet);

/** Shows the values of facets with the number of results that each would give. */
export function renderFilters(counts: Counts, filedBy: FiledBy): void {
  for (const [facet, group] of groups) {
    const numbers = counts[facet];
    if (!numbers) continue;
    const chosen = chosenValues[facet] ?? [];
    const filed = filedBy(facet);
    const all = { ...Object.fromEntries(chosen.map((value) => [value, 0])), ...numbers };
    group.show(
      Object.entries(all).map(([value, count]) => {
        const [shown, sort] = filed?.get(value) ?? [];
        const label = valueLabel(facet, value, shown);
        return { value, label, sort: sort ?? label, count, isChosen: chosen.includes(value) };
      }),
    );
  }
}

/** Pixels: a finger must be able to choose a bar. */
const MIN_BAR_WIDTH = 24;

/**
 * Shows bars for the first and last years of results, as many as there is space for; nothing if no bar has a result, or if a
 * single one would leave no choice. A bar chooses its years; the only chosen one removes the choice. Then `onSelect` is called.
 */
export function renderYears(spans: ReadonlyArray<readonly [first: number, last: number]>, onSelect: () => void): void {
  for (const element of [barsElement, yearEnds]) element.hidden = false; // otherwise it has no width
  const bars = yearBars(spans, readChoices(), Math.max(1, Math.floor(barsElement.clientWidth / MIN_BAR_WIDTH)));
  const most = Math.max(0, ...bars.map(({ count }) => count));
  const { from: first, to: last } = readChoices();
  const isUseless = most === 0 || (bars.length === 1 && first === undefined && last === undefined);
  for (const element of [barsElement, yearEnds]) element.hidden = isUseless;
  if (isUseless) return;
  const hasFocus = barsElement.contains(document.activeElement);
  const focused = Number(document.activeElement?.getAttribute('data-from'));
  barsElement.replaceChildren(
    ...bars.map(({ from, to, count }) => {
      const label = from === to ? String(from) : `${from}–${to}`;
      const title = formatCounted(pageData.words.yearBar, count, '##').replace('#', label);
      const isChosen = first === from && last === to;
      const onclick = () => {
        fromInput.value = isChosen ? '' : String(from).padStart(4, '0');
        toInput.value = isChosen ? '' : String(to).padStart(4, '0');
        onSelect();
      };
      const names = { title, ariaLabel: title, ariaPressed: String(isChosen), dataset: { from: String(from) } };
      return createElement('li', {}, createElement('button', { type: 'button', onclick, ...names }, createBar(count / most)));
    }),
  );
  const ends = [bars[0]?.from, bars[bars.length - 1]?.to];
  yearEnds.replaceChildren(...ends.map((year) => createElement('span', {}, String(year ?? ''))));
  if (!hasFocus) return;
  const at = bars.findIndex(({ from, to }) => from <= focused && focused <= to);
  (barsElement.querySelectorAll('button')[at] ?? fromInput).focus();
}

/** Returns an upright bar of a length from 0 to 1. */
function createBar(share: number): SVGSVGElement {
  const height = `${Math.round(share * 100)}%`;
  const bar = createSvgElement('rect', { y: `${100 - Math.round(share * 100)}%`, width: '100%', height });
  return createSvgElement('svg', { class: 'upright', 'aria-hidden': 'true' }, bar);
}

/** Shows the chosen filters, each as a button that removes it. */
export function renderChips({ from: first, to: last }: SearchQuery, onRemove: () => void): void {
  const chip = (label: string, remove: () => void) => {
    const ariaLabel = pageData.words.remove.replace('#', () => label);
    const onclick = () => {
      remove();
      onRemove();
    };
    return createElement('li', {}, createElement('button', { type: 'button', className: 'chip', ariaLabel, onclick }, label));
  };
  const years = first === undefined && last === undefined ? [] : [`${first ?? ''}–${last ?? ''}`];
  getElement('chips').replaceChildren(
    ...Object.entries(chosenValues).flatMap(([facet, values]) =>
      values.map((value) => chip(valueLabel(facet, value), () => removeChoice(facet, value))),
    ),
    ...years.map((label) =>
      chip(label, () => {
        fromInput.value = '';
        toInput.value = '';
      }),
    ),
  );
}

/** Adds a chosen value. */
export function addChoice(facet: string, value: string): void {
  chosenValues = { ...chosenValues, [facet]: [...(chosenValues[facet] ?? []), value] };
}

/** Removes a chosen value. */
export function removeChoice(facet: string, value: string): void {
  const rest = (chosenValues[facet] ?? []).filter((other) => other !== value);
  const { [facet]: _, ...others } = chosenValues;
  chosenValues = rest.length > 0 ? { ...others, [facet]: rest } : others;
}
