/** The comparison of two saved items: their images and facts side by side. */
import { createElement } from '../browser/create-element.ts';
import { canFetch } from '../browser/protocol.ts';
import { pageHref, type SitePlace, setThumbnail } from '../browser/site-files.ts';
import { keyOf, type SavedItem } from './saved-items.ts';

/** What the page says of comparisons. In the second one, `#` becomes a title. */
export interface ComparisonWords {
  compare: string;
  compareItem: string;
  /** Labels of the facts that every saved item has. */
  facts: Readonly<Record<'kind' | 'date' | 'collection', string>>;
}

const MAX_CHOSEN = 2;

/** Returns the path of an item’s image; empty if it has none to show. */
type ImageOf = (item: SavedItem) => string;

/** Sets up the comparison of a page that has the elements `comparison`, in which it is shown, and `compare-bar` with a button. */
export function setUpComparison(words: ComparisonWords, place: SitePlace, imageOf: ImageOf) {
  const section = document.getElementById('comparison') as HTMLElement;
  const bar = document.getElementById('compare-bar') as HTMLElement;
  const heading = section.querySelector('h2');
  const openButton = bar.querySelector('button');
  let chosen: string[] = [];
  let saved: readonly SavedItem[] = [];

  function showChoice(): void {
    showBoxes(words, saved, chosen);
    bar.hidden = chosen.length === 0;
    if (openButton) openButton.hidden = chosen.length < MAX_CHOSEN;
    bar.querySelector<HTMLElement>('span')?.toggleAttribute('hidden', chosen.length >= MAX_CHOSEN);
    if (chosen.length < MAX_CHOSEN) section.hidden = true;
    if (!section.hidden) bar.hidden = true;
  }

  openButton?.addEventListener('click', () => {
    const items = chosen.flatMap((key) => saved.find((item) => keyOf(item) === key) ?? []);
    void createTable(items, words, place, imageOf).then((table) => {
      section.querySelector('table')?.remove();
      section.querySelector('div')?.append(table);
      section.hidden = false;
      showChoice();
      heading?.focus();
    });
  });
  section.querySelector('button')?.addEventListener('click', () => {
    section.hidden = true;
    showChoice();
    openButton?.focus();
  });
  return {
    /** Creates the checkbox of an item; `update` ticks and labels it. */
    createBox(item: SavedItem) {
      const box = createElement('input', { type: 'checkbox', dataset: { compare: keyOf(item) } });
      box.addEventListener('change', () => {
        const key = box.dataset['compare'] ?? '';
        // The third one takes the position of the first one.
        chosen = [...chosen.filter((other) => other !== key), ...(box.checked ? [key] : [])].slice(-MAX_CHOSEN);
        section.hidden = true;
        showChoice();
      });
      return createElement('label', { className: 'choice fine' }, box, words.compare);
    },
    /** Shows what is chosen of the items that are saved now. */
    update(items: readonly SavedItem[]) {
      saved = items;
      chosen = chosen.filter((key) => items.some((item) => keyOf(item) === key));
      showChoice();
    },
  };
}

/** Ticks the boxes of the chosen items, and gives each box the title of its item as a label. */
function showBoxes({ compareItem }: ComparisonWords, saved: readonly SavedItem[], chosen: readonly string[]): void {
  const titles = new Map(saved.map((item) => [keyOf(item), item.title]));
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-compare]')) {
    const key = box.dataset['compare'] ?? '';
    box.checked = chosen.includes(key);
    const label = compareItem.replace('#', () => titles.get(key) ?? '');
    box.setAttribute('aria-label', label);
  }
}

/** Creates a table with a column for each item, and a row for each fact. */
async function createTable(
  items: readonly SavedItem[],
  words: ComparisonWords,
  place: SitePlace,
  imageOf: ImageOf,
): Promise<HTMLTableElement> {
  const facts = await Promise.all(items.map((item) => readFacts(item, words, place)));
  const labels = new Set(facts.flatMap((own) => [...own.keys()]));
  const table = createElement('table', { className: 'comparison' });
  const head = table.createTHead().insertRow();
  head.append(document.createElement('td'), ...items.map((item) => createHeader(item, place, imageOf(item))));
  const body = table.createTBody();
  for (const label of labels) {
    const row = body.insertRow();
    row.append(createElement('th', { scope: 'row' }, label));
    for (const own of facts) row.insertCell().textContent = own.get(label) ?? '–';
  }
  return table;
}

function createHeader(item: SavedItem, place: SitePlace, path: string): HTMLTableCellElement {
  const image = createElement('img', { alt: '' });
  setThumbnail(image, path, place);
  return createElement('th', { scope: 'col' }, image, createElement('a', { href: pageHref(item.path, place) }, item.title));
}

/** Returns an item's facts by their labels: from the top of its page if the browser can read it, else the saved ones. */
async function readFacts(item: SavedItem, { facts }: ComparisonWords, place: SitePlace): Promise<Map<string, string>> {
  const kind: Array<[string, string]> = [[facts.kind, item.kind]];
  const others: Array<[string, string]> = [
    [facts.date, item.date],
    [facts.collection, item.collection],
  ];
  const onPage = canFetch() ? await readPageFacts(pageHref(item.path, place)).catch(() => []) : [];
  return new Map([...kind, ...(onPage.length > 0 ? onPage : others)].filter(([, value]) => value !== ''));
}

async function readPageFacts(href: string): Promise<Array<[label: string, value: string]>> {
  const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html');
  const textOf = (element: Element | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return Array.from(page.querySelectorAll('.object-facts .summary-rows > div'), (row) => [
    textOf(row.querySelector('dt')),
    Array.from(row.querySelectorAll('dd'), textOf).join(' · '),
  ]);
}
