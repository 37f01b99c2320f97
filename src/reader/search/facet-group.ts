/** A facet's values on the search page, as checkboxes: the most frequent, or all by name, with a field that filters them. */
import type { SearchFacet } from '../../model/facets.ts';
import { createElement } from '../browser/create-element.ts';
import { whenFolding } from '../browser/load-east-asian.ts';
import { allValues, type FacetValue, FIRST_VALUES, firstValues, MAX_VALUES } from './facet-order.ts';
import { formatNumber, pageData } from './search-elements.ts';

/** Milliseconds after a key before the number of values is announced. */
const ANNOUNCED_AFTER = 500;

const { compare } = new Intl.Collator([pageData.language, 'en'], { numeric: true });

/** Creates the filter field, the boxes, a note, the status that announces the number shown, and the button for all or fewer. */
function createParts(facet: SearchFacet, space: number) {
  const label = pageData.words.filterValues[facet];
  const field = createElement('input', {
    type: 'search',
    autocomplete: 'off',
    hidden: true,
    placeholder: label,
    ariaLabel: label,
  });
  // The query does not include it, and its Enter key does not search.
  field.setAttribute('form', '');
  const boxes = createElement('div', { className: 'facet-values', id: `values-of-${facet}` });
  boxes.append(...Array.from({ length: space }, () => createElement('label', {}, '\u00a0')));
  const note = createElement('p', { className: 'fine', hidden: true });
  const status = createElement('span', { className: 'unseen', role: 'status' });
  const button = createElement('button', { type: 'button', className: 'quiet', ariaExpanded: 'false', hidden: true });
  button.setAttribute('aria-controls', boxes.id);
  return { field, boxes, note, status, button };
}

/** Creates the group of a facet, with the space that a number of values will take. */
export function createFacetGroup(facet: SearchFacet, isOpen: boolean, space: number) {
  const { words } = pageData;
  const summary = createElement('summary', {}, words.filters[facet]);
  const { field, boxes, note, status, button } = createParts(facet, space);
  const element = createElement('details', { open: isOpen }, summary, field, boxes, note, status, button, ...linksOf(facet));
  element.dataset['filter'] = facet;
  let values: readonly FacetValue[] = [];
  const showRows = createRows(facet, boxes, summary);
  let isComplete = false;
  let announcing: ReturnType<typeof setTimeout> | undefined;
  const announce = () => {
    status.textContent = words.shown.replace('#', formatNumber(boxes.querySelectorAll('input').length));
  };

  function render(): void {
    const isLong = values.length > FIRST_VALUES;
    isComplete &&= isLong;
    const { shown, matching } = isComplete
      ? allValues(values, field.value, compare)
      : { shown: firstValues(values, compare), matching: values.length };
    showRows(shown);
    note.textContent = noteOn(values.length, isComplete, matching);
    note.hidden = note.textContent === '';
    field.hidden = !isComplete;
    button.hidden = !isLong;
    labelButton(button, facet, isComplete, values.length);
    element.toggleAttribute('data-complete', isComplete);
  }

  button.addEventListener('click', ({ detail }) => {
    isComplete = !isComplete;
    field.value = '';
    render();
    announce();
    // With the keyboard, the field is what follows; a finger would open the keyboard of a phone.
    if (isComplete && detail === 0) field.focus();
    if (!isComplete) element.scrollIntoView({ block: 'nearest' });
  });
  // The field may show the values again before the search is complete.
  boxes.addEventListener('change', ({ target }) => {
    const { value, checked } = target as HTMLInputElement;
    values = values.map((each) => (each.value === value ? { ...each, isChosen: checked } : each));
  });
  field.addEventListener('input', () => {
    whenFolding(field.value, render);
    clearTimeout(announcing);
    announcing = setTimeout(announce, ANNOUNCED_AFTER);
  });
  field.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) boxes.querySelector<HTMLElement>('input:not(:checked)')?.focus();
  });
  return {
    element,
    /** Shows values instead of those before. The focus, the filter and whether all are shown stay as they are. */
    show(next: readonly FacetValue[]) {
      values = next;
      render();
    },
  };
}

/** Returns what is below the values of a facet: for rights, a link to what they permit; a link that skips to the results. */
function linksOf(facet: SearchFacet): HTMLElement[] {
  const skip = createElement('a', { className: 'skip', href: '#count' }, pageData.words.skipToResults);
  skip.dataset['skipTo'] = 'results';
  if (facet !== 'rights') return [skip];
  const { label, href } = pageData.reuse;
  return [createElement('p', { className: 'fine' }, createElement('a', { href }, label)), skip];
}

function labelButton(button: HTMLButtonElement, facet: SearchFacet, isComplete: boolean, count: number): void {
  const { words } = pageData;
  button.setAttribute('aria-expanded', String(isComplete));
  button.replaceChildren(
    isComplete ? words.showFewer : words.showAll.replace('#', formatNumber(count)),
    createElement('span', { className: 'unseen' }, ` (${words.filters[facet]})`),
  );
}

/** Returns what is said below the values of a facet; empty if nothing is left out. */
function noteOn(count: number, isComplete: boolean, matching: number): string {
  const { words } = pageData;
  if (count === 0) return words.none;
  if (!isComplete) return '';
  if (matching === 0) return words.noMatches;
  return matching <= MAX_VALUES
    ? ''
    : words.firstValues.replace('##', formatNumber(matching)).replace('#', formatNumber(MAX_VALUES));
}

/**
 * Returns a function that shows values as checkboxes. The one of a value stays the same element. If the one with the focus is no
 * longer shown, `next` gets the focus.
 */
function createRows(facet: string, boxes: HTMLElement, next: HTMLElement): (values: readonly FacetValue[]) => void {
  let rows = new Map<string, HTMLLabelElement>();
  return (values) => {
    rows = new Map(values.map((value) => [value.value, fillRow(rows.get(value.value) ?? createRow(facet, value), value)]));
    const hadFocus = boxes.contains(document.activeElement);
    arrangeChildren(boxes, [...rows.values()]);
    if (hadFocus && !boxes.contains(document.activeElement)) next.focus();
  };
}

function createRow(facet: string, { value, label }: FacetValue): HTMLLabelElement {
  const box = createElement('input', { type: 'checkbox', name: facet, value });
  return createElement('label', {}, box, createElement('span', {}, label), createElement('span', { className: 'count' }));
}

function fillRow(row: HTMLLabelElement, { count, isChosen }: FacetValue): HTMLLabelElement {
  const [box, , number] = row.children as unknown as [HTMLInputElement, HTMLElement, HTMLElement];
  box.checked = isChosen;
  number.textContent = formatNumber(count);
  return row;
}

/**
 * Gives an element these children, in this order. The one that has the focus is not taken out, because a key may be pressed in
 * it: it would lose the release of the key.
 */
function arrangeChildren(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  const focused = children.findIndex((child) => child.contains(document.activeElement));
  const start = Math.max(0, focused);
  const [first] = children.slice(start);
  if (!first) return;
  if (first.parentElement !== parent) parent.prepend(first);
  for (let i = start + 1; i < children.length; i++) {
    const [before, child] = [children[i - 1], children[i]];
    if (child && before?.nextElementSibling !== child) before?.after(child);
  }
  for (let i = start - 1; i >= 0; i--) {
    const [child, after] = [children[i], children[i + 1]];
    if (child && after?.previousElementSibling !== child) after?.before(child);
  }
}
