/** The list of results: the first ones, and more when the reader asks for them. */
import { loadResult } from './result-files.ts';
import { formatNumber, getElement, pageData } from './search-elements.ts';
import type { SearchResponse } from './search-engine.ts';
import { renderResult } from './search-results.ts';
import { createMatcher } from './text-matches.ts';

/** Results shown at a time. */
const PAGE_SIZE = 20;
/** Those of them that are shown before the others are loaded: they fill a screen. For an interview, long texts are loaded. */
const [FIRST_SHOWN, FIRST_INTERVIEWS] = [6, 2];

const list = getElement<HTMLOListElement>('results');
const moreButton = getElement<HTMLButtonElement>('more');

/** Results, and the words that are marked in them. */
type Listed = Pick<SearchResponse, 'results' | 'words'>;
const NONE: Listed = { results: [], words: undefined };
let listed = NONE;

/** Returns the elements of the first results, which `showFirst` shows. */
export function loadFirst(found: Listed): Promise<HTMLLIElement[]> {
  const hasInterviews = found.results.slice(0, FIRST_SHOWN).some(({ segments }) => segments.length > 1);
  return render(found, 0, hasInterviews ? FIRST_INTERVIEWS : FIRST_SHOWN);
}

/** Shows the first results instead of those of an earlier search; `found` has all of them, unless they are not known yet. */
export function showFirst(results: readonly HTMLLIElement[], found: Listed = NONE): void {
  const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : undefined;
  listed = found;
  list.replaceChildren(...results);
  moreButton.hidden = true;
  // A record that was shown before the others is still the first one.
  const first = list.querySelector('a');
  if (focused && first?.getAttribute('href') === focused) first.focus();
}

/** Shows more results: all of a page. Returns false if another search has begun. */
export async function appendResults(): Promise<boolean> {
  const own = listed;
  const start = list.children.length;
  const next = await render(own, start, start - (start % PAGE_SIZE) + PAGE_SIZE);
  if (own !== listed) return false;
  list.append(...next);
  showRest();
  return true;
}

/** Shows results until there are so many, or all. Returns false if another search has begun. */
export async function appendUntil(count: number): Promise<boolean> {
  while (list.children.length < Math.min(count, listed.results.length)) if (!(await appendResults())) return false;
  return true;
}

/** Shows no results, because they could not be loaded. */
export function clearResults(): void {
  showFirst([]);
  showRest();
}

/** Offers the results that are not shown. A print-out says that it has only the first ones. */
function showRest(): void {
  const [shown, all] = [list.children.length, listed.results.length];
  moreButton.hidden = shown >= all;
  const part = pageData.words.part.replace('##', formatNumber(all)).replace('#', formatNumber(shown));
  getElement('part').textContent = shown >= all ? '' : part;
}

function render({ results, words }: Listed, from: number, to: number): Promise<HTMLLIElement[]> {
  const matcher = createMatcher(words?.searched);
  return Promise.all(results.slice(from, to).map(async (result) => renderResult(await loadResult(result), matcher)));
}
