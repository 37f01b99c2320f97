/** Kiosk mode: returns to the attract screen after the idle timeout, prevents dragging and context menus, offers an on-screen keyboard and QR codes of moments. */
import { cached } from './cached.ts';
import { SEEN_WARNINGS } from './covers.ts';
import { type Closable, LATIN_CHOSEN } from './kiosk-scripts.ts';
import { forgetKioskWay, setUpKioskWay } from './kiosk-way.ts';
import { loadScript } from './load-script.ts';
import { writeMoment } from './moments.ts';
import { setUpPanels } from './panels.ts';
import { deleteFromWindow, readWindow, writeWindow } from './window-storage.ts';

const ATTRACT_PAGE = 'attract.html';
/** Prefix of preferences in the browser's storage. */
const PREFERENCES = 'microfiche-';
/** Set after a physical key was pressed: this kiosk has a keyboard. */
const HAS_KEYBOARD_KEY = 'microfiche-has-keys';

const root = document.documentElement;
const idleMinutes = Number(root.dataset['kiosk']);
const rootPath = root.dataset['top'] ?? '';
/** Loads one of the kiosk's further scripts; after a failure, again at the next call. */
const loadOnce = cached<void>(2, (name) => loadScript(`${rootPath}assets/${name}`));

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
  const timeoutMs = idleMinutes * 60_000;
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
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFERENCES)) localStorage.removeItem(name);
  } catch {
    // the browser denies storage, so there are none
  }
  deleteFromWindow(SEEN_WARNINGS);
  forgetKioskWay();
  deleteFromWindow(LATIN_CHOSEN);
}

/** If the browser denies storage, the keyboard is offered on each page. */
function hasPhysicalKeyboard(): boolean {
  return readWindow(HAS_KEYBOARD_KEY) === 'yes';
}

function offerKeyboard(): void {
  let opened: Closable | undefined;
  addEventListener('keydown', ({ isTrusted, key }) => {
    if (!isTrusted || key === 'Unidentified') return;
    opened?.close();
    opened = undefined;
    writeWindow(HAS_KEYBOARD_KEY, 'yes');
  });
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !isTypedIn(target) || hasPhysicalKeyboard()) return;
    loadOnce('keyboard.js').then(
      () => {
        if (document.activeElement === target) opened = window.microficheKeyboard?.(target);
      },
      (error: unknown) => console.warn(error),
    );
  });
}

/** Whether a visitor types into a field: words, or a year. */
function isTypedIn({ type, inputMode }: HTMLInputElement): boolean {
  return type === 'search' || inputMode === 'numeric';
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
    loadOnce('phone-code.js').then(
      () => window.microfichePhoneCode?.(panel, url),
      (error: unknown) => console.warn(error),
    );
  });
}
