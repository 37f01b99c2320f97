/** The script of the search page: searches as the reader types, and stores its state in the URL. */
import { legible } from '../model/legible.ts';
import { isPackedThumb, VIEWER } from './compact-names.ts';
import { ask, type Query, type Result } from './engine.ts';
import { excerptOf, marked, termsOf } from './excerpt.ts';
import { type Counts, FACETS } from './facet-table.ts';
import type { SearchForms, SearchWords } from './search-forms.ts';

/** What the page passes to this script, as JSON in the element `said`. */
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

const pageData = JSON.parse(element('said').textContent ?? '{}') as PageData;
const numbers = new Intl.NumberFormat(pageData.language);
const languages = new Intl.DisplayNames(pageData.language, { type: 'language', fallback: 'code' });
/** Results shown at a time. */
const PAGE_SIZE = 20;
/** Values shown per facet. */
const MAX_VALUES = 100;
/** The filters are open in windows of this width. */
const WIDE = '(min-width: 52rem)';

const form = element<HTMLFormElement>('search');
const words = element<HTMLInputElement>('q');
const sort = element<HTMLSelectElement>('sort');
const from = element<HTMLInputElement>('from');
const to = element<HTMLInputElement>('to');
const filters = element('filters');
const chips = element('chips');
const count = element('count');
const help = element('help');
const results = element<HTMLOListElement>('results');
const more = element<HTMLButtonElement>('more');

let chosen: Record<string, string[]> = {};
let found: Result[] = [];
/** The number of the latest search. Earlier ones are ignored when they complete. */
let latestSearch = 0;

function element<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: Array<Node | string>
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function readQuery(): Query {
  const year = (input: HTMLInputElement) => (/^\d{4}$/.test(input.value) ? Number(input.value) : undefined);
  return { words: words.value, chosen, from: year(from), to: year(to), sort: sort.value as Query['sort'] };
}

/** Restores the state of the page from its URL. Another person may have made the link, so its values are made legible. */
function restoreState(): void {
  const parameters = new URLSearchParams(location.search);
  words.value = (parameters.get('q') ?? '').slice(0, words.maxLength); // maxlength does not limit what a script sets
  sort.value = parameters.get('sort') ?? '';
  if (sort.selectedIndex < 0) sort.value = '';
  from.value = parameters.get('from') ?? '';
  to.value = parameters.get('to') ?? '';
  chosen = Object.fromEntries(
    FACETS.map((facet) => [facet, parameters.getAll(facet).map(legible)] as const).filter(([, values]) => values.length > 0),
  );
}

/** Writes the state of the page into its URL, so that it can be bookmarked. */
function storeState({ words: typed, sort: order, from: first, to: last }: Query): void {
  const parameters = new URLSearchParams();
  if (typed.trim() !== '') parameters.set('q', typed.trim());
  for (const [facet, values] of Object.entries(chosen)) for (const value of values) parameters.append(facet, value);
  if (first !== undefined) parameters.set('from', String(first));
  if (last !== undefined) parameters.set('to', String(last));
  if (order !== '') parameters.set('sort', order);
  history.replaceState(null, '', parameters.size > 0 ? `?${parameters}` : location.pathname);
}

async function search(): Promise<void> {
  const own = ++latestSearch;
  const query = readQuery();
  results.ariaBusy = 'true';
  storeState(query);
  showChips(query);
  try {
    const response = await ask(query, pageData.root, pageData.forms);
    if (own !== latestSearch) return;
    showFilters(response.counts);
    found = response.results;
    const first = await renderResults(0);
    if (own !== latestSearch) return;
    const isEmptyQuery = query.words.trim() === '' && chips.children.length === 0;
    const { length } = found;
    count.textContent = isEmptyQuery ? '' : formatCount(length, query.words.trim());
    help.hidden = isEmptyQuery || length > 0;
    results.replaceChildren(...first);
    more.hidden = length <= PAGE_SIZE;
  } catch (error) {
    if (own !== latestSearch) return;
    showFailure(error);
    found = [];
    results.replaceChildren();
    more.hidden = true;
    help.hidden = true;
  }
  results.ariaBusy = 'false';
}

/** Says that a part of the index could not be loaded. The next search tries again, unless this page can never load it. */
function showFailure(error: unknown): void {
  console.warn(error);
  const isPermanent = location.protocol === 'file:' && !pageData.forms.packs;
  count.textContent = isPermanent ? pageData.words.cannotLoad : pageData.words.notLoaded;
}

function formatCount(length: number, typed: string): string {
  if (length === 0) return typed === '' ? pageData.words.none : pageData.words.noneFor.replace('#', () => legible(typed));
  return length === 1 ? pageData.words.one : pageData.words.many.replace('#', numbers.format(length));
}

async function showMore(): Promise<void> {
  const own = latestSearch;
  const start = results.children.length;
  try {
    const next = await renderResults(start);
    if (own !== latestSearch) return;
    results.append(...next);
    more.hidden = results.children.length >= found.length;
    results.children[start]?.querySelector('a')?.focus();
  } catch (error) {
    if (own === latestSearch) showFailure(error);
  }
}

function renderResults(start: number): Promise<HTMLLIElement[]> {
  return Promise.all(found.slice(start, start + PAGE_SIZE).map(async (result) => renderResult(await result.data())));
}

function renderResult({ url, meta }: { url: string; meta: Record<string, string> }): HTMLLIElement {
  const path = url.replace(/^\//, '');
  const image = make('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
  const imagePath = meta['image'] ?? '';
  if (pageData.compact && isPackedThumb(imagePath)) image.dataset['thumb'] = imagePath;
  else image.src = `${pageData.root}${imagePath}`;
  const href = pageData.compact ? `${pageData.root}${VIEWER}?${pageData.prefix}${path}` : path;
  const heading = make('h2', {}, make('a', { href }, ...highlight(meta['title'] ?? path)));
  const facts = [labelOf('model', meta['kind'] ?? ''), meta['date']].filter(Boolean).join(' · ');
  const excerpt = make('p', {}, ...highlight(excerptOf(meta['description'] ?? '', meta['spoken'], termsOf(words.value))));
  return make('li', {}, image, make('div', {}, heading, make('p', { className: 'fine' }, facts), excerpt));
}

/** Returns text as nodes, with the reader's words marked. Nothing from the index is parsed as HTML. */
function highlight(text: string): Node[] {
  return marked(text, termsOf(words.value)).map((piece) =>
    piece.hit ? make('mark', {}, piece.text) : document.createTextNode(piece.text),
  );
}

function showFilters(counts: Counts): void {
  const open = new Set([...filters.querySelectorAll('details[open]')].map((group) => group.getAttribute('data-filter')));
  const isFirst = filters.children.length === 0;
  const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement : undefined;
  const focusedBox = focused && filters.contains(focused) ? { name: focused.name, value: focused.value } : undefined;
  filters.replaceChildren(
    ...FACETS.flatMap((facet) => {
      const own = chosen[facet] ?? [];
      const values = { ...Object.fromEntries(own.map((value) => [value, 0])), ...counts[facet] };
      const shown = Object.entries(values).filter(([value, n]) => n > 0 || own.includes(value));
      if (shown.length === 0) return [];
      const group = make('details', { open: isFirst ? facet === 'model' || own.length > 0 : open.has(facet) });
      group.setAttribute('data-filter', facet);
      const mostFrequent = shown.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_VALUES);
      group.append(
        make('summary', {}, pageData.words.filters[facet]),
        ...mostFrequent.map(([value, n]) => createCheckbox(facet, value, n)),
      );
      return [group];
    }),
  );
  // All checkboxes are new: restore the focus.
  if (focusedBox)
    [...filters.querySelectorAll('input')].find((box) => box.name === focusedBox.name && box.value === focusedBox.value)?.focus();
}

function createCheckbox(facet: string, value: string, n: number): HTMLLabelElement {
  const box = make('input', { type: 'checkbox', name: facet, value, checked: chosen[facet]?.includes(value) ?? false });
  return make('label', {}, box, labelOf(facet, value), make('span', { className: 'count' }, numbers.format(n)));
}

/** Shows the chosen filters, each as a button that removes it. */
function showChips({ from: first, to: last }: Query): void {
  const chip = (label: string, remove: () => void) => {
    const button = make(
      'button',
      { type: 'button', className: 'chip', ariaLabel: pageData.words.remove.replace('#', label) },
      label,
    );
    button.addEventListener('click', () => {
      remove();
      words.focus();
      void search();
    });
    return make('li', {}, button);
  };
  const years = first === undefined && last === undefined ? [] : [`${first ?? ''}–${last ?? ''}`];
  chips.replaceChildren(
    ...Object.entries(chosen).flatMap(([facet, values]) =>
      values.map((value) => chip(labelOf(facet, value), () => unchoose(facet, value))),
    ),
    ...years.map((label) =>
      chip(label, () => {
        from.value = '';
        to.value = '';
      }),
    ),
  );
}

function unchoose(facet: string, value: string): void {
  const rest = (chosen[facet] ?? []).filter((other) => other !== value);
  const { [facet]: _, ...others } = chosen;
  chosen = rest.length > 0 ? { ...others, [facet]: rest } : others;
}

/** Returns the label of a facet value; an unknown code is shown as it is. */
function labelOf(facet: string, value: string): string {
  const labels = pageData.codes[facet];
  if (!labels) return value;
  if (Object.hasOwn(labels, value)) return labels[value] as string;
  return facet === 'language' && /^[A-Za-z]{2,3}$/.test(value) ? (languages.of(value) ?? value) : value;
}

/** The arrow keys move between results; `/` moves to the search field. */
function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const isInField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (event.key === '/' && !isInField) {
    event.preventDefault();
    words.focus();
    words.select();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || (isInField && target !== words)) return;
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (at < 0 && target !== words) return;
  const next = at + step;
  event.preventDefault();
  (next < 0 ? words : links[Math.min(next, links.length - 1)])?.focus();
}

let pendingSearch: ReturnType<typeof setTimeout> | undefined;
for (const input of [words, from, to]) {
  input.addEventListener('input', () => {
    clearTimeout(pendingSearch);
    pendingSearch = setTimeout(() => void search(), 200);
  });
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void search();
});
sort.addEventListener('change', () => void search());
filters.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.checked) chosen = { ...chosen, [target.name]: [...(chosen[target.name] ?? []), target.value] };
  else unchoose(target.name, target.value);
  void search();
});
more.addEventListener('click', () => void showMore());
document.addEventListener('keydown', onKey);
element<HTMLDetailsElement>('filters-box').open = matchMedia(WIDE).matches;
restoreState();
void search();
