/** The filters of the search page: open beside the results, or in a sheet over them on a phone. */
import { getElement } from './search-elements.ts';

/** The filters are beside the results in windows of this width. */
const WIDE_SCREEN = '(min-width: 52rem)';

/** Opens the filters if there is space for them, and lets the reader open and close them as a sheet if there is not. */
export function setUpFilterSheet(filters: HTMLDetailsElement): void {
  // Above the results, and behind the sheet.
  const [opener, scrim] = [getElement('open-filters'), getElement('scrim')];
  const wideScreen = matchMedia(WIDE_SCREEN);
  const fit = () => {
    filters.open = wideScreen.matches;
  };
  const close = (next: HTMLElement | null) => {
    filters.open = false;
    (next ?? opener).focus();
  };
  opener.addEventListener('click', () => {
    filters.open = true;
    filters.querySelector('summary')?.focus();
  });
  getElement('show-results').addEventListener('click', () => close(getElement('results').querySelector('a')));
  scrim.addEventListener('mousedown', (event) => event.preventDefault()); // the focus stays until the click
  scrim.addEventListener('click', () => close(opener));
  filters.querySelector('summary')?.addEventListener('click', (event) => {
    if (wideScreen.matches) return;
    event.preventDefault();
    close(opener);
  });
  filters.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !wideScreen.matches) close(opener);
  });
  filters.addEventListener('focusout', ({ relatedTarget }) => {
    if (wideScreen.matches || !(relatedTarget instanceof Node)) return;
    // What is behind the sheet cannot be seen. A press on a label gives the focus to what contains the sheet.
    if (!filters.contains(relatedTarget) && !relatedTarget.contains(filters)) filters.open = false;
  });
  wideScreen.addEventListener('change', fit);
  fit();
}
