/** Suggests names below the search fields of all pages as the reader types. `/` moves to the search field. */
import { cached } from '../../formats/cached.ts';
import { isTitleKind, NAME_KINDS, type Name } from '../../formats/search/name-kinds.ts';
import { createElement } from '../browser/create-element.ts';
import { loadContent } from '../browser/pack-reader.ts';
import { readPreference, SHORTCUTS } from '../browser/preferences.ts';
import { pageHref } from '../browser/site-files.ts';
import type { NameSearch } from './name-search.entry.ts';

const MAX_SUGGESTIONS = 8;
/** Titles beside names, so that neither fills the list. */
const MAX_NAMES = 6;
/** Milliseconds. */
const TYPING_PAUSE = 120;

/** Elements in which “/” is a character. */
const TYPED_IN = 'input:not([type="checkbox"]):not([type="radio"]), select, textarea, [contenteditable]';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;
const top = new URL('..', ownScript).href;
const loadNameSearch = cached(1, (url) => loadContent(url) as Promise<NameSearch>);
const fields = [...document.querySelectorAll<HTMLInputElement>('[role="search"] input[name="q"]')];
for (const [i, field] of fields.entries())
  if (field.form?.dataset['suggest'] !== undefined) setUpSuggestions(field, `suggestions-${i}`);
document.addEventListener('keydown', focusField);

/** `/` moves to the first search field that is shown. */
function focusField(event: KeyboardEvent): void {
  if (event.key !== '/' || readPreference(SHORTCUTS) === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof Element && target.closest(TYPED_IN)) return;
  const field = fields.find((each) => each.offsetParent !== null);
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

function createList(field: HTMLInputElement, form: HTMLFormElement, id: string) {
  const ariaLabel = form.dataset['suggest'] ?? '';
  const list = createElement('ul', { id, className: 'suggestions', hidden: true, role: 'listbox', ariaLabel });
  // A click on a suggestion must not take the focus from the field, which would hide the list.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  form.append(list);
  const attributes = { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list' };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  let active = -1;

  function activate(at: number): void {
    const options = [...list.children];
    active = at < -1 ? options.length - 1 : at >= options.length ? -1 : at;
    for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === active));
    const chosen = options[active];
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id);
    else field.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  return {
    isOpen: () => !list.hidden,
    show(names: readonly Name[], find: NameSearch['findText'] = () => []) {
      list.replaceChildren(
        ...names.map((name, i) => createOption(name, form, `${id}-${i}`, markTyped(name.label, field.value, find))),
      );
      list.hidden = names.length === 0;
      field.setAttribute('aria-expanded', String(!list.hidden));
      activate(-1);
    },
    /** Moves to the next or previous suggestion; beyond the ends, to the field. */
    move: (step: number) => activate(active + step),
    /** Returns to the field. */
    deactivate: () => activate(-1),
    /** Opens the page of the active suggestion. Returns false if none is active. */
    choose() {
      const option = list.children[active];
      if (option instanceof HTMLElement) option.click();
      return option !== undefined;
    },
  };
}

function setUpSuggestions(field: HTMLInputElement, id: string): void {
  const { form } = field;
  if (!form) return;
  const list = createList(field, form, id);
  let latest = 0;
  let pending: ReturnType<typeof setTimeout> | undefined;
  const { only } = form.dataset;
  const isWanted = ({ kind }: Name) => only === undefined || kind === only;
  const close = () => {
    latest++;
    clearTimeout(pending);
    list.show([]);
  };
  async function suggest(): Promise<void> {
    const own = ++latest;
    try {
      const { find, findText } = await loadNameSearch(new URL('name-search.js', ownScript).href);
      const found = await find(field.value);
      if (own === latest && document.activeElement === field) list.show(select(found.filter(isWanted)), findText);
    } catch (error) {
      if (own !== latest) return; // Firefox fails what a page still loads when a reader leaves it
      console.warn(error); // a search does without suggestions
      list.show([]);
    }
  }
  field.addEventListener('input', () => {
    list.deactivate();
    clearTimeout(pending);
    pending = setTimeout(() => void suggest(), TYPING_PAUSE);
  });
  field.addEventListener('keydown', (event) => {
    if (!list.isOpen() || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) list.move(step);
    else if (event.key === 'Escape') close();
    else if (event.key !== 'Enter' || !list.choose()) return;
    event.preventDefault();
  });
  field.addEventListener('blur', close);
  form.addEventListener('submit', close);
}

/** Returns the suggestions of what was found, in its order: names and titles. */
function select(found: readonly Name[]): Name[] {
  const isTitle = ({ kind }: Name) => isTitleKind(kind);
  const [titles, others] = [found.filter(isTitle), found.filter((name) => !isTitle(name))];
  const names = others.slice(0, Math.max(MAX_NAMES, MAX_SUGGESTIONS - titles.length));
  const shown = new Set([...names, ...titles.slice(0, MAX_SUGGESTIONS - names.length)]);
  return found.filter((name) => shown.has(name));
}

/** Returns a label as nodes, in which what was typed is bold where a word begins with it. */
function markTyped(label: string, typed: string, find: NameSearch['findText']): Array<Node | string> {
  const isBeginning = (start: number) => !/\p{Script=Latin}$/u.test(label.slice(0, start));
  const [start, end] = find(label, typed).find(([from]) => isBeginning(from)) ?? [0, 0];
  if (end === 0) return [label];
  return [label.slice(0, start), createElement('b', {}, label.slice(start, end)), label.slice(end)];
}

/** Creates an option that opens the page of a name. */
function createOption({ kind, path }: Name, form: HTMLFormElement, id: string, shown: Array<Node | string>): HTMLLIElement {
  const kinds = (form.dataset['kinds'] ?? '').split('|');
  const note = createElement('span', { className: 'fine' }, kinds[NAME_KINDS.indexOf(kind)] ?? '');
  const option = createElement('li', { id, role: 'option' }, createElement('span', {}, ...shown), ' ', note);
  option.addEventListener('click', () => {
    location.href = addressOf(path, form);
  });
  return option;
}

/** Returns the address of a page of the form's language. */
function addressOf(path: string, form: HTMLFormElement): string {
  const locale = new URL('.', form.action).href;
  const place = { root: top, prefix: locale.slice(top.length), compact: form.dataset['compact'] !== undefined };
  return new URL(pageHref(path, place), locale).href;
}
