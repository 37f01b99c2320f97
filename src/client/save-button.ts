/** The button that saves the record of the page in the browser. */
import { openSavedItems, type SavedItem } from './saved-items.ts';
import { encodeList } from './shared-list.ts';

/** Sets up the button of the page, if it has one. */
export function setUpSaveButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-save]');
  const link = document.querySelector<HTMLAnchorElement>('.all-saved');
  if (!button || !link) return;
  const items = openSavedItems(button.dataset['root'] ?? '');
  const [save, saved] = [button.textContent ?? '', button.dataset['saved'] ?? ''];
  const item = readItem(button.dataset);
  const show = () => {
    const isSaved = items.has(item.id);
    button.textContent = isSaved ? saved : save;
    button.setAttribute('aria-pressed', String(isSaved));
    const { length } = items.list();
    link.hidden = length === 0;
    link.textContent = (link.dataset['all'] ?? '').replace('#', String(length));
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    if (hasStoragePerPage()) {
      location.href = `${link.href}#add=${encodeList([item])}`;
      return;
    }
    if (items.has(item.id)) items.remove(item.id);
    else if (!items.add(item)) {
      button.textContent = button.dataset['full'] ?? '';
      return;
    }
    show();
  });
  show();
}

/** Whether the browser gives each page on file:// a storage of its own, as Firefox does. Then the page of saved items has to save them itself. */
export function hasStoragePerPage(): boolean {
  return location.protocol === 'file:' && /\bFirefox\//.test(navigator.userAgent);
}

function readItem(data: DOMStringMap): SavedItem {
  const heading = document.querySelector('h1')?.textContent ?? '';
  const rows = document.querySelectorAll('.citations dl > div');
  const citations = Array.from(rows, (row) => [
    row.querySelector('dt')?.textContent ?? '',
    row.querySelector('dd')?.textContent ?? '',
  ]);
  return {
    id: data['save'] ?? '',
    path: data['path'] ?? '',
    title: heading.replace(/\s+/g, ' ').trim(),
    kind: data['kind'] ?? '',
    date: data['date'] ?? '',
    collection: data['collection'] ?? '',
    image: data['image'] ?? '',
    citations: Object.fromEntries(citations) as Record<string, string>,
  };
}
