/** Shows notes beside their marks: in a wide window all of them, else one at a time. Without scripts, marks lead to a list. */
import { decodePercent } from '../../model/text/percent.ts';
import { createElement } from '../browser/create-element.ts';

/** Pixels between a mark and its note, and between the note and the edge of the window. */
const GAP = 8;

const marks = [...document.querySelectorAll<HTMLAnchorElement>('.prose a[href^="#"]')].filter(({ hash }) => noteOf(hash));
if (marks.length > 0 && 'popover' in HTMLElement.prototype) setUpNotes();
const top = document.querySelector('.guide-top');
if (marks.length > 0 && top) setUpSideNotes(top);

/** Returns the note to which a link leads: an entry of a list. */
function noteOf(hash: string): Element | undefined {
  return document.getElementById(decodePercent(hash.slice(1)))?.closest('.prose li[id]') ?? undefined;
}

function setUpNotes(): void {
  const box = createElement('aside', { className: 'note-box prose', popover: 'auto', tabIndex: -1 });
  box.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="#"]')) box.hidePopover();
  });
  for (const mark of marks)
    mark.addEventListener('click', (event) => {
      const note = noteOf(mark.hash);
      if (!note || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // The next Tab leaves the note for what follows its mark.
      mark.after(box);
      box.replaceChildren(...contentOf(note, mark));
      box.setAttribute('aria-label', mark.textContent ?? '');
      box.showPopover();
      place(box, mark);
      box.focus({ preventScroll: true });
    });
}

/** Returns a copy of a note without its ways back and IDs, with a link to the list of notes. */
function contentOf(note: Element, mark: HTMLAnchorElement): Array<Node | string> {
  const copy = note.cloneNode(true) as Element;
  const isBack = ({ hash }: HTMLAnchorElement) => document.getElementById(decodePercent(hash.slice(1)))?.contains(mark) ?? false;
  for (const back of [...copy.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].filter(isBack)) back.remove();
  for (const element of copy.querySelectorAll('[id]')) element.removeAttribute('id');
  return [createElement('a', { href: mark.hash }, mark.textContent), ' ', ...copy.childNodes];
}

/** Places the note below its mark, or above if there is no space. */
function place(box: HTMLElement, mark: Element): void {
  const { left, top, bottom } = mark.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const x = Math.max(GAP, Math.min(left, innerWidth - width - GAP));
  const isBelow = bottom + GAP + height <= innerHeight || top < height + GAP;
  box.style.setProperty('inset-inline-start', 'auto');
  box.style.setProperty('left', `${x + scrollX}px`);
  box.style.setProperty('top', `${(isBelow ? bottom + GAP : top - GAP - height) + scrollY}px`);
}

/** Puts each note beside its first mark, or below what is there already: the facts, or the note before it. */
function setUpSideNotes(top: Element): void {
  const column = createElement('div', { className: 'side-notes' });
  const first = new Map(marks.map((mark) => [mark.hash, mark] as const).reverse());
  const notes = marks
    .filter((mark) => first.get(mark.hash) === mark)
    .map((mark) => {
      const aside = createElement('aside', { className: 'side-note' }, ...contentOf(noteOf(mark.hash) as Element, mark));
      column.append(aside);
      return { mark, aside };
    });
  top.append(column);
  const sideEnd = top.querySelector('.guide-side')?.lastElementChild;
  const arrange = () => {
    const { top: start, bottom: end } = top.getBoundingClientRect();
    let free = sideEnd ? sideEnd.getBoundingClientRect().bottom - start + 2 * GAP : 0;
    for (const { mark, aside } of notes) {
      const y = Math.max(free, mark.getBoundingClientRect().top - start);
      aside.hidden = false; // to be measured
      aside.hidden = start + y + aside.offsetHeight > end;
      aside.style.setProperty('top', `${y}px`);
      if (!aside.hidden) free = y + aside.offsetHeight + GAP;
    }
  };
  new ResizeObserver(arrange).observe(top);
}
