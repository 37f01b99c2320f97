/** The texts beside a recording: tabs, search within the shown text, and terms of the glossary. */
import { findText } from '../../formats/search/fold-text.ts';
import { BACK_KEY, FORWARD_KEY } from '../browser/arrow-keys.ts';
import { createElement } from '../browser/create-element.ts';
import { whenFolding } from '../browser/load-east-asian.ts';
import { explainTerms } from './glossary-terms.ts';
import { clearMarks, markAll } from './marked-text.ts';

/** What the document hears after a search within the shown text has marked its matches, or shows another one. */
export const FOUND_EVENT = 'found-in-text';

/** Texts of a page. */
export type RecordingTexts = NonNullable<ReturnType<typeof setUpRecordingTexts>>;

/** Sets up the texts of the page; undefined if it has none. */
export function setUpRecordingTexts() {
  const root = document.querySelector<HTMLElement>('.texts');
  if (!root) return undefined;
  const panels = [...root.querySelectorAll<HTMLElement>('section.text')];
  const tabs = [...root.querySelectorAll<HTMLElement>('[role="tab"]')];
  const onShow: Array<() => void> = [];
  const show = (at: number) => {
    for (const [i, panel] of panels.entries()) panel.toggleAttribute('data-current', i === at);
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
    }
    const isFollowed = root.querySelector<HTMLInputElement>('.follow input')?.checked !== false;
    if (isFollowed) panels[at]?.querySelector('[data-spoken]')?.scrollIntoView({ block: 'nearest' });
    root.querySelector('.follow')?.classList.toggle('idle', !panels[at]?.hasAttribute('data-timed'));
    for (const act of onShow) act();
  };
  setUpTabs(tabs, show);
  show(0);
  explainTerms(panels);
  const find = setUpFind(root);
  onShow.push(() => find?.again());
  return {
    /** Shows the text that contains an element. */
    reveal(element: Element) {
      const at = panels.findIndex((panel) => panel.contains(element));
      if (at !== -1 && !panels[at]?.hasAttribute('data-current')) show(at);
    },
    /** Returns the element that contains some words: a caption, or a paragraph of another text. */
    findQuote(quote: string) {
      const words = quote.split(' ');
      // The end of a quote may be from another text.
      for (const count of [words.length, 3]) {
        const found = findQuote(panels, words.slice(0, count).join(' '));
        if (found) return found;
      }
      return undefined;
    },
    /** Searches the shown text for words, and goes to the first match in an element. */
    search: (words: string, within?: Element) => find?.search(words, within),
  };
}

/** Tabs as the ARIA practices describe them: arrow keys select one, Home and End the first and the last. */
function setUpTabs(tabs: readonly HTMLElement[], show: (at: number) => void): void {
  for (const [i, tab] of tabs.entries()) {
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    panel?.setAttribute('role', 'tabpanel');
    panel?.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => show(i));
    tab.addEventListener('keydown', (event) => {
      const last = tabs.length - 1;
      const at = { [BACK_KEY]: i === 0 ? last : i - 1, [FORWARD_KEY]: i === last ? 0 : i + 1, Home: 0, End: last }[event.key];
      if (at === undefined) return;
      event.preventDefault();
      show(at);
      tabs[at]?.focus();
    });
  }
}

/** Makes the search field mark all matches in the shown text; Enter goes to the next. Undefined if there is no such field. */
function setUpFind(root: HTMLElement) {
  const input = root.querySelector<HTMLInputElement>('.texts-find input');
  const status = root.querySelector<HTMLElement>('.texts-find [role="status"]');
  if (!input || !status) return undefined;
  let marks: HTMLElement[] = [];
  let at = 0;
  const goTo = (next: number) => {
    if (marks.length > 0) showMatch(next);
    document.dispatchEvent(new Event(FOUND_EVENT));
  };
  const showMatch = (next: number) => {
    marks[at]?.classList.remove('current');
    at = (next + marks.length) % marks.length;
    const mark = marks[at] as HTMLElement;
    mark.classList.add('current');
    mark.scrollIntoView({ block: 'nearest' });
    const { matches = '' } = root.dataset;
    status.textContent = matches.replace('#', String(at + 1)).replace('#', String(marks.length));
  };
  const find = () => {
    clearMarks(root);
    const body = root.querySelector('section.text[data-current] .text-body');
    const typed = input.value.trim();
    marks = body && typed !== '' ? markAll(body, typed) : [];
    at = 0;
    status.textContent = typed !== '' && marks.length === 0 ? (root.dataset['none'] ?? '') : '';
    if (typed !== '' && marks.length === 0) status.append(...linksToOthers(root, typed));
    goTo(0);
  };
  input.addEventListener('input', () => whenFolding(input.value, find));
  for (const button of root.querySelectorAll<HTMLElement>('[data-match]'))
    button.addEventListener('click', () => goTo(at + Number(button.dataset['match'])));
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    goTo(at + (event.shiftKey ? -1 : 1));
  });
  return {
    /** Searches for the same words, after another text was shown. */
    again() {
      if (input.value !== '') find();
    },
    search(words: string, within?: Element) {
      input.value = words;
      whenFolding(words, () => {
        find();
        const first = marks.findIndex((mark) => within?.contains(mark));
        goTo(Math.max(0, first));
      });
    },
  };
}

/** Returns buttons that open the other texts in which words are, with the number of matches. */
function linksToOthers(root: HTMLElement, typed: string): Array<Node | string> {
  return [...root.querySelectorAll<HTMLElement>('[role="tab"][aria-selected="false"]')].flatMap((tab) => {
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    const count = findText(panel?.querySelector('.text-body')?.textContent ?? '', typed).length;
    if (count === 0) return [];
    const words = `${tab.textContent?.trim()} (${count})`;
    return [' ', createElement('button', { type: 'button', className: 'quiet', onclick: () => tab.click() }, words)];
  });
}

function findQuote(panels: readonly HTMLElement[], quote: string): HTMLElement | undefined {
  for (const panel of panels) {
    const lines = [...panel.querySelectorAll<HTMLElement>('.cues > li, .prose > *, .glossary > p')];
    const texts = lines.map((line) => (line.querySelector('.cue-line') ?? line).textContent?.trim().replace(/\s+/g, ' ') ?? '');
    const [start] = findText(texts.join(' '), quote)[0] ?? [];
    if (start === undefined) continue;
    let end = 0;
    return lines.find((_, i) => {
      end += (texts[i]?.length ?? 0) + 1;
      return start < end;
    });
  }
  return undefined;
}
