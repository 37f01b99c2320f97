/**
 * Applies the reader's choice of appearance. Runs before the page is painted, so that it does not flash. Every page loads it, so it also registers
 * the service worker.
 */
import { keep, kept } from './kept.ts';
import { offline } from './offline.ts';

const root = document.documentElement;

function apply(theme: string): void {
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
}

apply(kept('theme'));
document.addEventListener('DOMContentLoaded', () => {
  const control = document.getElementById('theme');
  if (!(control instanceof HTMLSelectElement)) return;
  control.value = root.dataset['theme'] ?? '';
  control.addEventListener('change', () => {
    keep('theme', control.value);
    apply(control.value);
  });
  control.closest<HTMLElement>('[hidden]')?.removeAttribute('hidden');
});

const own = document.currentScript;
if (own instanceof HTMLScriptElement && root.dataset['kiosk'] === undefined) offline(new URL('..', own.src).href);
