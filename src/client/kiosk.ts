/** A kiosk that nobody uses goes back to its first picture; nothing can be dragged away, and who has no keyboard gets one. */
import type { Closable } from './keyboard-window.ts';

const ATTRACT = 'attract.html';
const CHOICES = 'microfiche-';
/** Set once a real key was pressed: this kiosk has a keyboard. */
const HAS_KEYS = 'microfiche-has-keys';

const root = document.documentElement;
const minutes = Number(root.dataset['kiosk']);
const home = root.dataset['top'] ?? '';

document.addEventListener('contextmenu', (event) => event.preventDefault());
document.addEventListener('dragstart', (event) => event.preventDefault());
if (location.pathname.endsWith(`/${ATTRACT}`)) attract();
else {
  returnWhenIdle();
  onScreenKeyboard();
}

/** Any touch, any key leads in. */
function attract(): void {
  const begin = (event: Event) => {
    event.preventDefault(); // the link below the finger would lead there once more
    location.href = document.querySelector<HTMLAnchorElement>('.attract-begin')?.href ?? 'index.html';
  };
  addEventListener('click', begin);
  addEventListener('keydown', begin);
}

function returnWhenIdle(): void {
  let last = Date.now();
  const stir = () => {
    last = Date.now();
  };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'input'])
    addEventListener(event, stir, { passive: true, capture: true });
  const limit = minutes * 60_000;
  setInterval(
    () => {
      // Who listens does not stir.
      if ([...document.querySelectorAll('video, audio')].some((player) => !(player as HTMLMediaElement).paused)) stir();
      if (Date.now() - last < limit) return;
      forget();
      location.href = home + ATTRACT;
    },
    Math.min(1000, limit / 4),
  );
}

/** The next visitor begins with a clean slate. */
function forget(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(CHOICES)) localStorage.removeItem(name);
  } catch {
    // storage is forbidden here, so nothing was kept
  }
}

function hasKeys(): boolean {
  try {
    return sessionStorage.getItem(HAS_KEYS) === 'yes';
  } catch {
    return false; // storage is forbidden here: the keyboard is offered on each page
  }
}

function onScreenKeyboard(): void {
  let opened: Closable | undefined;
  addEventListener('keydown', ({ isTrusted, key }) => {
    if (!isTrusted || key === 'Unidentified') return;
    opened?.close();
    opened = undefined;
    try {
      sessionStorage.setItem(HAS_KEYS, 'yes');
    } catch {
      // as above
    }
  });
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'search' || hasKeys()) return;
    load().then(
      () => {
        if (document.activeElement === target) opened = window.microficheKeyboard?.(target);
      },
      (error: unknown) => console.warn(error),
    );
  });
}

let loading: Promise<void> | undefined;
function load(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${home}assets/keyboard.js`;
    script.onload = () => resolve();
    script.onerror = () => {
      loading = undefined; // the next touch tries again
      reject(new Error(`${script.src} cannot be loaded`));
    };
    document.head.append(script);
  });
  return loading;
}
