/** The rows of the list of saved items: what is known of each item, and what the reader notes, moves and removes. */
import { clipBetween, formatTime, readMoment, readTime, writeMoment } from '../../formats/moments.ts';
import { createElement } from '../browser/create-element.ts';
import { canFetch } from '../browser/protocol.ts';
import { pageHref, type SitePlace, setThumbnail } from '../browser/site-files.ts';
import { chosenStyle } from '../parts/citation-choice.ts';
import { type Citing, plainCitation, savedCitation, timesOf } from './saved-citations.ts';
import { keyOf, type SavedItem } from './saved-items.ts';
import { isHeading, MAX_HEADING, MAX_NOTE, type SavedEntry, type SavedHeading, toMoment } from './saved-list.ts';
import type { createSavedLookup } from './saved-lookup.ts';
import { VALUE_SEPARATOR } from './saved-records.ts';

/** What the page says in rows. In the words of buttons and of the field for a note, `#` becomes a title. */
export interface RowWords {
  remove: string;
  up: string;
  down: string;
  note: string;
  noteOf: string;
  heading: string;
  /** Labels of the times of a clip, and what to do if they cannot be read. */
  from: string;
  to: string;
  timesHint: string;
  /** Below a citation in no style. */
  shortCitation: string;
  /** Instead of facts, of a record that is not in this copy. */
  missing: string;
}

/** What the rows need of the page. */
export interface RowContext {
  words: RowWords;
  place: SitePlace;
  citing: Citing;
  lookup: ReturnType<typeof createSavedLookup>;
  /** Replaces parts of the entry of a row. Returns false if another one is the same then. */
  edit: (row: HTMLLIElement, parts: Partial<SavedItem & SavedHeading>) => boolean;
  move: (row: HTMLLIElement, step: 1 | -1) => void;
  remove: (row: HTMLLIElement) => void;
  /** Creates the checkbox that compares an item. */
  createBox: (item: SavedItem) => HTMLElement;
}

/** The buttons of a row, with their signs. */
const TOOLS = [
  ['up', '↑'],
  ['down', '↓'],
  ['remove', '×'],
] as const;

/** Creates the row of an entry. One of a list that someone has passed on is not the reader's own. */
export function createRow(entry: SavedEntry, isOwn: boolean, context: RowContext): HTMLLIElement {
  const row = createElement('li', { dataset: { key: keyOf(entry) } });
  if (isHeading(entry)) {
    row.className = 'saved-heading';
    row.append(createElement('h2', {}, isOwn ? createHeadingField(row, context) : entry.heading));
  } else {
    const image = createElement('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
    const link = createElement('a', { href: pageHref(entry.path, context.place) });
    const text = createElement('div', {}, link, createElement('div', { className: 'saved-facts' }));
    if (entry.at !== undefined) text.append(createTimes(row, isOwn, context));
    if (isOwn) text.append(createNote(row, context), context.createBox(entry));
    row.append(createElement('span', { className: 'card-picture' }, image), text);
  }
  if (isOwn) row.append(createTools(row, context));
  fillRow(row, entry, isOwn, context);
  return row;
}

function createTools(row: HTMLLIElement, { move, remove }: RowContext): HTMLElement {
  const act = { up: () => move(row, -1), down: () => move(row, 1), remove: () => remove(row) };
  const buttons = TOOLS.map(([name, sign]) =>
    createElement('button', { type: 'button', className: 'quiet', onclick: act[name], dataset: { act: name } }, sign),
  );
  return createElement('div', { className: 'row-tools' }, ...buttons);
}

function nameTools(row: HTMLLIElement, title: string, words: RowWords): void {
  for (const [name] of TOOLS)
    row.querySelector(`[data-act="${name}"]`)?.setAttribute(
      'aria-label',
      words[name].replace('#', () => title),
    );
}

function createHeadingField(row: HTMLLIElement, { words, edit }: RowContext): HTMLInputElement {
  const { heading } = words;
  const input = createElement('input', { maxLength: MAX_HEADING, placeholder: heading, ariaLabel: heading, autocomplete: 'off' });
  input.addEventListener('input', () => {
    edit(row, { heading: input.value });
    nameTools(row, input.value || heading, words);
  });
  return input;
}

function createNote(row: HTMLLIElement, { words, edit }: RowContext): HTMLTextAreaElement {
  const note = createElement('textarea', { rows: 1, maxLength: MAX_NOTE, placeholder: words.note });
  note.addEventListener('input', () => {
    edit(row, { note: note.value });
    fitHeight(note);
  });
  return note;
}

/** Creates the link to a moment, and the fields for its times. */
function createTimes(row: HTMLLIElement, isOwn: boolean, context: RowContext): HTMLElement {
  const { words, edit } = context;
  const fields = (isOwn ? [words.from, words.to] : []).map((label) => {
    const input = createElement('input', { type: 'text', size: 5, autocomplete: 'off', title: words.timesHint });
    return { input, label: createElement('label', {}, `${label} `, input) };
  });
  const read = () => {
    const [from = '', to = ''] = fields.map(({ input }) => input.value);
    const [start, end] = [readTime(from), readTime(to)];
    const isWrong = start === undefined || (end === undefined && to.trim() !== '');
    const at = isWrong ? undefined : toMoment(writeMoment(clipBetween(start, end)));
    const isNew = at !== undefined && edit(row, { at });
    for (const { input } of fields) input.setAttribute('aria-invalid', String(!isNew));
    if (isNew) showMoment(row, at, context);
  };
  for (const { input } of fields) input.addEventListener('input', read);
  return createElement('p', { className: 'fine saved-times' }, createElement('a', {}), ...fields.map(({ label }) => label));
}

function showMoment(row: HTMLLIElement, at: string, { citing }: RowContext): void {
  const [moment, link] = [readMoment(at), row.querySelector<HTMLAnchorElement>('.saved-times a')];
  if (!moment || !link) return;
  link.textContent = `▸ ${timesOf({ at }, citing)}`;
  const page = row.querySelector('a')?.getAttribute('href');
  if (page) link.href = `${page}${at}`;
  const [from, to] = row.querySelectorAll<HTMLInputElement>('.saved-times input');
  setValue(from, formatTime(moment.start));
  setValue(to, moment.end === undefined ? '' : formatTime(moment.end));
}

/** Shows a value in a field, unless the reader is writing in it. */
function setValue(field: HTMLInputElement | HTMLTextAreaElement | null | undefined, value: string): void {
  if (field && field !== document.activeElement) field.value = value;
}

/** Shows what is known of an entry in its row. The controls of the row stay as they are. */
export function fillRow(row: HTMLLIElement, entry: SavedEntry, isOwn: boolean, context: RowContext): void {
  const { words, lookup, place } = context;
  nameTools(row, isHeading(entry) ? entry.heading || words.heading : entry.title, words);
  if (isHeading(entry)) {
    setValue(row.querySelector('input'), entry.heading);
    return;
  }
  const isMissing = lookup.isMissing(entry);
  row.querySelector('.saved-facts')?.replaceChildren(...describe(entry, isOwn && !isMissing, context));
  const [link, image, note] = [row.querySelector('a'), row.querySelector('img'), row.querySelector('textarea')];
  if (link) link.textContent = entry.title;
  if (isMissing) for (const each of row.querySelectorAll('a')) each.removeAttribute('href');
  if (image) setThumbnail(image, isMissing ? '' : lookup.imageOf(entry), place);
  if (entry.at !== undefined) showMoment(row, entry.at, context);
  note?.setAttribute(
    'aria-label',
    words.noteOf.replace('#', () => entry.title),
  );
  setValue(note, entry.note ?? '');
}

/** Returns paragraphs with the facts and the citation of an item. */
function describe(item: SavedItem, hasHint: boolean, { words, citing, lookup }: RowContext): HTMLElement[] {
  const facts = [item.kind, item.date, item.collection].filter((fact) => fact !== '').join(' · ');
  // Of the rights, the statement without its explanation.
  const details = [item.creator, item.place, item.rights?.split(VALUE_SEPARATOR)[0]].filter(Boolean).join(' · ');
  const citation = savedCitation(item, chosenStyle());
  const isMissing = lookup.isMissing(item);
  // Of an item that was saved in a list of a copy on a drive, only the page has the citations.
  const short = citation !== undefined || canFetch() || isMissing ? [] : [plainCitation(item, citing)];
  const hint = isMissing ? [words.missing] : short.length === 0 || !hasHint ? [] : [words.shortCitation];
  const paragraph = (className: string) => (text: string) => createElement('p', { className }, text);
  return [
    ...[facts, details].filter(Boolean).map(paragraph('fine')),
    ...[citation ?? [], ...short].flat().map(paragraph('saved-citation')),
    ...hint.map(paragraph('fine where-saved')),
  ];
}

/** Makes a field as high as its text. */
export function fitHeight(field: HTMLTextAreaElement): void {
  field.style.blockSize = '';
  if (field.value !== '') field.style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}
