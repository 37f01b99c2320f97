/** Kiosk mode: the attract screen after a timeout, no dragging or context menus, an on-screen keyboard, QR codes of moments. */
import { cached } from '../../formats/cached.ts';
import { writeMoment } from '../../formats/moments.ts';
import { loadScript } from '../browser/load-script.ts';
import { currentPlace, type Place, sendToPlace, takePlace } from '../browser/page-place.ts';
import { deleteFromWindow, readWindow, unlessDenied, writeWindow } from '../browser/window-storage.ts';
import { SEEN_WARNINGS } from '../parts/covers.ts';
import { LATIN_CHOSEN, type TypedField } from './kiosk-scripts.ts';

const ATTRACT_PAGE = 'attract.html';
/** Prefix of preferences in the browser's storage. */
const PREFERENCES = 'microfiche-';
/** Set after a physical key was pressed: this kiosk has a keyboard. */
const HAS_KEYBOARD_KEY = 'microfiche-has-keys';

const root = document.documentElement;
const rootPath = root.dataset['top'] ?? '';
const loadOnce = cached<void>(2, (name) => loadScript(`${rootPath}assets/${name}`));
/** Calls a function once one of the kiosk's further scripts is loaded; after a failure, the next call loads it again. */
const withScript = (name: string, use: () => void) => void loadOnce(name).then(use, (error: unknown) => console.warn(error));

/** The pages on the visitor’s way, except those of items; the last one is at the end. */
const CAME_FROM = 'microfiche-came-from';
const MAX_PAGES = 10;

/** A page on the way. Without a title, it is a search. */
type WayPage = Place & Record<'href' | 'title', string>;

/** Shows the way back on a page that has a place for it, and remembers the page unless it is that of an item. */
function setUpKioskWay(): void {
  const link = document.querySelector<HTMLAnchorElement>('.kiosk-back');
  const way = JSON.parse(readWindow(CAME_FROM) || '[]') as WayPage[];
  const at = way.findIndex(({ href }) => href === location.href);
  const before = at === -1 ? way : way.slice(0, at);
  if (link) showWay(link, before[before.length - 1]);
  if (link?.dataset['item'] !== undefined) return;
  // The search page changes its address as the visitor types.
  addEventListener('pagehide', () => {
    const page: WayPage = { href: location.href, title: titleOfPage(), ...currentPlace() };
    writeWindow(CAME_FROM, JSON.stringify([...before, page].slice(-MAX_PAGES)));
  });
  // The search page has results first.
  const place = document.getElementById('results') ? undefined : takePlace();
  if (place) scrollTo(0, place.top);
}

function titleOfPage(): string {
  if (document.getElementById('results') && location.search !== '') return '';
  const heading = document.querySelector('h1');
  const texts = [...(heading?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.count')));
  return texts
    .map(({ textContent }) => textContent ?? '')
    .join('')
    .trim();
}

function showWay(link: HTMLAnchorElement, page: WayPage | undefined): void {
  if (!page) return;
  const { href, title } = page;
  link.href = href;
  const { results = '', list = '' } = link.dataset;
  link.textContent = title === '' ? results : list.replace('#', () => title);
  link.hidden = false;
  link.addEventListener('click', () => sendToPlace(href, page));
}

/** What the style of a kiosk shows as an open panel (src/site/styles/touch-screen.css). */
const IS_OPEN = 'data-is-open';

/** Makes the buttons of popovers work if the engine does not. A panel sends `beforetoggle` before it opens, as a popover does. */
function setUpPanels(): void {
  if ('popover' in HTMLElement.prototype) return;
  let opened: HTMLElement | undefined;
  const close = () => {
    opened?.removeAttribute(IS_OPEN);
    opened = undefined;
  };
  const open = (panel: HTMLElement) => {
    panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }));
    panel.setAttribute(IS_OPEN, '');
    opened = panel;
  };
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest('button[popovertarget]');
    const panel = button && document.getElementById(button.getAttribute('popovertarget') ?? '');
    if (!panel && opened?.contains(target)) return;
    const isOpened = opened;
    close();
    if (panel && panel !== isOpened && !button.hasAttribute('popovertargetaction')) open(panel);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
}

document.addEventListener('contextmenu', (event) => event.preventDefault());
document.addEventListener('dragstart', (event) => event.preventDefault());
if (location.pathname.endsWith(`/${ATTRACT_PAGE}`)) {
  deletePreferences(); // the next visitor has others
  startOnTouch();
} else {
  setUpKioskWay();
  setUpPanels();
  returnWhenIdle();
  offerKeyboard();
  offerMoment();
}

/** Opens the home page at any touch or key, in the language that was chosen. */
function startOnTouch(): void {
  const start = (event: Event) => {
    const touched = event.target instanceof Element ? event.target.closest('a') : null;
    event.preventDefault(); // otherwise the link that was touched would load the page again
    location.href = (touched ?? document.querySelector<HTMLAnchorElement>('.attract-begin'))?.href ?? 'index.html';
  };
  addEventListener('click', start);
  addEventListener('keydown', (event) => {
    const isChoosing = event.key === 'Tab' || event.key === 'Shift';
    if (!isChoosing) start(event);
  });
}

function returnWhenIdle(): void {
  let lastActivity = Date.now();
  const onActivity = () => {
    lastActivity = Date.now();
  };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'input'])
    addEventListener(event, onActivity, { passive: true, capture: true });
  const timeoutMs = Number(root.dataset['kiosk']) * 60_000;
  setInterval(
    () => {
      // A visitor who listens to a recording does not touch anything.
      if ([...document.querySelectorAll('video, audio')].some((player) => !(player as HTMLMediaElement).paused)) onActivity();
      if (Date.now() - lastActivity < timeoutMs) return;
      location.href = rootPath + ATTRACT_PAGE;
    },
    Math.min(1000, timeoutMs / 4),
  );
}

/** Deletes the preferences of the last visitor and the way back, and covers again what content warnings are about. */
function deletePreferences(): void {
  // If the browser denies storage, there are none.
  const names = unlessDenied(() => Object.keys(localStorage)) ?? [];
  for (const name of names) if (name.startsWith(PREFERENCES)) localStorage.removeItem(name);
  for (const name of [SEEN_WARNINGS, CAME_FROM, LATIN_CHOSEN]) deleteFromWindow(name);
}

function offerKeyboard(): void {
  let close: (() => void) | undefined;
  addEventListener('keydown', ({ isTrusted, key }) => {
    if (!isTrusted || key === 'Unidentified') return;
    close?.();
    close = undefined;
    writeWindow(HAS_KEYBOARD_KEY, 'yes');
  });
  document.addEventListener('focusin', ({ target }) => {
    // If the browser denies storage, the keyboard is offered on each page.
    if (!(target instanceof Element) || !isTypedIn(target) || readWindow(HAS_KEYBOARD_KEY) === 'yes') return;
    withScript('keyboard.js', () => {
      if (document.activeElement === target) close = window.microficheKeyboard?.(target);
    });
  });
}

/** Whether an element is a field into which a visitor types: words, or a year. */
function isTypedIn(element: Element): element is TypedField {
  return element.matches('[type="search"], [inputmode="numeric"], .know [type="text"], textarea:not([readonly])');
}

/** Lets a phone open the moment at which the recording is, if the address is that of this site. */
function offerMoment(): void {
  const button = document.querySelector('.for-phone[data-moments] button');
  const panel = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  const player = document.querySelector<HTMLMediaElement>('video.player, audio.player');
  const address = panel?.querySelector('.address')?.textContent;
  if (!panel || !player || !address) return;
  panel.addEventListener('beforetoggle', (event) => {
    if (event.newState !== 'open') return;
    const start = Math.floor(player.currentTime);
    const url = start === 0 ? address : address + writeMoment({ start, end: undefined });
    withScript('phone-code.js', () => window.microfichePhoneCode?.(panel, url));
  });
}
