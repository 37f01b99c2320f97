/** The script of the page with saved items. */
import { copyText } from '../browser/copy-text.ts';
import { offerFile } from '../browser/offer-file.ts';
import { canFetch } from '../browser/protocol.ts';
import { pageHref, type SitePlace } from '../browser/site-files.ts';
import { chosenStyle, setUpStyleChoice } from '../parts/citation-choice.ts';
import { pageAddress } from '../parts/share.ts';
import { type ComparisonWords, setUpComparison } from './compare-items.ts';
import { type FileWords, setUpListFiles } from './list-files.ts';
import { createCiting, formatCitations, itemsOf, savedCitation } from './saved-citations.ts';
import { FORMATS } from './saved-exports.ts';
import { hasStoragePerPage, keyOf, MAX_ITEMS, openSavedItems, type SavedItem } from './saved-items.ts';
import { createHeading, mergeEntries, moveEntry, type SavedEntry, toEntries } from './saved-list.ts';
import { createSavedLookup, type LookupData } from './saved-lookup.ts';
import { readRecordPage } from './saved-records.ts';
import { createRow, fillRow, fitHeight, type RowContext, type RowWords } from './saved-rows.ts';
import { decodeItem, decodeList, encodeList } from './shared-list.ts';

/** The data that the page passes to its script. */
interface PageData extends SitePlace, LookupData {
  /** URL of the live archive, in which each record has a page below its ID. */
  archive: string;
  archiveTitle: string;
  words: ComparisonWords &
    RowWords &
    FileWords & {
      title: string;
      clipTimes: string;
      /** Where something was moved to: `#` of `##`, then `###`, its title. */
      position: string;
    };
}

const byId = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;
const { words, archive, archiveTitle, hasNotices, rights, ...place } = JSON.parse(byId('said').textContent ?? '{}') as PageData;
const items = openSavedItems(place.root);
const entries = () => toEntries(items.stored());
const lookup = createSavedLookup(place.root, { hasNotices, rights });
const comparison = setUpComparison(words, place, lookup.imageOf);
const citing = createCiting({ title: words.title, archive: archiveTitle, clipTimes: words.clipTimes }, archive, place);
const rows: RowContext = {
  ...{ words, place, citing, lookup, move, createBox: comparison.createBox },
  edit(row, parts) {
    const { key = '' } = row.dataset;
    const list = entries();
    const own = list.find((entry) => keyOf(entry) === key);
    if (!own) return false; // removed in another window
    const changed = { ...own, ...parts };
    const next = keyOf(changed);
    if (next !== key && list.some((entry) => keyOf(entry) === next)) return false;
    store(list.map((entry) => (entry === own ? changed : entry)));
    row.dataset['key'] = next;
    Object.assign(row.querySelector<HTMLElement>('[data-compare]')?.dataset ?? {}, { compare: next });
    comparison.update(itemsOf(entries()));
    return true;
  },
  remove(row) {
    const at = rowsOf().indexOf(row);
    change(() => store(entries().filter((entry) => keyOf(entry) !== row.dataset['key'])));
    const buttons = byId('saved').querySelectorAll<HTMLElement>('[data-act="remove"]');
    (buttons[Math.min(at, buttons.length - 1)] ?? document.querySelector<HTMLElement>('h1 ~ #own a'))?.focus();
  },
};

/** Stores the list, and says so if there is no space for it. */
function store(list: readonly SavedEntry[]): void {
  byId('full').hidden = items.write(list);
}

const rowsOf = (): HTMLLIElement[] => [...byId('saved').querySelectorAll('li')];
function show(): void {
  const list = entries();
  const count = itemsOf(list).length;
  byId('shared')
    .querySelector('ol')
    ?.replaceChildren(...sharedEntries.map((entry) => createRow(entry, false, rows)));
  byId('count').textContent = count === 0 ? '' : String(count);
  byId('none').hidden = list.length > 0 || !byId('shared').hidden;
  for (const id of ['bar', 'heading', 'save-file', 'clear']) byId(id).hidden = list.length === 0;
  byId('saved').replaceChildren(...list.map((entry) => createRow(entry, true, rows)));
  fitNotes();
  markEnds();
  comparison.update(itemsOf(list));
  showShortNote(itemsOf(list));
}

function fitNotes(): void {
  for (const note of byId('saved').querySelectorAll('textarea')) fitHeight(note);
}

/** Shows which rows cannot be moved further. They can still be pressed, so that a press too many does not lose the focus. */
function markEnds(): void {
  const all = rowsOf();
  for (const [i, row] of all.entries()) {
    row.querySelector('[data-act="up"]')?.setAttribute('aria-disabled', String(i === 0));
    row.querySelector('[data-act="down"]')?.setAttribute('aria-disabled', String(i === all.length - 1));
  }
}

/** Moves a row by one place. The pressed button keeps the focus, and its position in the window, for the next press. */
function move(row: HTMLLIElement, step: 1 | -1): void {
  const list = entries();
  if (!moveEntry(list, row.dataset['key'] ?? '', step)) return;
  store(list);
  const before = row.getBoundingClientRect().top;
  if (step === 1) row.before(...[row.nextElementSibling ?? []].flat());
  else row.after(...[row.previousElementSibling ?? []].flat());
  scrollBy(0, row.getBoundingClientRect().top - before);
  markEnds();
  const [at, all] = [rowsOf().indexOf(row) + 1, list.length].map(String);
  const title = row.querySelector<HTMLInputElement>('h2 input')?.value ?? row.querySelector('a')?.textContent ?? '';
  byId('said-of-list').textContent = words.position.replace(/#+/g, (sign) => [at, all, title][sign.length - 1] ?? '');
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
  for (const item of itemsOf(entries())) {
    if (item.rights !== undefined) continue;
    const complete = canFetch() ? await readItem(item) : lookup.complete(item);
    isChanged ||= lookup.isMissing(item);
    if (complete?.id !== item.id) continue;
    items.update(complete);
    isChanged = true;
  }
  if (isChanged) showAgain();
}

async function readItem(item: SavedItem): Promise<SavedItem | undefined> {
  const response = await fetch(pageHref(item.path, place));
  if (response.status === 404) lookup.setMissing(item);
  return readRecordPage(new DOMParser().parseFromString(await response.text(), 'text/html'));
}

/** Shows what is known now of the items in the list. Their rows stay: a reader may be at one of them. */
function showAgain(): void {
  const list = entries();
  const byKey = (all: readonly SavedEntry[]) => new Map(all.map((entry) => [keyOf(entry), entry]));
  const [saved, shared] = [byKey(list), byKey(sharedEntries)];
  for (const row of document.querySelectorAll<HTMLLIElement>('#saved li, #shared li')) {
    const isOwn = row.parentElement?.id === 'saved';
    const entry = (isOwn ? saved : shared).get(row.dataset['key'] ?? '');
    if (entry) fillRow(row, entry, isOwn, rows);
  }
  fitNotes();
  comparison.update(itemsOf(list));
  showShortNote(itemsOf(list));
}

/** Looks the items up if their images or facts depend on it, and completes them. */
async function updateItems(): Promise<void> {
  const all = itemsOf([...entries(), ...sharedEntries]);
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
let sharedEntries: SavedEntry[] = [];
/** What was removed last, and where it was in the list. */
let removed: Array<readonly [at: number, entry: SavedEntry]> = [];

/** Removes entries, and offers to undo it. */
function change(remove: () => void): void {
  const before = entries();
  remove();
  const left = new Set(entries().map(keyOf));
  removed = [...before.entries()].filter(([, entry]) => !left.has(keyOf(entry)));
  byId('removed').hidden = false;
  show();
}

/** Adds entries to the list, and says so if there is no space for some. Returns how many were added, and how many were there. */
function merge(others: readonly SavedEntry[]): [added: number, known: number] {
  const own = entries();
  const { refused, ...merged } = mergeEntries(own, others);
  store(merged.entries);
  if (refused.length > 0) byId('full').hidden = false;
  byId('removed').hidden = true;
  show();
  startUpdating();
  const added = entries().length - own.length;
  return [added, others.length - added - refused.length];
}

/** Reads the fragment of the address: an item to add, or the list of another person. */
function readAddress(): void {
  const [, action, text = ''] = /^#(add|list)=([\w-]+)$/.exec(location.hash) ?? [];
  const own = action === 'add' ? decodeItem(text) : undefined;
  // Only a page of this site adds an item like that. Another person's link offers its items.
  const isAdded = own !== undefined && hasStoragePerPage();
  if (isAdded) {
    const same = itemsOf(entries()).find(({ id, rights }) => id === own.id && rights !== undefined);
    // A list knows less of an item than its own page, from which it may have been saved before.
    byId('full').hidden = items.add(own.rights === undefined && same ? { ...same, at: own.at, note: undefined } : own);
    history.replaceState(null, '', location.pathname);
  }
  // What another person sends has no citations and rights: those are read from the pages.
  sharedEntries = isAdded ? [] : decodeList(own ? encodeList([own]) : text);
  byId('shared').hidden = sharedEntries.length === 0;
  byId('save-shared').onclick = () => void merge(sharedEntries);
  show();
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-format]')) {
  const { extension, type, format } = FORMATS[button.dataset['format'] as keyof typeof FORMATS];
  const name = `saved-items.${extension}`;
  button.addEventListener('click', () => offerFile(name, type, format(entries(), citing, chosenStyle())));
}
const copyButton = byId<HTMLButtonElement>('copy-list');
copyButton.addEventListener('click', () => {
  const address = new URL(pageAddress());
  address.hash = `list=${encodeList(entries())}`;
  void copyText(copyButton, address.href);
});
const citationsButton = byId<HTMLButtonElement>('copy-citations');
citationsButton.addEventListener('click', () => {
  void copyText(citationsButton, formatCitations(itemsOf(entries()), citing, chosenStyle()));
});
setUpStyleChoice(byId<HTMLSelectElement>('citation-style'), showAgain);
byId('print').addEventListener('click', () => print());
setUpListFiles({ title: archiveTitle, url: archive }, words, entries, merge);
/** The row at which the reader was last, before which a heading is added. */
let lastRow: Element | null = null;
byId('saved').addEventListener('focusin', ({ target }) => {
  lastRow = target instanceof Element ? target.closest('li') : null;
});
byId('heading').addEventListener('click', () => {
  const [list, made] = [entries(), createHeading()];
  if (list.length >= MAX_ITEMS) return Object.assign(byId('full'), { hidden: false });
  const at = Math.max(0, [...byId('saved').children].indexOf(lastRow ?? document.body));
  store([...list.slice(0, at), made, ...list.slice(at)]);
  show();
  return rowsOf()[at]?.querySelector('input')?.focus();
});
byId('clear').addEventListener('click', () => {
  change(() => store([]));
  byId('undo').focus();
});
byId('undo').addEventListener('click', () => {
  // Others may have been saved meanwhile, on another page.
  const restored = entries();
  const keys = new Set(restored.map(keyOf));
  for (const [at, entry] of removed) if (!keys.has(keyOf(entry))) restored.splice(at, 0, entry);
  store(restored);
  byId('removed').hidden = true;
  show();
  byId('clear').focus();
});
byId('per-page').hidden = !hasStoragePerPage();
addEventListener('resize', fitNotes);
addEventListener('hashchange', () => {
  readAddress();
  startUpdating();
});
// `storage` is another page, and `pageshow` this one after the reader has returned to it.
for (const event of ['storage', 'pageshow'])
  addEventListener(event, () => {
    const shown = rowsOf().map((row) => row.dataset['key']);
    if (shown.join() === entries().map(keyOf).join()) return showAgain();
    show();
    startUpdating();
  });
readAddress();
startUpdating();
