/** The script of the page with saved items. */
import { copyText } from '../browser/copy-text.ts';
import { createElement } from '../browser/create-element.ts';
import { offerFile } from '../browser/offer-file.ts';
import { canFetch } from '../browser/protocol.ts';
import { pageHref, type SitePlace, setThumbnail } from '../browser/site-files.ts';
import { chosenStyle, setUpStyleChoice } from '../parts/citation-choice.ts';
import { pageAddress, publishedAddress } from '../parts/share.ts';
import { type ComparisonWords, setUpComparison } from './compare-items.ts';
import { type Citing, FORMATS, formatCitations, plainCitation, savedCitation } from './saved-exports.ts';
import { hasStoragePerPage, openSavedItems, type SavedItem } from './saved-items.ts';
import { createSavedLookup, type LookupData } from './saved-lookup.ts';
import { readRecordPage, VALUE_SEPARATOR } from './saved-records.ts';
import { decodeItem, decodeList, encodeList } from './shared-list.ts';

/** The data that the page passes to its script. */
interface PageData extends SitePlace, LookupData {
  /** URL of the live archive, in which each record has a page below its ID. */
  archive: string;
  archiveTitle: string;
  words: ComparisonWords & {
    /** `#` becomes a title. */
    remove: string;
    /** Below a citation in no style. */
    shortCitation: string;
  };
}

const byId = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;
const { words, archive, archiveTitle, hasNotices, rights, ...place } = JSON.parse(byId('said').textContent ?? '{}') as PageData;
const items = openSavedItems(place.root);
const lookup = createSavedLookup(place.root, { hasNotices, rights });
const comparison = setUpComparison(words, place, lookup.imageOf);

/** An item's address that others can open: its page on the web, or if the copy is not published, in the live archive. */
function addressOf(item: SavedItem): string {
  const published = publishedAddress() ?? (canFetch() ? location.href : undefined);
  if (published !== undefined) return new URL(pageHref(item.path, place), published).href;
  return liveAddressOf(item);
}

function liveAddressOf({ id, source }: SavedItem): string {
  return source ?? `${archive}/${encodeURIComponent(id)}/`;
}

const citing: Citing = { archive: archiveTitle, addressOf, liveAddressOf };

/** Shows what is known of an item in its row. The controls of the row stay as they are. */
function fillRow(row: HTMLLIElement, item: SavedItem, isOwn: boolean): void {
  const facts = [item.kind, item.date, item.collection].filter((fact) => fact !== '').join(' · ');
  // Of the rights, the statement without its explanation.
  const details = [item.creator, item.place, item.rights?.split(VALUE_SEPARATOR)[0]].filter(Boolean).join(' · ');
  const citation = savedCitation(item, chosenStyle());
  // Of an item that was saved in a list of a copy on a drive, only the page has the citations.
  const short = citation !== undefined || canFetch() ? [] : [plainCitation(item, citing)];
  const note = short.length === 0 || !isOwn ? [] : [words.shortCitation];
  const paragraph = (className: string) => (text: string) => createElement('p', { className }, text);
  const paragraphs = [
    ...[facts, details].filter(Boolean).map(paragraph('fine')),
    ...[citation ?? [], ...short].flat().map(paragraph('saved-citation')),
    ...note.map(paragraph('fine where-saved')),
  ];
  row.querySelector('.saved-facts')?.replaceChildren(...paragraphs);
  const [link, image, removeButton] = [row.querySelector('a'), row.querySelector('img'), row.querySelector('button')];
  if (link) link.textContent = item.title;
  if (image) setThumbnail(image, lookup.imageOf(item), place);
  const label = words.remove.replace('#', () => item.title);
  removeButton?.setAttribute('aria-label', label);
}

function createRow(item: SavedItem, onRemove?: () => void): HTMLLIElement {
  const image = createElement('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
  const link = createElement('a', { href: pageHref(item.path, place) });
  const text = createElement('div', {}, link, createElement('div', { className: 'saved-facts' }));
  const row = createElement('li', {}, createElement('span', { className: 'card-picture' }, image), text);
  row.dataset['id'] = item.id;
  if (onRemove) {
    text.append(comparison.createBox(item));
    const button = createElement('button', { type: 'button', className: 'quiet' }, '×');
    button.addEventListener('click', onRemove);
    row.append(button);
  }
  fillRow(row, item, onRemove !== undefined);
  return row;
}

function show(): void {
  const list = items.list();
  const shared = sharedItems.map((item) => createRow(item));
  byId('shared')
    .querySelector('ol')
    ?.replaceChildren(...shared);
  byId('count').textContent = list.length === 0 ? '' : String(list.length);
  byId('none').hidden = list.length > 0 || !byId('shared').hidden;
  byId('bar').hidden = list.length === 0;
  byId('saved').replaceChildren(
    ...list.map((item, i) =>
      createRow(item, () => {
        change(() => items.remove(item.id));
        const rows = byId('saved').querySelectorAll<HTMLElement>('button');
        (rows[Math.min(i, rows.length - 1)] ?? document.querySelector<HTMLElement>('h1 ~ #own a'))?.focus();
      }),
    ),
  );
  comparison.update(list);
  showShortNote(list);
}

/** Shows below the formats that some items are exported with less, as long as that is so. */
function showShortNote(list: readonly SavedItem[]): void {
  byId('short-exports').hidden = canFetch() || list.every((item) => savedCitation(item) !== undefined);
}

/**
 * Adds to items what lists do not say, such as citations and rights, and shared lists neither. On file://,
 * where no page can be read, the index has most of it.
 */
async function completeItems(): Promise<void> {
  let isChanged = false;
  for (const item of items.list()) {
    if (item.rights !== undefined) continue;
    const complete = canFetch() ? await readItem(item) : lookup.complete(item);
    if (complete?.id !== item.id || !items.has(item.id)) continue;
    items.add(complete);
    isChanged = true;
  }
  if (isChanged) showAgain();
}

async function readItem({ path }: SavedItem): Promise<SavedItem | undefined> {
  const html = await (await fetch(pageHref(path, place))).text();
  return readRecordPage(new DOMParser().parseFromString(html, 'text/html'));
}

/** Shows what is known now of the items in the list. Their rows stay: a reader may be at one of them. */
function showAgain(): void {
  const saved = new Map(items.list().map((item) => [item.id, item]));
  const shared = new Map(sharedItems.map((item) => [item.id, item]));
  for (const row of document.querySelectorAll<HTMLLIElement>('#saved li, #shared li')) {
    const isOwn = row.parentElement?.id === 'saved';
    const item = (isOwn ? saved : shared).get(row.dataset['id'] ?? '');
    if (item) fillRow(row, item, isOwn);
  }
  comparison.update([...saved.values()]);
  showShortNote([...saved.values()]);
}

/** Looks the items up if their images or facts depend on it, and completes them. */
async function updateItems(): Promise<void> {
  const all = [...items.list(), ...sharedItems];
  const unsure = all.filter(({ image, rights: own }) => (hasNotices && image !== '') || (own === undefined && !canFetch()));
  if (unsure.length > 0) {
    await lookup.load(unsure).catch((error: unknown) => console.warn(error)); // over HTTP, the pages are enough for the facts
    if (hasNotices) showAgain();
  }
  await completeItems();
}

function startUpdating(): void {
  void updateItems().catch(() => undefined); // without a network, the items stay as they are
}

/** Those of another person, in the address. */
let sharedItems: SavedItem[] = [];
/** The items that were removed last, and where they were in the list. */
let removedItems: Array<readonly [at: number, item: SavedItem]> = [];

/** Removes items, and offers to undo it. */
function change(remove: () => void): void {
  const before = items.list();
  remove();
  removedItems = [...before.entries()].filter(([, { id }]) => !items.has(id));
  byId('removed').hidden = false;
  show();
}

/** Reads the fragment of the address: an item to add, or the list of another person. */
function readAddress(): void {
  const [, action, text = ''] = /^#(add|list)=([\w-]+)$/.exec(location.hash) ?? [];
  const own = action === 'add' ? decodeItem(text) : undefined;
  // Only a page of this site adds an item like that. Another person's link offers its items.
  const isAdded = own !== undefined && hasStoragePerPage();
  if (isAdded) {
    // A list knows less of an item than its own page, from which it may have been saved before.
    const isLess = own.rights === undefined && items.list().some(({ id, rights }) => id === own.id && rights !== undefined);
    byId('full').hidden = isLess || items.add(own);
    history.replaceState(null, '', location.pathname);
  }
  // What another person sends has no citations and rights: those are read from the pages.
  sharedItems = isAdded ? [] : decodeList(own ? encodeList([own]) : text);
  byId('shared').hidden = sharedItems.length === 0;
  byId('save-shared').onclick = () => {
    byId('removed').hidden = true;
    const refused = sharedItems.filter((item) => !items.has(item.id) && !items.add(item));
    byId('full').hidden = refused.length === 0;
    show();
    startUpdating();
  };
  show();
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-format]')) {
  const { name, type, format } = FORMATS[button.dataset['format'] as keyof typeof FORMATS];
  button.addEventListener('click', () => offerFile(name, type, format(items.list(), citing, chosenStyle())));
}
const copyButton = byId<HTMLButtonElement>('copy-list');
copyButton.addEventListener('click', () => {
  const address = new URL(pageAddress());
  address.hash = `list=${encodeList(items.list())}`;
  void copyText(copyButton, address.href);
});
const citationsButton = byId<HTMLButtonElement>('copy-citations');
citationsButton.addEventListener('click', () => {
  void copyText(citationsButton, formatCitations(items.list(), citing, chosenStyle()));
});
setUpStyleChoice(byId<HTMLSelectElement>('citation-style'), showAgain);
byId('print').addEventListener('click', () => print());
byId('clear').addEventListener('click', () => {
  change(() => items.replace([]));
  byId('undo').focus();
});
byId('undo').addEventListener('click', () => {
  // Others may have been saved meanwhile, on another page.
  const restored = items.list();
  for (const [at, item] of removedItems) if (!items.has(item.id)) restored.splice(at, 0, item);
  items.replace(restored);
  byId('removed').hidden = true;
  show();
  byId('clear').focus();
});
byId('per-page').hidden = !hasStoragePerPage();
addEventListener('hashchange', () => {
  readAddress();
  startUpdating();
});
// `storage` is another page, and `pageshow` this one after the reader has returned to it.
for (const event of ['storage', 'pageshow'])
  addEventListener(event, () => {
    const shown = Array.from(byId('saved').children, (row) => (row as HTMLElement).dataset['id']);
    const stored = items.list().map(({ id }) => id);
    if (shown.join() === stored.join()) return;
    show();
    startUpdating();
  });
readAddress();
startUpdating();
