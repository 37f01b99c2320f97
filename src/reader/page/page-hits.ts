/** Marks on the images of a document the words that are found in its text, and shows the page of the match that is shown. */
import { createSvgElement } from '../browser/svg-element.ts';
import { FOUND_EVENT } from '../player/recording-texts.ts';

/** Sets up the marks. The places of words are in thousandths of the image. */
export function setUpPageHits(): void {
  document.addEventListener(FOUND_EVENT, () => {
    for (const drawn of document.querySelectorAll('.zoom .hits')) drawn.remove();
    for (const mark of document.querySelectorAll<HTMLElement>('[data-boxes] mark.found')) {
      const number = mark.closest<HTMLElement>('[data-leaf]')?.dataset['leaf'];
      const frame = document.querySelector(`#page-${number} .zoom-frame, .object-picture .zoom-frame`);
      if (number === undefined || !frame) continue;
      const attributes = { class: 'hits', viewBox: '0 0 1000 1000', preserveAspectRatio: 'none' };
      const hits = frame.querySelector('.hits') ?? createSvgElement('svg', attributes);
      const isCurrent = mark.classList.contains('current');
      for (const [x = 0, y = 0, width = 0, height = 0] of boxesOf(mark))
        hits.append(createSvgElement('rect', { x, y, width, height, ...(isCurrent && { class: 'current' }) }));
      frame.classList.add('with-hits');
      frame.append(hits);
      if (isCurrent) frame.dispatchEvent(new CustomEvent('viewed', { bubbles: true }));
    }
  });
}

/** Returns the boxes of the words of a line in which a mark is. */
function boxesOf(mark: HTMLElement): number[][] {
  const line = mark.closest<HTMLElement>('[data-boxes]') ?? mark;
  const before = document.createRange();
  before.setStart(line, 0);
  before.setEndBefore(mark);
  const start = String(before).length;
  const end = start + String(mark.textContent).length;
  let at = 0;
  return (line.dataset['boxes'] ?? '').split(';').flatMap((word) => {
    const [length = 0, ...box] = word.split(' ').map(Number);
    at += length;
    return at - length < end && at > start ? [box.slice(0, 4), box.slice(4)].filter((each) => each.length === 4) : [];
  });
}
