/** The buttons below a player that save the moment at which it is, or the clip that the reader has chosen, with the record. */
import { clipBetween, readTime, writeMoment } from '../../formats/moments.ts';
import { showCopied } from '../browser/copy-text.ts';
import { addItem } from './save-buttons.ts';
import { openSavedItems } from './saved-items.ts';
import { readRecordPage } from './saved-records.ts';

const ownScript = document.currentScript;

/** Sets up the buttons of the page. */
export function setUpMoments(): void {
  const player = document.querySelector<HTMLMediaElement>('.player');
  const link = document.querySelector<HTMLAnchorElement>('.saved-link');
  if (!player || !link || !(ownScript instanceof HTMLScriptElement)) return;
  const items = openSavedItems(new URL('..', ownScript.src).href);
  const timeIn = (name: string) => readTime(document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '');
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-save-moment]'))
    button.addEventListener('click', () => {
      const item = readRecordPage(document);
      const isClip = button.dataset['saveMoment'] === 'clip';
      const [start = 0, end] = isClip ? [timeIn('clip-from'), timeIn('clip-to')] : [player.currentTime];
      if (!item) return;
      if (addItem({ ...item, at: writeMoment(clipBetween(start, end)) }, items, link)) showCopied(button);
      else button.textContent = link.dataset['full'] ?? '';
    });
}
