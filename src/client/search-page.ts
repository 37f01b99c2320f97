/** The script of the search page: searches as the reader types, and stores its state in the URL. */
import { toLegible } from '../model/legible.ts';
import { isPackedThumbnail, VIEWER_PAGE } from './compact-names.ts';
import { createExcerpt, highlightTerms, splitTerms } from './excerpt.ts';
import { type Counts, FACETS } from './facet-table.ts';
import { type SearchQuery, type SearchResult, search } from './search-engine.ts';
import type { SearchForms, SearchWords } from './search-forms.ts';

/** The data that the page passes to this script, as JSON in the element `said`. */
interface PageData {
  language: string;
  /** Relative path from this page to the files that all locales share. */
  root: string;
  /** The path prefix of this locale's pages. */
  prefix: string;
  /** Whether pages and thumbnails are in packs. */
  compact: boolean;
  forms: SearchForms;
  words: SearchWords;
  /** Labels by facet and code. */
  codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const pageData = JSON.parse(getElement('said').textContent ?? '{}') as PageData;
const numberFormat = new Intl.NumberFormat(pageData.language);
const languageNames = new Intl.DisplayNames(pageData.language, { type: 'language', fallback: 'code' });
/** Results shown at a time. */
const PAGE_SIZE = 20;
/** Values shown per facet. */
const MAX_VALUES = 100;
/** The filters are open in windows of this width. */
const WIDE_SCREEN = '(min-width: 52rem)';

const searchForm = getElement<HTMLFormElement>('search');
const queryInput = getElement<HTMLInputElement>('q');
const sortSelect = getElement<HTMLSelectElement>('sort');
const fromInput = getElement<HTMLInputElement>('from');
const toInput = getElement<HTMLInputElement>('to');
const filtersElement = getElement('filters');
const chipsElement = getElement('chips');
const countElement = getElement('count');
const helpElement = getElement('help');
const resultsList = getElement<HTMLOListElement>('results');
const moreButton = getElement<HTMLButtonElement>('more');

let chosenValues: Record<string, string[]> = {};
let foundResults: SearchResult[] = [];
/** The number of the latest search. Earlier ones are ignored when they complete. */
let latestSearch = 0;

function getElement<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: Array<Node | string>
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function readQuery(): SearchQuery {
  const year = (input: HTMLInputElement) => (/^\d{4}$/.test(input.value) ? Number(input.value) : undefined);
  return {
    words: queryInput.value,
    chosen: chosenValues,
    from: year(fromInput),
    to: year(toInput),
    sort: sortSelect.value as SearchQuery['sort'],
  };
}

/** Restores the state of the page from its URL. Another person may have made the link, so its values are made legible. */
function restoreState(): void {
  const parameters = new URLSearchParams(location.search);
  queryInput.value = (parameters.get('q') ?? '').slice(0, queryInput.maxLength); // maxlength does not limit what a script sets
  sortSelect.value = parameters.get('sort') ?? '';
  if (sortSelect.selectedIndex < 0) sortSelect.value = '';
  fromInput.value = parameters.get('from') ?? '';
  toInput.value = parameters.get('to') ?? '';
  chosenValues = Object.fromEntries(
    FACETS.map((facet) => [facet, parameters.getAll(facet).map(toLegible)] as const).filter(([, values]) => values.length > 0),
  );
}

/** Writes the state of the page into its URL, so that it can be bookmarked. */
function storeState({ words: typed, sort: order, from: first, to: last }: SearchQuery): void {
  const parameters = new URLSearchParams();
  if (typed.trim() !== '') parameters.set('q', typed.trim());
  for (const [facet, values] of Object.entries(chosenValues)) for (const value of values) parameters.append(facet, value);
  if (first !== undefined) parameters.set('from', String(first));
  if (last !== undefined) parameters.set('to', String(last));
  if (order !== '') parameters.set('sort', order);
  history.replaceState(null, '', parameters.size > 0 ? `?${parameters}` : location.pathname);
}

async function runSearch(): Promise<void> {
  const own = ++latestSearch;
  const query = readQuery();
  resultsList.ariaBusy = 'true';
  storeState(query);
  renderChips(query);
  try {
    const response = await search(query, pageData.root, pageData.forms);
    if (own !== latestSearch) return;
    renderFilters(response.counts);
    foundResults = response.results;
    const first = await renderResults(0);
    if (own !== latestSearch) return;
    const isEmptyQuery = query.words.trim() === '' && chipsElement.children.length === 0;
    const { length } = foundResults;
    countElement.textContent = isEmptyQuery ? '' : formatCount(length, query.words.trim());
    helpElement.hidden = isEmptyQuery || length > 0;
    resultsList.replaceChildren(...first);
    moreButton.hidden = length <= PAGE_SIZE;
  } catch (error) {
    if (own !== latestSearch) return;
    showFailure(error);
    foundResults = [];
    resultsList.replaceChildren();
    moreButton.hidden = true;
    helpElement.hidden = true;
  }
  resultsList.ariaBusy = 'false';
}

/** Reports that a part of the index could not be loaded. The next search tries again, unless this page can never load it. */
function showFailure(error: unknown): void {
  console.warn(error);
  const isPermanent = location.protocol === 'file:' && !pageData.forms.packs;
  countElement.textContent = isPermanent ? pageData.words.cannotLoad : pageData.words.notLoaded;
}

function formatCount(length: number, typed: string): string {
  if (length === 0) return typed === '' ? pageData.words.none : pageData.words.noneFor.replace('#', () => toLegible(typed));
  return length === 1 ? pageData.words.one : pageData.words.many.replace('#', numberFormat.format(length));
}

async function showMore(): Promise<void> {
  const own = latestSearch;
  const start = resultsList.children.length;
  try {
    const next = await renderResults(start);
    if (own !== latestSearch) return;
    resultsList.append(...next);
    moreButton.hidden = resultsList.children.length >= foundResults.length;
    resultsList.children[start]?.querySelector('a')?.focus();
  } catch (error) {
    if (own === latestSearch) showFailure(error);
  }
}

function renderResults(start: number): Promise<HTMLLIElement[]> {
  return Promise.all(foundResults.slice(start, start + PAGE_SIZE).map(async (result) => renderResult(await result.data())));
}

function renderResult({ url, meta }: { url: string; meta: Record<string, string> }): HTMLLIElement {
  const path = url.replace(/^\//, '');
  const image = createElement('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
  const imagePath = meta['image'] ?? '';
  if (pageData.compact && isPackedThumbnail(imagePath)) image.dataset['thumb'] = imagePath;
  else image.src = `${pageData.root}${imagePath}`;
  const href = pageData.compact ? `${pageData.root}${VIEWER_PAGE}?${pageData.prefix}${path}` : path;
  const heading = createElement('h2', {}, createElement('a', { href }, ...highlight(meta['title'] ?? path)));
  const facts = [valueLabel('model', meta['kind'] ?? ''), meta['date']].filter(Boolean).join(' · ');
  const excerpt = createElement(
    'p',
    {},
    ...highlight(createExcerpt(meta['description'] ?? '', meta['spoken'], splitTerms(queryInput.value))),
  );
  return createElement(
    'li',
    {},
    image,
    createElement('div', {}, heading, createElement('p', { className: 'fine' }, facts), excerpt),
  );
}

/** Returns text as nodes, with the reader's words marked. Nothing from the index is parsed as HTML. */
function highlight(text: string): Node[] {
  return highlightTerms(text, splitTerms(queryInput.value)).map((piece) =>
    piece.isMatch ? createElement('mark', {}, piece.text) : document.createTextNode(piece.text),
  );
}

function renderFilters(counts: Counts): void {
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
function renderChips({ from: first, to: last }: SearchQuery): void {
  const chip = (label: string, remove: () => void) => {
    const button = createElement(
      'button',
      { type: 'button', className: 'chip', ariaLabel: pageData.words.remove.replace('#', label) },
      label,
    );
    button.addEventListener('click', () => {
      remove();
      queryInput.focus();
      void runSearch();
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

function removeChoice(facet: string, value: string): void {
  const rest = (chosenValues[facet] ?? []).filter((other) => other !== value);
  const { [facet]: _, ...others } = chosenValues;
  chosenValues = rest.length > 0 ? { ...others, [facet]: rest } : others;
}

/** Returns the label of a facet value; an unknown code is returned unchanged. */
function valueLabel(facet: string, value: string): string {
  const labels = pageData.codes[facet];
  if (!labels) return value;
  const code = facet === 'language' ? value.toLowerCase() : value;
  if (Object.hasOwn(labels, code)) return labels[code] as string;
  return facet === 'language' && /^[A-Za-z]{2,3}$/.test(value) ? (languageNames.of(value) ?? value) : value;
}

/** The arrow keys move between results; `/` moves to the search field. */
function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const isInField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (event.key === '/' && !isInField) {
    event.preventDefault();
    queryInput.focus();
    queryInput.select();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || (isInField && target !== queryInput)) return;
  const links = [...resultsList.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (at < 0 && target !== queryInput) return;
  const next = at + step;
  event.preventDefault();
  (next < 0 ? queryInput : links[Math.min(next, links.length - 1)])?.focus();
}

let pendingSearch: ReturnType<typeof setTimeout> | undefined;
for (const input of [queryInput, fromInput, toInput]) {
  input.addEventListener('input', () => {
    clearTimeout(pendingSearch);
    pendingSearch = setTimeout(() => void runSearch(), 200);
  });
}
searchForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void runSearch();
});
sortSelect.addEventListener('change', () => void runSearch());
filtersElement.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.checked) chosenValues = { ...chosenValues, [target.name]: [...(chosenValues[target.name] ?? []), target.value] };
  else removeChoice(target.name, target.value);
  void runSearch();
});
moreButton.addEventListener('click', () => void showMore());
document.addEventListener('keydown', handleKey);
getElement<HTMLDetailsElement>('filters-box').open = matchMedia(WIDE_SCREEN).matches;
restoreState();
void runSearch();
