/** The script of the page with saved items. */
import { type ComparisonWords, setUpComparison } from './compare-items.ts';
import { copyText } from './copy-buttons.ts';
import { canFetch } from './protocol.ts';
import { FORMATS } from './saved-exports.ts';
import { hasStoragePerPage, openSavedItems, type SavedItem } from './saved-items.ts';
import { readRecordPage } from './saved-records.ts';
import { pageAddress } from './share.ts';
import { decodeList, encodeList } from './shared-list.ts';
import { pageHref, type SitePlace, setThumbnail } from './site-files.ts';

/** The data that the page passes to its script. */
interface PageData extends SitePlace {
  words: ComparisonWords & {
    /** `#` becomes a title. */
    remove: string;
  };
}

const byId = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;
const { words, ...place } = JSON.parse(byId('said').textContent ?? '{}') as PageData;
const items = openSavedItems(place.root);
const comparison = setUpComparison(words, place);

/** The address of the page of an item that others can open. */
function addressOf({ path }: SavedItem): string {
  return new URL(pageHref(path, place), pageAddress()).href;
}

function createRow(item: SavedItem, onRemove?: () => void): HTMLLIElement {
  const row = document.createElement('li');
  const image = document.createElement('img');
  Object.assign(image, { alt: '', width: 96, height: 72, loading: 'lazy' });
  setThumbnail(image, item.image, place);
  const mat = Object.assign(document.createElement('span'), { className: 'card-picture' });
  mat.append(image);
  const text = document.createElement('div');
  const link = Object.assign(document.createElement('a'), { href: pageHref(item.path, place), textContent: item.title });
  const facts = [item.kind, item.date, item.collection].filter((fact) => fact !== '').join(' · ');
  const citation = item.citations['Chicago'];
  text.append(
    link,
    Object.assign(document.createElement('p'), { className: 'fine', textContent: facts }),
    ...(citation === undefined
      ? []
      : [Object.assign(document.createElement('p'), { className: 'saved-citation', textContent: citation })]),
  );
  row.append(mat, text);
  if (onRemove) {
    text.append(comparison.createBox(item));
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: '×' });
    button.setAttribute(
      'aria-label',
      words.remove.replace('#', () => item.title),
    );
    button.addEventListener('click', onRemove);
    row.append(button);
  }
  return row;
}

function show(): void {
  const list = items.list();
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
}

/** What may have the focus in a list. */
const CONTROLS = 'a, button, input';

/** Adds to items what only their pages have, such as their citations: lists and shared lists have less. */
async function completeItems(): Promise<void> {
  let isChanged = false;
  for (const { id, path, citations } of items.list()) {
    if (Object.keys(citations).length > 0) continue;
    const html = await (await fetch(pageHref(path, place))).text();
    const complete = readRecordPage(new DOMParser().parseFromString(html, 'text/html'));
    if (complete?.id !== id || !items.has(id)) continue;
    items.add(complete);
    isChanged = true;
  }
  if (!isChanged) return;
  const focused = [...byId('saved').querySelectorAll(CONTROLS)].indexOf(document.activeElement as Element);
  show();
  byId('saved').querySelectorAll<HTMLElement>(CONTROLS)[focused]?.focus();
}

/** Completes the items if the browser can read their pages. */
function startCompleting(): void {
  if (canFetch()) void completeItems().catch(() => undefined); // without a network, the items stay as they are
}

/** The items before the last ones were removed. */
let beforeChange: SavedItem[] = [];

/** Removes items, and offers to undo it. */
function change(remove: () => void): void {
  beforeChange = items.list();
  remove();
  byId('removed').hidden = false;
  show();
}

/** Reads the fragment of the address: an item to add, or the list of another person. */
function readAddress(): void {
  const [, action, text = ''] = /^#(add|list)=([\w-]+)$/.exec(location.hash) ?? [];
  const received = decodeList(text);
  // Only a page of this site adds an item like that. Another person's link offers its items.
  const isOwn = action === 'add' && received.length === 1 && hasStoragePerPage();
  if (isOwn) {
    for (const item of received) byId('full').hidden = items.add(item);
    history.replaceState(null, '', location.pathname);
  }
  const shared = isOwn ? [] : received;
  byId('shared').hidden = shared.length === 0;
  byId('shared')
    .querySelector('ol')
    ?.replaceChildren(...shared.map((item) => createRow(item)));
  byId('save-shared').onclick = () => {
    byId('removed').hidden = true;
    const refused = shared.filter((item) => !items.has(item.id) && !items.add(item));
    byId('full').hidden = refused.length === 0;
    show();
    startCompleting();
  };
  show();
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-format]')) {
  const { name, type, format } = FORMATS[button.dataset['format'] as keyof typeof FORMATS];
  button.addEventListener('click', () => download(name, type, format(items.list(), addressOf)));
}
const copyButton = byId<HTMLButtonElement>('copy-list');
copyButton.addEventListener('click', () => {
  const address = new URL(pageAddress());
  address.hash = `list=${encodeList(items.list())}`;
  void copyText(copyButton, address.href);
});
byId('print').addEventListener('click', () => print());
byId('clear').addEventListener('click', () => {
  change(() => items.replace([]));
  byId('undo').focus();
});
byId('undo').addEventListener('click', () => {
  items.replace(beforeChange);
  byId('removed').hidden = true;
  show();
  byId('clear').focus();
});
byId('per-page').hidden = !hasStoragePerPage();
addEventListener('hashchange', readAddress);
readAddress();
startCompleting();
