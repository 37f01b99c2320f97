/** Remembers whether the reader prefers records as a grid or as a list. */
import { keep, kept } from './kept.ts';

/** Restores the choice between grid and list, and remembers a new one. */
export function shapes(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.shapes input')) {
    if (input.value === kept('shape')) input.checked = true;
    input.addEventListener('change', () => {
      if (input.checked) keep('shape', input.value);
    });
  }
}
