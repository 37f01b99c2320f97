/** The buttons below a player that save the moment at which it is, or the clip that the reader has chosen, with the record. */
import { clipBetween, readTime, writeMoment } from '../../formats/moments.ts';
import { showCopied } from '../browser/copy-text.ts';
import { addItem } from './save-buttons.ts';
import { openSavedItems } from './saved-items.ts';
import { readRecordPage } from './saved-records.ts';

/** Sets up the buttons of the page, if it has a recording and the record can be saved. */
export function setUpMoments(): void {
  const [player, record] = [
    document.querySelector<HTMLMediaElement>('.player'),
    document.querySelector<HTMLElement>('[data-save]'),
  ];
  const link = document.querySelector<HTMLAnchorElement>('.saved-link');
  if (!player || !record || !link) return;
  const items = openSavedItems(record.dataset['root'] ?? '');
  const timeIn = (name: string) => readTime(document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '');
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-save-moment]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const item = readRecordPage(document);
      const isClip = button.dataset['saveMoment'] === 'clip';
      const moment = isClip
        ? clipBetween(timeIn('clip-from') ?? 0, timeIn('clip-to'))
        : clipBetween(player.currentTime, undefined);
      if (item && addItem({ ...item, at: writeMoment(moment) }, items, link)) showCopied(button);
      else button.textContent = record.dataset['full'] ?? '';
    });
  }
}
