/** The reader's side of search: asks Pagefind, and shows title, facts and our own excerpt of each result. A classic script of search.html. */
import type { Messages } from '../site/language/en.ts';
import { searchable } from './words.ts';

interface PagefindResult {
  data(): Promise<{ url: string; meta: Record<string, string> }>;
}
interface PagefindAnswer {
  results: PagefindResult[];
  filters: Record<string, Record<string, number>>;
  totalFilters: Record<string, Record<string, number>>;
}
interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
  filters(): Promise<Record<string, Record<string, number>>>;
  search(
    words: string | null,
    options: { filters: Record<string, string[]>; sort: Record<string, 'asc' | 'desc'> },
  ): Promise<PagefindAnswer>;
}

/** What the page gives this script: its words, and the labels behind the codes of the index. */
interface Said {
  language: string;
  /** The way from this page to what all languages share. */
  root: string;
  words: Messages['search'];
  codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const FILTERS = ['model', 'collection', 'genre', 'format', 'topic', 'facility', 'language'] as const;
const PAGE = 20;
const EXCERPT = 240;

const said = JSON.parse(document.getElementById('said')?.textContent ?? '{}') as Said;
const numbers = new Intl.NumberFormat(said.language);
const languages = new Intl.DisplayNames(said.language, { type: 'language', fallback: 'code' });

const form = element<HTMLFormElement>('search');
const words = element<HTMLInputElement>('q');
const sort = element<HTMLSelectElement>('sort');
const filters = element<HTMLElement>('filters');
const count = element<HTMLElement>('count');
const results = element<HTMLOListElement>('results');
const more = element<HTMLButtonElement>('more');

let engine: Promise<Pagefind> | undefined;
let chosen: Record<string, string[]> = {};
let found: PagefindResult[] = [];
let turn = 0;

function element<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

function load(): Promise<Pagefind> {
  engine ??= (async () => {
    const address = new URL(`${said.root}pagefind/pagefind.js`, document.baseURI).href;
    const pagefind = (await import(/* @vite-ignore */ address)) as Pagefind;
    await pagefind.options({ excerptLength: 1 });
    await pagefind.init();
    await pagefind.filters(); // counts come with answers only once the filters are loaded
    return pagefind;
  })();
  return engine;
}

/** The state of the page is its address: words, filters and order can be kept as a bookmark. */
function readAddress(): void {
  const query = new URLSearchParams(location.search);
  words.value = query.get('q') ?? '';
  sort.value = query.get('sort') ?? '';
  chosen = Object.fromEntries(
    FILTERS.map((name) => [name, query.getAll(name)] as const).filter(([, values]) => values.length > 0),
  );
}

function writeAddress(): void {
  const query = new URLSearchParams();
  if (words.value.trim() !== '') query.set('q', words.value.trim());
  for (const [name, values] of Object.entries(chosen)) for (const value of values) query.append(name, value);
  if (sort.value !== '') query.set('sort', sort.value);
  history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname);
}

async function search(): Promise<void> {
  const mine = ++turn;
  const text = searchable(words.value.trim()).trim();
  writeAddress();
  try {
    const pagefind = await load();
    const filtered = Object.keys(chosen).length > 0;
    if (text === '' && !filtered) {
      const all = await pagefind.filters();
      if (mine !== turn) return;
      showFilters(all);
      show([], '');
      return;
    }
    const order: Record<string, 'asc' | 'desc'> = sort.value === '' ? {} : { [sort.value]: 'asc' };
    const answer = await pagefind.search(text === '' ? null : text, { filters: chosen, sort: order });
    if (mine !== turn) return;
    showFilters(answer.filters);
    const { length } = answer.results;
    show(
      answer.results,
      length === 1 ? said.words.one : length === 0 ? said.words.none : said.words.many.replace('#', numbers.format(length)),
    );
  } catch {
    show([], said.words.cannotLoad);
  }
}

function show(list: PagefindResult[], summary: string): void {
  found = list;
  count.textContent = summary;
  results.replaceChildren();
  more.hidden = true;
  if (list.length > 0) void showMore();
}

async function showMore(): Promise<void> {
  const mine = turn;
  const begin = results.children.length;
  const page = await Promise.all(found.slice(begin, begin + PAGE).map((result) => result.data()));
  if (mine !== turn) return;
  results.append(...page.map(({ url, meta }) => resultItem(url.replace(/^\//, ''), meta)));
  more.hidden = results.children.length >= found.length;
}

function resultItem(path: string, meta: Record<string, string>): HTMLLIElement {
  const item = document.createElement('li');
  const picture = document.createElement('img');
  picture.src = `${said.root}${meta['image'] ?? ''}`;
  picture.alt = '';
  picture.width = 96;
  picture.height = 72;
  picture.loading = 'lazy';
  const heading = document.createElement('h2');
  const link = document.createElement('a');
  link.href = path;
  link.append(...marked(meta['title'] ?? path));
  heading.append(link);
  const facts = document.createElement('p');
  facts.className = 'fine';
  facts.textContent = [labelOf('model', meta['kind'] ?? ''), meta['date']].filter(Boolean).join(' · ');
  const excerpt = document.createElement('p');
  excerpt.append(...marked(around(meta['description'] ?? '')));
  const text = document.createElement('div');
  text.append(heading, facts, excerpt);
  item.append(picture, text);
  return item;
}

function terms(): string[] {
  return words.value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term.length > 1);
}

/** The part of a description that holds the first of the words, or its beginning. */
function around(description: string): string {
  const lower = description.toLowerCase();
  const at = Math.min(
    ...terms()
      .map((term) => lower.indexOf(term))
      .filter((position) => position >= 0),
    description.length,
  );
  const begin = at < EXCERPT / 2 || at === description.length ? 0 : description.lastIndexOf(' ', at - EXCERPT / 3) + 1;
  const cut = description.slice(begin, begin + EXCERPT);
  return `${begin > 0 ? '… ' : ''}${cut}${begin + EXCERPT < description.length ? ' …' : ''}`;
}

/** Text with the words marked, as nodes: nothing from the index is ever read as HTML. */
function marked(text: string): Node[] {
  const patterns = terms().map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (patterns.length === 0) return [document.createTextNode(text)];
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${patterns.join('|')})[\\p{L}]{0,3}|${patterns.join('|')})`, 'giu'))
    .map((piece, i) => {
      if (i % 2 === 0) return document.createTextNode(piece);
      const mark = document.createElement('mark');
      mark.textContent = piece;
      return mark;
    });
}

function showFilters(counts: Record<string, Record<string, number>>): void {
  const open = new Set([...filters.querySelectorAll('details[open]')].map((group) => group.getAttribute('data-filter')));
  const first = filters.children.length === 0;
  filters.replaceChildren(
    ...FILTERS.flatMap((name) => {
      const values = Object.entries(counts[name] ?? {}).filter(([value, n]) => n > 0 || chosen[name]?.includes(value));
      if (values.length === 0) return [];
      const group = document.createElement('details');
      group.setAttribute('data-filter', name);
      group.open = first ? name === 'model' || chosen[name] !== undefined : open.has(name);
      const summary = document.createElement('summary');
      summary.textContent = said.words.filters[name];
      group.append(
        summary,
        ...values
          .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
          .slice(0, 100)
          .map(([value, n]) => choice(name, value, n)),
      );
      return [group];
    }),
  );
}

function choice(name: string, value: string, n: number): HTMLLabelElement {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.name = name;
  box.value = value;
  box.checked = chosen[name]?.includes(value) ?? false;
  const number = document.createElement('span');
  number.className = 'count';
  number.textContent = numbers.format(n);
  label.append(box, labelOf(name, value), number);
  return label;
}

/** What a filter's value is called; a code that no one knows is shown as it is. */
function labelOf(name: string, value: string): string {
  const labels = said.codes[name];
  if (!labels) return value;
  if (Object.hasOwn(labels, value)) return labels[value] as string;
  return name === 'language' && /^[A-Za-z]{2,3}$/.test(value) ? (languages.of(value) ?? value) : value;
}

function readFilters(): void {
  const boxes = [...filters.querySelectorAll<HTMLInputElement>('input:checked')];
  chosen = {};
  for (const box of boxes) chosen[box.name] = [...(chosen[box.name] ?? []), box.value];
}

let typing: ReturnType<typeof setTimeout> | undefined;
words.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => void search(), 200);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void search();
});
sort.addEventListener('change', () => void search());
filters.addEventListener('change', () => {
  readFilters();
  void search();
});
more.addEventListener('click', () => void showMore());
readAddress();
void search();
