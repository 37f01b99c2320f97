/** Remembers whether the reader likes lists as pictures or as lines. */
import { keep, kept } from './kept.ts';

export function shapes(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.shapes input')) {
    if (input.value === kept('shape')) input.checked = true;
    input.addEventListener('change', () => {
      if (input.checked) keep('shape', input.value);
    });
  }
}
