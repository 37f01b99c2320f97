/**
 * Applies the reader's choice of appearance. Runs before the page is painted, so that it does not flash. Every page loads it, so it also registers
 * the service worker.
 */
import { readPreference, SHORTCUTS, writePreference } from './preferences.ts';
import { registerServiceWorker } from './register-worker.ts';

const root = document.documentElement;
// Lets the style hide what only scripts show again.
root.dataset['script'] = '';

function applyTheme(theme: string): void {
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
}

applyTheme(readPreference('theme'));
document.addEventListener('DOMContentLoaded', () => {
  const control = document.getElementById('theme');
  if (!(control instanceof HTMLSelectElement)) return;
  control.value = root.dataset['theme'] ?? '';
  control.addEventListener('change', () => {
    writePreference('theme', control.value);
    applyTheme(control.value);
  });
  control.closest<HTMLElement>('[hidden]')?.removeAttribute('hidden');
  setUpShortcuts();
});

/** On the page about accessibility: the choice whether single keys are shortcuts. */
function setUpShortcuts(): void {
  const box = document.querySelector('[data-shortcuts]');
  if (!(box instanceof HTMLInputElement)) return;
  box.checked = readPreference(SHORTCUTS) !== 'off';
  box.addEventListener('change', () => writePreference(SHORTCUTS, box.checked ? '' : 'off'));
}

const ownScript = document.currentScript;
if (ownScript instanceof HTMLScriptElement && root.dataset['kiosk'] === undefined)
  registerServiceWorker(new URL('..', ownScript.src).href);
