/**
 * Shows the pages of a document one at a time. They are turned with the strip, buttons or arrow keys: within the document, and
 * also while nothing has the focus and the document is in view. `#page-2` is the address of a page.
 */
import { BACK_KEY, FORWARD_KEY } from '../browser/arrow-keys.ts';

/** Sets up the document of the page, if it has one with several pages. The style hides all pages but one. */
export function setUpDocumentViewer(): void {
  const viewer = document.querySelector<HTMLElement>('.document');
  const leaves = [...(viewer?.querySelectorAll<HTMLElement>('.leaves > li') ?? [])];
  const position = viewer?.querySelector<HTMLElement>('[data-position]');
  if (!viewer || !position || leaves.length < 2) return;
  const links = [...viewer.querySelectorAll<HTMLAnchorElement>('.strip a')];
  const buttons = [...viewer.querySelectorAll<HTMLButtonElement>('[data-turn]')];
  const text = position.dataset['position'] ?? '';
  let shown = 0;

  const show = (at: number) => {
    shown = at;
    for (const [i, leaf] of leaves.entries()) leaf.toggleAttribute('data-current', i === at);
    for (const [i, link] of links.entries()) {
      if (i === at) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    position.textContent = text.replace('#', leaves[at]?.id.replace('page-', '') ?? '');
    // A button that is disabled would lose the focus.
    for (const button of buttons)
      button.setAttribute('aria-disabled', String(leaves[at + Number(button.dataset['turn'])] === undefined));
  };
  const turnTo = (at: number, keepsAddress = false) => {
    const [leaf, former] = [leaves[at], leaves[shown]];
    if (!leaf) return;
    const hasFocus = former?.contains(document.activeElement) ?? false;
    show(at);
    if (hasFocus) leaf.querySelector<HTMLElement>('a')?.focus();
    if (!keepsAddress) history.replaceState(history.state, '', `#${leaf.id}`);
    scrollStripTo(links[at]);
  };
  const fromAddress = () => leaves.findIndex(({ id }) => `#${id}` === location.hash);

  viewer.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = links.findIndex((each) => target && each.contains(target));
    const turn = target?.closest<HTMLElement>('[data-turn]')?.dataset['turn'];
    if (link === -1 && turn === undefined) return;
    event.preventDefault();
    turnTo(turn === undefined ? link : shown + Number(turn));
  });
  document.addEventListener('keydown', (event) => {
    const at = { [BACK_KEY]: shown - 1, [FORWARD_KEY]: shown + 1, Home: 0, End: leaves.length - 1 }[event.key];
    if (at === undefined || !isFor(viewer, event)) return;
    event.preventDefault();
    turnTo(at);
  });
  // The image viewer was closed at another page, or words were found on it, of which the address stays.
  viewer.addEventListener('viewed', (event) => {
    const at = leaves.findIndex((leaf) => event.target instanceof Node && leaf.contains(event.target));
    if (at === -1 || at === shown) return;
    turnTo(at, event instanceof CustomEvent);
  });
  addEventListener('hashchange', () => {
    const at = fromAddress();
    if (at !== -1) show(at);
  });
  show(Math.max(0, fromAddress()));
}

/** Scrolls the strip, which is a row or a column, to the link of a page. The page itself does not scroll. */
function scrollStripTo(link: HTMLAnchorElement | undefined): void {
  const strip = link?.closest('.strip');
  if (!link || !strip) return;
  const [to, from] = [link.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollBy({ left: to.left - from.left - to.width, top: to.top - from.top - to.height });
}

/** Whether a key turns pages. Home and End belong to the page, unless the focus is in the document. */
function isFor(viewer: HTMLElement, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (event.target instanceof Node && viewer.contains(event.target)) return true;
  return event.key.startsWith('Arrow') && isUnfocused(event.target) && isInView(viewer);
}

/** Whether nothing has the focus. After the link that skips to the content, the content has it. */
function isUnfocused(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.matches('html, main'));
}

/** Whether a part of an element is in the middle half of the window. */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return document.querySelector('dialog[open]') === null && top < innerHeight * 0.75 && bottom > innerHeight * 0.25;
}
