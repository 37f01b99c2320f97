/**
 * Applies the reader's choice of appearance. Runs before the page is painted, so that it does not flash. Every page loads it, so
 * it also registers the service worker, and adds what every page has of the saved items.
 */
import { closeByKey, closeOutside } from '../browser/fold.ts';
import { readPreference, rememberBox, SHORTCUTS, writePreference } from '../browser/preferences.ts';
import { canFetch, isPackaged } from '../browser/protocol.ts';
import { limitScripts } from '../browser/trusted-types.ts';
import { applyCitationStyle } from '../parts/citation-choice.ts';
import { setUpSaving } from '../saved/save-buttons.ts';
import { readSearches } from '../search/recent-searches.ts';
import { setUpPictureTransition } from './picture-transition.ts';

const root = document.documentElement;
// Lets the style hide what only scripts show again.
root.dataset['script'] = '';

function applyTheme(theme: string): void {
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
}

setUpPictureTransition();
applyTheme(readPreference('theme'));
applyCitationStyle();
const ownScript = document.currentScript;
const top = ownScript instanceof HTMLScriptElement ? new URL('..', ownScript.src).href : undefined;
if (top !== undefined) limitScripts(top);
// The start of the search page is shown at once, unless the script of that page will change it.
if (location.search !== '' || (top !== undefined && readSearches(top).length > 0)) root.dataset['changes'] = '';
if (top !== undefined && root.dataset['kiosk'] === undefined) registerServiceWorker(top);
// What a search needs first is loaded before the script that needs it.
if (new URLSearchParams(location.search).get('q'))
  for (const href of ownScript?.dataset['preload']?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href }));

// The page not found loads this script late.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', setUp);
else setUp();

function setUp(): void {
  // Browsers do not scroll to a link of which they show a part.
  document.querySelector('.masthead')?.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  // The menu of languages closes like other menus: by Escape, and by a click elsewhere.
  const menu = document.querySelector<HTMLDetailsElement>('.language-menu');
  if (menu) {
    closeByKey(menu);
    closeOutside(menu);
  }
  if (top !== undefined) setUpSaving(top);
  const control = document.getElementById('theme');
  if (!(control instanceof HTMLSelectElement)) return;
  control.value = root.dataset['theme'] ?? '';
  control.addEventListener('change', () => {
    writePreference('theme', control.value);
    applyTheme(control.value);
  });
  control.closest<HTMLElement>('[hidden]')?.removeAttribute('hidden');
  // On the page about accessibility: the choice whether single keys are shortcuts.
  const box = document.querySelector('[data-shortcuts]');
  if (box instanceof HTMLInputElement) rememberBox(box, SHORTCUTS);
}

/** Adds the web app manifest to the page and registers the service worker. `rootUrl` is the URL of the site's top directory. */
function registerServiceWorker(rootUrl: string): void {
  if (!canFetch() || isPackaged() || !navigator.serviceWorker || !isSecureContext) return;
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `${rootUrl}app.webmanifest`;
  document.head.append(manifest);
  addEventListener('load', () => {
    const { serviceWorker } = navigator;
    serviceWorker
      .register(`${rootUrl}sw.js`)
      .then(() => serviceWorker.ready)
      .then(({ active }) => {
        if (serviceWorker.controller) return; // it has handled this page already
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
        active?.postMessage([location.href, ...loaded]);
      })
      .catch(() => undefined); // the host or the browser denies it; the site works without a service worker
  });
}
