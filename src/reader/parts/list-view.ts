/** Remembers whether the reader prefers records as a grid or as a list. */
import { readPreference, writePreference } from '../browser/preferences.ts';

/** Restores the choice between grid and list, and remembers a new one. */
export function setUpListView(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.shapes input')) {
    if (input.value === readPreference(input.name)) input.checked = true;
    input.addEventListener('change', () => {
      if (input.checked) writePreference(input.name, input.value);
    });
  }
}
