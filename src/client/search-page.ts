/** The search page: a classic script that asks as the reader types, and keeps its state in the address. */
import { legible } from '../model/legible.ts';
import { isPackedThumb, VIEWER } from './compact-names.ts';
import { ask, type Query, type Result } from './engine.ts';
import { excerptOf, marked, termsOf } from './excerpt.ts';
import { type Counts, FACETS } from './facet-table.ts';
import type { SearchForms, SearchWords } from './search-forms.ts';

/** What the page gives this script: its words, and the labels behind the codes of the index. */
interface Said {
  language: string;
  /** The way from this page to what all languages share. */
  root: string;
  /** What stands before the paths of this language's pages. */
  prefix: string;
  /** Whether pages and thumbnails stand in packs. */
  compact: boolean;
  forms: SearchForms;
  words: SearchWords;
  codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const said = JSON.parse(element('said').textContent ?? '{}') as Said;
const numbers = new Intl.NumberFormat(said.language);
const languages = new Intl.DisplayNames(said.language, { type: 'language', fallback: 'code' });
/** Results shown at a time, and values of a facet. */
const PAGE = 20;
const MOST_VALUES = 100;
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
let turn = 0;

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

function query(): Query {
  const year = (input: HTMLInputElement) => (/^\d{4}$/.test(input.value) ? Number(input.value) : undefined);
  return { words: words.value, chosen, from: year(from), to: year(to), sort: sort.value as Query['sort'] };
}

/** The state of the page is its address: words, choices, years and order can be kept as a bookmark. Whoever made the link, its choices are shown legibly. */
function readAddress(): void {
  const asked = new URLSearchParams(location.search);
  words.value = (asked.get('q') ?? '').slice(0, words.maxLength); // maxlength does not limit what a script sets
  sort.value = asked.get('sort') ?? '';
  if (sort.selectedIndex < 0) sort.value = '';
  from.value = asked.get('from') ?? '';
  to.value = asked.get('to') ?? '';
  chosen = Object.fromEntries(
    FACETS.map((facet) => [facet, asked.getAll(facet).map(legible)] as const).filter(([, values]) => values.length > 0),
  );
}

function writeAddress({ words: typed, sort: order, from: first, to: last }: Query): void {
  const address = new URLSearchParams();
  if (typed.trim() !== '') address.set('q', typed.trim());
  for (const [facet, values] of Object.entries(chosen)) for (const value of values) address.append(facet, value);
  if (first !== undefined) address.set('from', String(first));
  if (last !== undefined) address.set('to', String(last));
  if (order !== '') address.set('sort', order);
  history.replaceState(null, '', address.size > 0 ? `?${address}` : location.pathname);
}

async function search(): Promise<void> {
  const mine = ++turn;
  const asked = query();
  results.ariaBusy = 'true';
  writeAddress(asked);
  showChips(asked);
  try {
    const answer = await ask(asked, said.root, said.forms);
    if (mine !== turn) return;
    showFilters(answer.counts);
    found = answer.results;
    const first = await pageOf(0);
    if (mine !== turn) return;
    const idle = asked.words.trim() === '' && chips.children.length === 0;
    const { length } = found;
    count.textContent = idle ? '' : summary(length, asked.words.trim());
    help.hidden = idle || length > 0;
    results.replaceChildren(...first);
    more.hidden = length <= PAGE;
  } catch (error) {
    if (mine !== turn) return;
    showFailure(error);
    found = [];
    results.replaceChildren();
    more.hidden = true;
    help.hidden = true;
  }
  results.ariaBusy = 'false';
}

/** Says that a part of the index could not be loaded. The next search tries again, but for a page that can never load it. */
function showFailure(error: unknown): void {
  console.warn(error);
  const never = location.protocol === 'file:' && !said.forms.packs;
  count.textContent = never ? said.words.cannotLoad : said.words.notLoaded;
}

function summary(length: number, typed: string): string {
  if (length === 0) return typed === '' ? said.words.none : said.words.noneFor.replace('#', () => legible(typed));
  return length === 1 ? said.words.one : said.words.many.replace('#', numbers.format(length));
}

async function showMore(): Promise<void> {
  const mine = turn;
  const begin = results.children.length;
  try {
    const next = await pageOf(begin);
    if (mine !== turn) return;
    results.append(...next);
    more.hidden = results.children.length >= found.length;
    results.children[begin]?.querySelector('a')?.focus();
  } catch (error) {
    if (mine === turn) showFailure(error);
  }
}

function pageOf(begin: number): Promise<HTMLLIElement[]> {
  return Promise.all(found.slice(begin, begin + PAGE).map(async (result) => resultItem(await result.data())));
}

function resultItem({ url, meta }: { url: string; meta: Record<string, string> }): HTMLLIElement {
  const path = url.replace(/^\//, '');
  const picture = make('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
  const image = meta['image'] ?? '';
  if (said.compact && isPackedThumb(image)) picture.dataset['thumb'] = image;
  else picture.src = `${said.root}${image}`;
  const href = said.compact ? `${said.root}${VIEWER}?${said.prefix}${path}` : path;
  const heading = make('h2', {}, make('a', { href }, ...nodes(meta['title'] ?? path)));
  const facts = [labelOf('model', meta['kind'] ?? ''), meta['date']].filter(Boolean).join(' · ');
  const excerpt = make('p', {}, ...nodes(excerptOf(meta['description'] ?? '', meta['spoken'], termsOf(words.value))));
  return make('li', {}, picture, make('div', {}, heading, make('p', { className: 'fine' }, facts), excerpt));
}

/** Text with the words marked, as nodes: nothing from the index is ever read as HTML. */
function nodes(text: string): Node[] {
  return marked(text, termsOf(words.value)).map((piece) =>
    piece.hit ? make('mark', {}, piece.text) : document.createTextNode(piece.text),
  );
}

function showFilters(counts: Counts): void {
  const open = new Set([...filters.querySelectorAll('details[open]')].map((group) => group.getAttribute('data-filter')));
  const first = filters.children.length === 0;
  const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement : undefined;
  const kept = focused && filters.contains(focused) ? { name: focused.name, value: focused.value } : undefined;
  filters.replaceChildren(
    ...FACETS.flatMap((facet) => {
      const mine = chosen[facet] ?? [];
      const values = { ...Object.fromEntries(mine.map((value) => [value, 0])), ...counts[facet] };
      const shown = Object.entries(values).filter(([value, n]) => n > 0 || mine.includes(value));
      if (shown.length === 0) return [];
      const group = make('details', { open: first ? facet === 'model' || mine.length > 0 : open.has(facet) });
      group.setAttribute('data-filter', facet);
      const best = shown.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_VALUES);
      group.append(make('summary', {}, said.words.filters[facet]), ...best.map(([value, n]) => choice(facet, value, n)));
      return [group];
    }),
  );
  // The boxes are made anew; who was on one of them stays there.
  if (kept) [...filters.querySelectorAll('input')].find((box) => box.name === kept.name && box.value === kept.value)?.focus();
}

function choice(facet: string, value: string, n: number): HTMLLabelElement {
  const box = make('input', { type: 'checkbox', name: facet, value, checked: chosen[facet]?.includes(value) ?? false });
  return make('label', {}, box, labelOf(facet, value), make('span', { className: 'count' }, numbers.format(n)));
}

/** What is chosen, each with a button that takes it away. */
function showChips({ from: first, to: last }: Query): void {
  const chip = (label: string, remove: () => void) => {
    const button = make('button', { type: 'button', className: 'chip', ariaLabel: said.words.remove.replace('#', label) }, label);
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
  const rest = (chosen[facet] ?? []).filter((one) => one !== value);
  const { [facet]: _, ...others } = chosen;
  chosen = rest.length > 0 ? { ...others, [facet]: rest } : others;
}

/** What a facet's value is called; a code that no one knows is shown as it is. */
function labelOf(facet: string, value: string): string {
  const labels = said.codes[facet];
  if (!labels) return value;
  if (Object.hasOwn(labels, value)) return labels[value] as string;
  return facet === 'language' && /^[A-Za-z]{2,3}$/.test(value) ? (languages.of(value) ?? value) : value;
}

/** The arrow keys go from result to result; `/` goes to the words. */
function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (event.key === '/' && !typing) {
    event.preventDefault();
    words.focus();
    words.select();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || (typing && target !== words)) return;
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (at < 0 && target !== words) return;
  const next = at + step;
  event.preventDefault();
  (next < 0 ? words : links[Math.min(next, links.length - 1)])?.focus();
}

let typing: ReturnType<typeof setTimeout> | undefined;
for (const input of [words, from, to]) {
  input.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void search(), 200);
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
readAddress();
void search();
