/** Explains the terms of the glossary in the other texts: the first time that a text uses one, it becomes a button that shows what the term means. */
import { findText } from './fold-text.ts';
import { textNodes, wrap } from './marked-text.ts';

/** Terms that are looked for; a glossary of more than these would slow the page down. */
const MAX_TERMS = 200;
const LETTER = /[\p{L}\p{N}]/u;

/** Marks terms in all texts but the glossary. `panels` are the texts of the page. */
export function explainTerms(panels: readonly HTMLElement[]): void {
  const terms = panels
    .flatMap((panel) => [...panel.querySelectorAll<HTMLElement>('.glossary > div')])
    .flatMap((row) => {
      const [term, meaning] = [row.querySelector('dt')?.textContent?.trim(), row.querySelector('dd')?.textContent?.trim()];
      return term && meaning ? [{ term, meaning }] : [];
    })
    .slice(0, MAX_TERMS);
  if (terms.length === 0) return;
  for (const panel of panels)
    if (panel.dataset['kind'] !== 'glossary') for (const { term, meaning } of terms) explain(panel, term, meaning);
}

/** Marks the first place at which a text uses a term as a word of its own. */
function explain(panel: HTMLElement, term: string, meaning: string): void {
  for (const node of textNodes(panel)) {
    if (node.parentElement?.closest('button, a, .text-file, h2')) continue;
    const found = findText(node.data, term).find(([start, end]) => isWord(node.data, start, end));
    if (!found) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'term';
    button.setAttribute('aria-expanded', 'false');
    button.title = meaning;
    wrap(node, ...found, button);
    button.addEventListener('click', () => toggle(button, meaning));
    return;
  }
}

function isWord(text: string, start: number, end: number): boolean {
  return !LETTER.test(text.charAt(start - 1)) && !LETTER.test(text.charAt(end));
}

function toggle(button: HTMLElement, meaning: string): void {
  const note = button.nextElementSibling;
  if (note?.matches('.term-meaning')) {
    note.remove();
    button.setAttribute('aria-expanded', 'false');
    return;
  }
  const added = document.createElement('span');
  added.className = 'term-meaning';
  added.setAttribute('role', 'note');
  added.textContent = meaning;
  button.after(added);
  button.setAttribute('aria-expanded', 'true');
}
