/** The script of the search page: searches as the reader types, and stores its state in the URL. */
import type { Name } from '../../formats/search/name-kinds.ts';
import { parseQuery } from '../../formats/search/parse-query.ts';
import { createElement } from '../browser/create-element.ts';
import { loadScript } from '../browser/load-script.ts';
import { keepPlace, takePlace } from '../browser/page-place.ts';
import { setUpListView } from '../parts/list-view.ts';
import './suggest.entry.ts';
import { loadEastAsian } from '../browser/load-east-asian.ts';
import { setUpFilterSheet } from './filter-sheet.ts';
import { findRandom } from './find-records.ts';
import { findNames, renderNames } from './name-cards.ts';
import { forgetSearches, rememberSearch, showRecent } from './recent-searches.ts';
import { loadResult } from './result-files.ts';
import { setUpResultKeys, setUpSkipLinks, setUpUndoKey } from './result-keys.ts';
import { appendResults, appendUntil, clearResults, loadFirst, showFirst } from './result-list.ts';
import { formatCounted, getElement, pageAddress, pageData } from './search-elements.ts';
import { isEmpty, type SearchQuery, type SearchResponse, search, searchWhole } from './search-engine.ts';
import * as filters from './search-filters.ts';
import { formatCount, renderNotices, renderResult, renderSuggestions } from './search-results.ts';
import { createMatcher } from './text-matches.ts';

const searchForm = getElement<HTMLFormElement>('search');
const queryInput = getElement<HTMLInputElement>('q');
const sortSelect = getElement<HTMLSelectElement>('sort');
const filtersBox = getElement<HTMLDetailsElement>('filters-box');
const filtersElement = getElement('filters');
const countElement = getElement('count');
const noticesElement = getElement('notices');
const helpElement = getElement('help');
const resultsList = getElement<HTMLOListElement>('results');
const startElement = getElement('start');
const recentElement = getElement('recent');
/** On a phone, at the end of the filters, which cover the results. */
const showButton = getElement<HTMLButtonElement>('show-results');

/** Of the results that are shown. */
let latest: SearchResponse | undefined;
/** Shown if the numbers of the filters could not be loaded. */
const filtersNotice = createElement('p', {}, pageData.words.notLoaded);
/** Where the reader left the results to which they return. */
let place = takePlace();
/** What the reader typed, if they undid its corrections. */
let exactWords: string | undefined;
/** The number of the latest search. Earlier ones are ignored when they complete. */
let latestSearch = 0;

function readQuery(): SearchQuery {
  const words = queryInput.value;
  return { words, ...filters.readChoices(), sort: sortSelect.value as SearchQuery['sort'], isExact: words === exactWords };
}

/** Restores the state of the page from its URL. */
function restoreState(): void {
  const parameters = new URLSearchParams(location.search);
  queryInput.value = (parameters.get('q') ?? '').slice(0, queryInput.maxLength); // maxlength does not limit what a script sets
  sortSelect.value = parameters.get('sort') ?? '';
  if (sortSelect.selectedIndex < 0) sortSelect.value = '';
  filters.restoreChoices(parameters);
}

async function runSearch(): Promise<void> {
  const thisSearch = ++latestSearch;
  const isLatest = () => thisSearch === latestSearch;
  const query = readQuery();
  showStart(query);
  resultsList.setAttribute('aria-busy', 'true');
  history.replaceState(null, '', filters.addressOf(query));
  filters.renderChips(query, () => {
    if (!matchMedia('(pointer: coarse)').matches) queryInput.focus(); // a keyboard on the screen would cover the results
    void runSearch();
  });
  try {
    await loadEastAsian(query.words);
    const foundNames = findNames(query.words);
    await showWhole(query, foundNames, isLatest);
    if (!isLatest()) return;
    const [response, names] = await Promise.all([search(query, pageData.root), foundNames]);
    if (!isLatest()) return;
    const [first, suggestions] = await Promise.all([loadFirst(response), response.suggestions()]);
    if (!isLatest()) return;
    const isEmptyQuery = isEmpty(query);
    const { results, words, recordCount: length } = response;
    countElement.textContent = isEmptyQuery ? '' : formatCount(length, results.length, query.words.trim());
    showButton.textContent = formatCounted(pageData.words.showResults, length);
    showButton.hidden = isEmptyQuery;
    noticesElement.replaceChildren(
      ...renderNotices(query.words, words, length > 0, undoCorrections),
      ...renderSuggestions(query.words, suggestions, searchFor),
    );
    // Names have no filters: if there are some, other advice is needed.
    const found = length + (isEmpty({ ...query, words: '' }) ? names.length : 0);
    helpElement.hidden = isEmptyQuery || found > 0;
    helpElement.querySelector('[data-on-filters]')?.toggleAttribute('hidden', isEmpty({ ...query, words: '' }));
    showStart(query, found);
    searchForm.dataset['results'] = length === 0 ? 'none' : '';
    renderNames(names);
    showFirst(first, response);
    latest = response;
    await appendResults();
    if (!isLatest()) return;
    await returnToPlace();
  } catch (error) {
    if (!isLatest()) return;
    showFailure(error);
    latest = undefined;
    noticesElement.replaceChildren();
    renderNames([]);
    clearResults();
    helpElement.hidden = true;
  }
  resultsList.setAttribute('aria-busy', 'false');
  if (await showFilters()) await latest?.preload().catch(() => undefined); // the query that needs them tries again
}

/** Shows the record of which the query is the entire ID, title or name, before the other results are found. */
async function showWhole(query: SearchQuery, foundNames: Promise<Name[]>, isLatest: () => boolean): Promise<void> {
  const whole = await searchWhole(query, pageData.root);
  if (!whole) return;
  const [result, names] = await Promise.all([loadResult(whole), foundNames]);
  if (!isLatest()) return;
  countElement.textContent = '';
  noticesElement.replaceChildren();
  [helpElement.hidden, showButton.hidden] = [true, true];
  renderNames(names);
  showFirst([renderResult(result, createMatcher(parseQuery(query.words)))]);
}

/** Shows the start of a search until there is one, and below one without results. `found`: results and names. */
function showStart(query: SearchQuery, found?: number): void {
  const isStart = isEmpty(query);
  startElement.hidden = !isStart && found !== 0;
  searchForm.dataset['results'] = isStart ? 'none' : '';
  startElement.dataset['ready'] = '';
  if (!startElement.hidden) showRecent(recentElement, pageData.root, searchFor);
}

/** Shows the open filters' values with their numbers, which need more loading than results. Returns false if that failed. */
async function showFilters(): Promise<boolean> {
  const own = latest;
  if (!filtersBox.open || !own) return true;
  filtersElement.setAttribute('aria-busy', 'true');
  filtersNotice.remove();
  try {
    const [{ counts, filedBy }, years] = await Promise.all([own.counts(filters.openFacets()), own.years()]);
    if (own !== latest) return true;
    filters.renderFilters(counts, filedBy);
    filters.renderYears(years, () => void runSearch());
    return true;
  } catch (error) {
    console.warn(error);
    if (own === latest) noticesElement.append(filtersNotice);
    return false;
  } finally {
    if (own === latest) filtersElement.setAttribute('aria-busy', 'false');
  }
}

/** Reports that a part of the index could not be loaded. The next search tries again. */
function showFailure(error: unknown): void {
  console.warn(error);
  countElement.textContent = pageData.words.notLoaded;
}

async function showMore(): Promise<void> {
  const start = resultsList.children.length;
  const thisSearch = latestSearch;
  try {
    if (await appendResults()) resultsList.children[start]?.querySelector('a')?.focus();
  } catch (error) {
    if (thisSearch === latestSearch) showFailure(error);
  }
}

/** Shows as many results as the reader had left, where they left them. */
async function returnToPlace(): Promise<void> {
  const left = place;
  place = undefined;
  if (left && (await appendUntil(left.shown))) scrollTo(0, left.top);
}

/** Opens a record by chance instead of this page. Returns false if there is none, or if the index could not be loaded. */
async function openRandom(): Promise<boolean> {
  try {
    const record = await findRandom(pageData.root);
    if (record) location.replace(pageAddress(record.url));
    return record !== undefined;
  } catch (error) {
    showFailure(error);
    return false;
  }
}

/** Searches for a suggested query. */
function searchFor(words: string): void {
  queryInput.value = words;
  queryInput.focus();
  void runSearch();
}

/** Searches for the words as they were typed. */
function undoCorrections(): void {
  exactWords = queryInput.value;
  searchFor(exactWords);
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
  rememberSearch(queryInput.value, pageData.root);
  void runSearch();
});
resultsList.addEventListener('click', () => rememberSearch(queryInput.value, pageData.root));
recentElement.querySelector(':scope > button')?.addEventListener('click', () => {
  forgetSearches(pageData.root);
  showRecent(recentElement, pageData.root, searchFor);
  queryInput.focus();
});
setUpFilterSheet(filtersBox);
sortSelect.addEventListener('change', () => void runSearch());
filtersElement.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return;
  if (target.checked) filters.addChoice(target.name, target.value);
  else filters.removeChoice(target.name, target.value);
  void runSearch();
});
getElement('more').addEventListener('click', () => void showMore());
setUpResultKeys(queryInput, resultsList);
setUpUndoKey(queryInput, () => (latest?.words?.corrections ?? []).length > 0, undoCorrections);
// Firefox fails what a page still loads when a reader leaves it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && latest === undefined && latestSearch > 0) void runSearch();
});
keepPlace();
setUpSkipLinks(getElement('main'), resultsList, filtersElement);
filtersBox.addEventListener('toggle', () => void showFilters());
const given = new URLSearchParams(location.search);
// From the button in the header of a phone, which has no field.
if (given.get('q') === '') queryInput.focus();
restoreState();
filters.createGroups(() => void showFilters());
setUpListView();
getElement('print').addEventListener('click', () => print());
window.microficheResults = () => latest?.results;
// The script that it loads replaces this. A kiosk has no such button.
const exportButton = document.getElementById('export-all');
if (exportButton) exportButton.onclick = () => void loadScript(`${pageData.root}assets/found-list.js`).catch(showFailure);
void (given.has('random') ? openRandom() : Promise.resolve(false)).then((isOpening) => (isOpening ? undefined : startSearch()));

/**
 * Searches for the query of the address. Without one, what a search needs is loaded when the reader turns to the page; for the
 * numbers of open filters, as soon as the page has its images.
 */
function startSearch(): void {
  const query = readQuery();
  if (!isEmpty(query)) {
    // From the search field of another page: the next Tab reaches the results.
    if (document.activeElement === document.body) countElement.focus({ preventScroll: true });
    return void runSearch();
  }
  showStart(query);
  const start = () => {
    if (latestSearch === 0) void runSearch();
  };
  for (const event of ['pointerdown', 'keydown', 'focusin', 'resize']) addEventListener(event, start, { once: true });
  if (!filtersBox.open) return;
  if (document.readyState === 'complete') start();
  else addEventListener('load', start);
}
