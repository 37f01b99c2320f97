/**
 * The buttons that save records in the browser: on the page of a record, and on each record in a list or among search results.
 * And the link in the masthead with the number of saved items.
 */
import { createElement } from '../browser/create-element.ts';
import { createSvgElement } from '../browser/svg-element.ts';
import { encodeValue } from './encoded-value.ts';
import { hasStoragePerPage, openSavedItems, SAVED_EVENT, type SavedItem, type SavedItems } from './saved-items.ts';
import { LISTED_RECORDS, readListedRecord, readRecordPage } from './saved-records.ts';

/** Sets up the buttons of the page, and of what scripts add. `top` is the site's top URL. A kiosk, being shared, has none. */
export function setUpSaving(top: string): void {
  const link = document.querySelector<HTMLAnchorElement>('.saved-link');
  if (!link) return;
  const items = openSavedItems(top);
  const showRecord = setUpRecordButton(items, link);
  const show = () => {
    const ids = items.ids();
    const saved = new Set(ids);
    const count = link.querySelector('.count');
    if (count) count.textContent = ids.length === 0 ? '' : String(ids.length);
    showRecord(saved);
    for (const button of document.querySelectorAll<HTMLElement>('.save-item'))
      button.setAttribute('aria-pressed', String(saved.has(button.dataset['id'] ?? '')));
  };
  addButtons(document, items, link);
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
    const isAny = added.map((element) => addButtons(element.parentElement ?? element, items, link)).includes(true);
    if (isAny) show();
  }).observe(document.getElementById('main') ?? document.body, { childList: true, subtree: true });
  // `storage` is another page, and `pageshow` this one after the reader has returned to it.
  for (const event of [SAVED_EVENT, 'storage', 'pageshow']) addEventListener(event, show);
  show();
}

/** Saves an item. `link` leads to the saved items. Returns false if the list is full. */
export function addItem(item: SavedItem, items: SavedItems, link: HTMLAnchorElement): boolean {
  if (!hasStoragePerPage()) return items.add(item);
  location.href = `${link.href}#add=${encodeValue(item)}`;
  return true;
}

/** Saves or removes an item. Returns false if the list is full. */
function toggle(item: SavedItem, items: SavedItems, link: HTMLAnchorElement): boolean {
  if (hasStoragePerPage() || !items.ids().includes(item.id)) return addItem(item, items, link);
  // What a reader has written is removed where that can be undone.
  if (!items.remove(item.id)) location.href = link.href;
  return true;
}

/** Sets up the button on the page of a record. Returns a function that shows whether it is saved. */
function setUpRecordButton(items: SavedItems, link: HTMLAnchorElement): (saved: ReadonlySet<string>) => void {
  const button = document.querySelector<HTMLButtonElement>('[data-save]');
  const item = readRecordPage(document);
  if (!button || !item) return () => undefined;
  const [saveText, savedText] = [button.textContent ?? '', button.dataset['saved'] ?? ''];
  button.hidden = false;
  button.addEventListener('click', () => {
    if (!toggle(item, items, link)) button.textContent = button.dataset['full'] ?? '';
  });
  if (items.ids().includes(item.id)) items.update(item); // a list may have saved less
  return (saved) => {
    const isSaved = saved.has(item.id);
    button.textContent = isSaved ? savedText : saveText;
    button.setAttribute('aria-pressed', String(isSaved));
  };
}

/** Adds a button to each record in the lists of an element. Returns whether there was any without one. */
function addButtons(root: ParentNode, items: SavedItems, link: HTMLAnchorElement): boolean {
  const records = [...root.querySelectorAll<HTMLElement>(LISTED_RECORDS)].filter((each) => !each.querySelector('.save-item'));
  for (const record of records) {
    const item = readListedRecord(record);
    if (item) record.append(createButton(item, items, link));
  }
  return records.length > 0;
}

function createButton(item: SavedItem, items: SavedItems, link: HTMLAnchorElement): HTMLButtonElement {
  const label = (link.dataset['saveItem'] ?? '').replace('#', () => item.title);
  const path = createSvgElement('path', { d: link.querySelector('path')?.getAttribute('d') ?? '' });
  const icon = createSvgElement('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, path);
  const names = { title: label, ariaLabel: label, ariaPressed: 'false', dataset: { id: item.id } };
  const button = createElement('button', { type: 'button', className: 'save-item', ...names }, icon);
  button.addEventListener('click', () => {
    if (!toggle(item, items, link)) showFull(button, link.dataset['full'] ?? '');
  });
  return button;
}

/** Milliseconds. */
const NOTE_TIME = 6_000;

/** Shows for some seconds below a button that the list is full. */
function showFull(button: HTMLElement, text: string): void {
  const note = createElement('p', { className: 'save-note', role: 'status' });
  button.after(note);
  note.textContent = text;
  setTimeout(() => note.remove(), NOTE_TIME);
}
