/** Exports or saves all results of a search, not only those that are shown. The search page loads it when a reader wants that. */
import type { IndexedResult } from '../../formats/search/result-blocks.ts';
import { createElement } from '../browser/create-element.ts';
import { offerFile } from '../browser/offer-file.ts';
import { canFetch } from '../browser/protocol.ts';
import { chosenStyle } from '../parts/citation-choice.ts';
import { publishedAddress } from '../parts/share.ts';
import { formatNumber, getElement, pageAddress, pageData, valueLabel } from '../search/search-elements.ts';
import type { Results, SearchResult } from '../search/search-engine.ts';
import { dateOf, kindOf } from '../search/search-results.ts';
import { createCiting } from './saved-citations.ts';
import { FORMATS } from './saved-exports.ts';
import { hasStoragePerPage, MAX_ITEMS, openSavedItems, type SavedItem } from './saved-items.ts';
import { mergeEntries, toEntries } from './saved-list.ts';
import { valuesOf } from './saved-lookup.ts';
import { encodeList } from './shared-list.ts';

/** Results that are read at a time. */
const BATCH = 100;

const [button, panel] = [getElement<HTMLButtonElement>('export-all'), getElement('export')];
const status = createElement('span', { className: 'fine', role: 'status' });
const { archive = '', reading = '', saved = '', saveAll = '', list = '' } = panel.dataset;
const archiveTitle = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '';

/** Returns what is exported of a result. A page of the guide or a person is not in the live archive's records. */
function toItem({ url, meta }: IndexedResult): SavedItem {
  const path = url.replace(/^\//, '');
  const [, name = path] = /^objects\/(.+)\.html$/.exec(path) ?? [];
  const isImage = meta.image.startsWith('thumbs/') && !meta.labels?.length;
  const page = publishedAddress() ?? (canFetch() ? location.href : undefined);
  return {
    id: meta.fields.find(([field]) => field === 'id')?.[1] ?? name,
    path,
    title: (meta.kind === 'collection' ? valueLabel('collection', meta.title) : meta.title) || name,
    kind: kindOf(meta),
    date: dateOf(meta),
    collection: meta.collection === undefined ? '' : valueLabel('collection', meta.collection),
    creator: valuesOf(meta, 'creators'),
    place: valuesOf(meta, 'location', 'geography'),
    image: isImage ? meta.image : '',
    citations: {},
    ...(meta.cited ? { cited: meta.cited } : {}),
    ...(name === path ? { source: page === undefined ? archive : new URL(pageAddress(path), page).href } : {}),
  };
}

/** Returns the documents of a result: itself, unless only its segments were found, and these. */
function pagesOf(result: SearchResult): Array<Pick<SearchResult, 'data'>> {
  const isOwn = result.isFound || result.files.length > 0 || result.segments.length === 0;
  return [...(isOwn ? [result] : []), ...result.segments];
}

/** Reads all results of the latest search, and shows the progress. */
async function readAll(results: Results): Promise<SavedItem[]> {
  const items: SavedItem[] = [];
  for (let at = 0; at < results.length; at += BATCH) {
    say(reading, at, results.length);
    const pages = results.slice(at, at + BATCH).flatMap(pagesOf);
    items.push(...(await Promise.all(pages.map(async (page) => toItem(await page.data())))));
  }
  return items;
}

function say(pattern: string, ...numbers: number[]): void {
  status.textContent = pattern.replace(/#+/g, (sign) => formatNumber(numbers[sign.length - 1] ?? 0));
}

/** Creates a button that does something with all results. */
function createAction(label: string, act: (items: SavedItem[]) => void): HTMLButtonElement {
  const onclick = () => {
    const results = window.microficheResults?.();
    if (!results) return;
    void readAll(results)
      .then((items) => {
        status.textContent = '';
        act(items);
      })
      .catch((error: unknown) => {
        console.warn(error);
        status.textContent = pageData.words.notLoaded;
      });
  };
  return createElement('button', { type: 'button', className: 'quiet', onclick }, label);
}

/** Adds all to the saved items, as far as there is space for them. */
function save(items: SavedItem[]): void {
  const link = document.querySelector<HTMLAnchorElement>('.saved-link');
  const own = openSavedItems(pageData.root);
  const listed = toEntries(items);
  if (hasStoragePerPage() && link) {
    location.href = `${link.href}#list=${encodeList(listed)}`;
    return;
  }
  const { entries, refused } = mergeEntries(toEntries(own.stored()), listed);
  if (own.write(entries)) say(saved, listed.length - refused.length, items.length, MAX_ITEMS);
  else status.textContent = link?.dataset['full'] ?? '';
}

/** Returns how the list of results cites: its title has the words of the query. */
function createResultCiting() {
  const [heading, words] = [document.querySelector('h1')?.textContent ?? '', getElement<HTMLInputElement>('q').value.trim()];
  return createCiting(
    { title: words === '' ? heading : `${heading}: ${words}`, archive: archiveTitle, clipTimes: '' },
    archive,
    pageData,
  );
}

function toggle(): void {
  panel.hidden = !panel.hidden;
  button.setAttribute('aria-expanded', String(!panel.hidden));
}

panel.append(
  createAction(saveAll, save),
  ...Object.values(FORMATS).map(({ label, extension, type, format }) =>
    createAction(label || list, (items) =>
      offerFile(`search-results.${extension}`, type, format(items, createResultCiting(), chosenStyle())),
    ),
  ),
  status,
);
button.onclick = toggle;
toggle();
