/** The citation of a page: its style, the button that copies it, and files of it for reference managers. */
import { CITATION_FILES } from '../../formats/citation-styles.ts';
import { copyText } from '../browser/copy-text.ts';
import { closeOutside, setUpFold } from '../browser/fold.ts';
import { offerFile } from '../browser/offer-file.ts';
import { chosenStyle, setUpStyleChoice } from './citation-choice.ts';
import { isolatedText } from './isolated-text.ts';

/** Returns the element with the citation that is shown. */
function shownCitation(): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>('.citations [data-style]')];
  const shown = all.find(({ dataset }) => dataset['style'] === chosenStyle()) ?? all[0];
  return shown?.querySelector('dd') ?? undefined;
}

/** Returns the citation that is shown; of one for reference managers, the first that is prose. */
export function shownProse(): string {
  const shown = shownCitation();
  const prose = shown?.classList.contains('code') ? document.querySelector('.citations dd:not(.code)') : shown;
  return prose ? isolatedText(prose) : '';
}

/** Makes the citation of the page work. */
export function setUpCitations(): void {
  const block = document.querySelector<HTMLElement>('.citations');
  const select = block?.querySelector('select');
  const button = block?.querySelector<HTMLButtonElement>('.copy');
  if (!block || !select || !button) return;
  setUpStyleChoice(select);
  button.addEventListener('click', () => {
    const text = shownCitation();
    if (text) void copyText(button, isolatedText(text), text);
  });
  for (const link of block.querySelectorAll<HTMLAnchorElement>('.cite-files a'))
    link.addEventListener('click', (event) => {
      const style = link.dataset['file'] as keyof typeof CITATION_FILES;
      const text = block.querySelector(`[data-style="${style}"] dd`)?.textContent ?? '';
      const { extension, type } = CITATION_FILES[style];
      event.preventDefault();
      offerFile(`${block.dataset['name']}.${extension}`, type, `${text}\n`);
    });
  const fold = block.closest<HTMLDetailsElement>('.cite-fold');
  if (!fold) return;
  setUpFold(fold);
  closeOutside(fold);
  openToPrint(fold);
}

/** Prints a folded citation too. Engines that know `::details-content` need no script for that. */
function openToPrint(fold: HTMLDetailsElement): void {
  if (CSS.supports('selector(::details-content)')) return;
  let wasOpen = false;
  addEventListener('beforeprint', () => {
    wasOpen = fold.open;
    fold.open = true;
  });
  addEventListener('afterprint', () => {
    fold.open = wasOpen;
  });
}
