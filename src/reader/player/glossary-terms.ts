/** Explains glossary terms in the other texts: at its first use, a term becomes a button that shows what it means. */
import { findFolded, foldText } from '../../formats/search/fold-text.ts';
import { createElement } from '../browser/create-element.ts';
import { textNodes, wrap } from './marked-text.ts';

/** Terms that are looked for. */
const MAX_TERMS = 200;
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that write words without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type Term = Record<'term' | 'meaning', string>;

/** Marks terms in all texts but the glossary, as soon as the browser has nothing else to do. `panels`: the page's texts. */
export function explainTerms(panels: readonly HTMLElement[]): void {
  const terms = panels
    .flatMap((panel) => [...panel.querySelectorAll<HTMLElement>('.glossary > p')])
    .flatMap((line): Term[] => {
      const [term, meaning] = [line.querySelector('dfn')?.textContent?.trim(), line.querySelector('span')?.textContent?.trim()];
      return term && meaning ? [{ term, meaning }] : [];
    })
    .slice(0, MAX_TERMS)
    .sort((a, b) => b.term.length - a.term.length); // a term may contain another one
  if (terms.length === 0) return;
  const later = 'requestIdleCallback' in window ? requestIdleCallback : (work: () => void) => setTimeout(work);
  for (const panel of panels) if (panel.dataset['kind'] !== 'glossary') later(() => explain(panel, terms));
}

/** Marks the first place at which a text uses each term. */
function explain(panel: HTMLElement, terms: readonly Term[]): void {
  let left = [...terms];
  for (const node of textNodes(panel)) {
    if (left.length === 0) return;
    if (node.parentElement?.closest('button, a, .text-file, h2')) continue;
    const text = foldText(node.data);
    const places: Array<{ start: number; end: number; term: Term }> = [];
    for (const term of left) {
      const free = ([start, end]: [number, number]) => places.every((other) => end <= other.start || start >= other.end);
      const [start, end] = findFolded(text, term.term).find((range) => free(range) && isWord(node.data, ...range)) ?? [];
      if (start !== undefined && end !== undefined) places.push({ start, end, term });
    }
    // From the end, so that positions before it stay valid.
    for (const { start, end, term } of places.sort((a, b) => b.start - a.start)) wrap(node, start, end, createButton(term));
    left = left.filter((term) => !places.some((place) => place.term === term));
  }
}

/** Whether a part of a text is a word of its own. */
function isWord(text: string, start: number, end: number): boolean {
  const isApart = (inner: string, outer: string) => UNSPACED.test(inner) || !LETTER.test(outer);
  return isApart(text.charAt(start), text.charAt(start - 1)) && isApart(text.charAt(end - 1), text.charAt(end));
}

function createButton({ meaning }: Term): HTMLElement {
  const button = createElement('button', { type: 'button', className: 'term', ariaExpanded: 'false', title: meaning });
  button.addEventListener('click', () => {
    const note = button.nextElementSibling;
    const isShown = note?.matches('.term-meaning') ?? false;
    if (isShown) note?.remove();
    else button.after(createElement('span', { className: 'term-meaning', role: 'note' }, meaning));
    button.setAttribute('aria-expanded', String(!isShown));
  });
  return button;
}
