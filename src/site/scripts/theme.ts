/** Light or dark by the reader's choice. Loaded before the page is drawn, so that it never flashes; without it, the system decides. */
import { keep, kept } from './kept.ts';

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
