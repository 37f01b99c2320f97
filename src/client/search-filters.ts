/** The filters of the search page: the checkboxes of facet values, and a button for each choice. */
import { toLegible } from '../model/legible.ts';
import type { Counts } from './facet-filter.ts';
import { FACETS } from './facet-table.ts';
import { createElement, getElement, numberFormat, pageData, valueLabel } from './search-elements.ts';
import type { SearchQuery } from './search-engine.ts';

/** Values shown per facet. */
const MAX_VALUES = 100;

const filtersElement = getElement('filters');
const chipsElement = getElement('chips');
const fromInput = getElement<HTMLInputElement>('from');
const toInput = getElement<HTMLInputElement>('to');

let chosenValues: Record<string, string[]> = {};

/** Returns the chosen values by facet, and the years. */
export function readChoices(): Pick<SearchQuery, 'chosen' | 'from' | 'to'> {
  const year = (input: HTMLInputElement) => (/^\d{4}$/.test(input.value) ? Number(input.value) : undefined);
  return { chosen: chosenValues, from: year(fromInput), to: year(toInput) };
}

/** Restores the choices from the URL. Another person may have made the link, so its values are made legible. */
export function restoreChoices(parameters: URLSearchParams): void {
  fromInput.value = parameters.get('from') ?? '';
  toInput.value = parameters.get('to') ?? '';
  chosenValues = Object.fromEntries(
    FACETS.map((facet) => [facet, parameters.getAll(facet).map(toLegible)] as const).filter(([, values]) => values.length > 0),
  );
}

/** Returns whether any filter is chosen. */
export function hasChoices(): boolean {
  return chipsElement.children.length > 0;
}

/** Shows the filters with the number of results that each value would give. */
export function renderFilters(counts: Counts): void {
  const open = new Set([...filtersElement.querySelectorAll('details[open]')].map((group) => group.getAttribute('data-filter')));
  const isFirst = filtersElement.children.length === 0;
  const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement : undefined;
  const focusedBox = focused && filtersElement.contains(focused) ? { name: focused.name, value: focused.value } : undefined;
  filtersElement.replaceChildren(
    ...FACETS.flatMap((facet) => {
      const own = chosenValues[facet] ?? [];
      const values = { ...Object.fromEntries(own.map((value) => [value, 0])), ...counts[facet] };
      const shown = Object.entries(values).filter(([value, n]) => n > 0 || own.includes(value));
      if (shown.length === 0) return [];
      const group = createElement('details', { open: isFirst ? facet === 'model' || own.length > 0 : open.has(facet) });
      group.setAttribute('data-filter', facet);
      const mostFrequent = shown.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_VALUES);
      group.append(
        createElement('summary', {}, pageData.words.filters[facet]),
        ...mostFrequent.map(([value, n]) => createCheckbox(facet, value, n)),
      );
      return [group];
    }),
  );
  // All checkboxes are new: restore the focus.
  if (focusedBox)
    [...filtersElement.querySelectorAll('input')]
      .find((box) => box.name === focusedBox.name && box.value === focusedBox.value)
      ?.focus();
}

function createCheckbox(facet: string, value: string, n: number): HTMLLabelElement {
  const box = createElement('input', {
    type: 'checkbox',
    name: facet,
    value,
    checked: chosenValues[facet]?.includes(value) ?? false,
  });
  return createElement(
    'label',
    {},
    box,
    valueLabel(facet, value),
    createElement('span', { className: 'count' }, numberFormat.format(n)),
  );
}

/** Shows the chosen filters, each as a button that removes it. */
export function renderChips({ from: first, to: last }: SearchQuery, onRemove: () => void): void {
  const chip = (label: string, remove: () => void) => {
    const button = createElement(
      'button',
      { type: 'button', className: 'chip', ariaLabel: pageData.words.remove.replace('#', label) },
      label,
    );
    button.addEventListener('click', () => {
      remove();
      onRemove();
    });
    return createElement('li', {}, button);
  };
  const years = first === undefined && last === undefined ? [] : [`${first ?? ''}–${last ?? ''}`];
  chipsElement.replaceChildren(
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
