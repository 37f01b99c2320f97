/** The style in which the reader wants citations, on all pages. */
import { CITATION_STYLES } from '../../formats/citation-styles.ts';
import { readPreference, writePreference } from '../browser/preferences.ts';

const PREFERENCE = 'cite';

/** Shows the page's citations in the style that the reader has chosen: by style sheet, so that nothing moves later. */
export function applyCitationStyle(): void {
  const style = readPreference(PREFERENCE);
  if (CITATION_STYLES.some((known) => known === style)) document.documentElement.dataset['cite'] = style;
}

/** Returns the style that the reader has chosen, here or on another page. */
export const chosenStyle = (): string | undefined => document.documentElement.dataset['cite'];

/** Makes a list of styles show the choice, and remember a new one, after which `onChange` is called. */
export function setUpStyleChoice(select: HTMLSelectElement, onChange: () => void = () => undefined): void {
  const chosen = chosenStyle();
  if ([...select.options].some(({ value }) => value === chosen)) select.value = chosen ?? '';
  select.addEventListener('change', () => {
    writePreference(PREFERENCE, select.value);
    document.documentElement.dataset['cite'] = select.value;
    onChange();
  });
}
