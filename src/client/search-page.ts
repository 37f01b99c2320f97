/** The script of the search page: searches as the reader types, and stores its state in the URL. */
import { toLegible } from '../model/legible.ts';
import { canFetch, isPackaged } from './protocol.ts';
import { createElement, getElement, numberFormat, pageData } from './search-elements.ts';
import { type SearchQuery, type SearchResponse, type SearchResult, search } from './search-engine.ts';
import {
  addChoice,
  hasChoices,
  readChoices,
  removeChoice,
  renderChips,
  renderFilters,
  restoreChoices,
} from './search-filters.ts';
import { matcherOf, renderNotices, renderResult } from './search-results.ts';

/** Results shown at a time. */
const PAGE_SIZE = 20;
/** The filters are open in windows of this width. */
const WIDE_SCREEN = '(min-width: 52rem)';

const searchForm = getElement<HTMLFormElement>('search');
const queryInput = getElement<HTMLInputElement>('q');
const sortSelect = getElement<HTMLSelectElement>('sort');
const filtersBox = getElement<HTMLDetailsElement>('filters-box');
const filtersElement = getElement('filters');
const countElement = getElement('count');
const noticesElement = getElement('notices');
const helpElement = getElement('help');
const resultsList = getElement<HTMLOListElement>('results');
const moreButton = getElement<HTMLButtonElement>('more');

let foundResults: SearchResult[] = [];
let foundWords: SearchResponse['words'];
/** Of the results that are shown. */
let latestCounts: SearchResponse['counts'] | undefined;
/** Shown if the numbers of the filters could not be loaded. */
const filtersNotice = createElement('p', {}, pageData.words.notLoaded);
/** The number of the latest search. Earlier ones are ignored when they complete. */
let latestSearch = 0;

function readQuery(): SearchQuery {
  return { words: queryInput.value, ...readChoices(), sort: sortSelect.value as SearchQuery['sort'] };
}

/** Restores the state of the page from its URL. */
function restoreState(): void {
  const parameters = new URLSearchParams(location.search);
  queryInput.value = (parameters.get('q') ?? '').slice(0, queryInput.maxLength); // maxlength does not limit what a script sets
  sortSelect.value = parameters.get('sort') ?? '';
  if (sortSelect.selectedIndex < 0) sortSelect.value = '';
  restoreChoices(parameters);
}

/** Writes the state of the page into its URL, so that it can be bookmarked. */
function storeState({ words: typed, chosen, sort: order, from: first, to: last }: SearchQuery): void {
  const parameters = new URLSearchParams();
  if (typed.trim() !== '') parameters.set('q', typed.trim());
  for (const [facet, values] of Object.entries(chosen)) for (const value of values) parameters.append(facet, value);
  if (first !== undefined) parameters.set('from', String(first));
  if (last !== undefined) parameters.set('to', String(last));
  if (order !== '') parameters.set('sort', order);
  history.replaceState(null, '', `${location.pathname}${String(parameters).replace(/^(?=.)/, '?')}`);
}

async function runSearch(): Promise<void> {
  const own = ++latestSearch;
  let preload: SearchResponse['preload'] | undefined;
  const query = readQuery();
  resultsList.ariaBusy = 'true';
  storeState(query);
  renderChips(query, () => {
    queryInput.focus();
    void runSearch();
  });
  try {
    const response = await search(query, pageData.root, pageData.forms);
    if (own !== latestSearch) return;
    foundResults = response.results;
    foundWords = response.words;
    const first = await renderResults(0);
    if (own !== latestSearch) return;
    const isEmptyQuery = query.words.trim() === '' && !hasChoices();
    const { length } = foundResults;
    countElement.textContent = isEmptyQuery ? '' : formatCount(length, query.words.trim());
    noticesElement.replaceChildren(...renderNotices(query.words, foundWords, length > 0, searchFor));
    helpElement.hidden = isEmptyQuery || length > 0;
    resultsList.replaceChildren(...first);
    moreButton.hidden = length <= PAGE_SIZE;
    latestCounts = response.counts;
    preload = response.preload;
  } catch (error) {
    if (own !== latestSearch) return;
    showFailure(error);
    foundResults = [];
    latestCounts = undefined;
    noticesElement.replaceChildren();
    resultsList.replaceChildren();
    moreButton.hidden = true;
    helpElement.hidden = true;
  }
  resultsList.ariaBusy = 'false';
  if (await showFilters()) await preload?.().catch(() => undefined); // the query that needs them tries again
}

/** Shows the filters with their numbers, for which more has to be loaded than for results. Returns false if that failed. */
async function showFilters(): Promise<boolean> {
  const own = latestCounts;
  if (!filtersBox.open || !own) return true;
  filtersElement.ariaBusy = 'true';
  filtersNotice.remove();
  try {
    const counts = await own();
    if (own === latestCounts) renderFilters(counts);
    return true;
  } catch (error) {
    console.warn(error);
    if (own === latestCounts) noticesElement.append(filtersNotice);
    return false;
  } finally {
    if (own === latestCounts) filtersElement.ariaBusy = 'false';
  }
}

/** Reports that a part of the index could not be loaded. The next search tries again, unless this page can never load it. */
function showFailure(error: unknown): void {
  console.warn(error);
  const { words, forms } = pageData;
  const isPermanent = !canFetch() && !forms.packs;
  if (isPackaged() && !canFetch()) {
    countElement.textContent = words.useReader;
    for (const element of [filtersBox, sortSelect, ...sortSelect.labels]) element.hidden = true;
  } else countElement.textContent = isPermanent ? words.cannotLoad : words.notLoaded;
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
  const matcher = matcherOf(foundWords);
  const shown = foundResults.slice(start, start + PAGE_SIZE);
  return Promise.all(shown.map(async (result) => renderResult(await result.data(), result.matched, matcher)));
}

/** Searches for a suggested query. */
function searchFor(words: string): void {
  queryInput.value = words;
  queryInput.focus();
  void runSearch();
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
for (const input of [queryInput, getElement('from'), getElement('to')]) {
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
  if (target.checked) addChoice(target.name, target.value);
  else removeChoice(target.name, target.value);
  void runSearch();
});
moreButton.addEventListener('click', () => void showMore());
document.addEventListener('keydown', handleKey);
filtersBox.open = matchMedia(WIDE_SCREEN).matches;
filtersBox.addEventListener('toggle', () => void showFilters());
restoreState();
void runSearch();
