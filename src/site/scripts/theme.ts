/** Light or dark by the reader's choice. Loaded before the page is drawn, so that it never flashes; without it, the system decides. */

const KEY = 'microfiche-theme';
const root = document.documentElement;

/** What was chosen before; nothing where the browser keeps nothing for this page. */
function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return ''; // storage is forbidden here: the choice lasts for the page
  }
}

function apply(theme: string): void {
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // as above
  }
}

apply(kept());
document.addEventListener('DOMContentLoaded', () => {
  const control = document.getElementById('theme');
  if (!(control instanceof HTMLSelectElement)) return;
  control.value = root.dataset['theme'] ?? '';
  control.addEventListener('change', () => {
    keep(control.value);
    apply(control.value);
  });
  control.closest<HTMLElement>('[hidden]')?.removeAttribute('hidden');
});
