/** The page of an entire interview: plays its segments one after the other, and shows in the ribbon what is heard and found. */
import { rememberBox } from '../browser/preferences.ts';
import { createSvgElement } from '../browser/svg-element.ts';
import { whenShown } from '../parts/covers.ts';
import { EARLIER, isInView } from './player.ts';
import { FOUND_EVENT, setUpRecordingTexts } from './recording-texts.ts';
import { type Part, readPart, setUpPlayButton, setUpSequence } from './sequence.ts';

/** Sets up the page. */
export function setUpInterview(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('.interview-text .part')];
  const ribbon = document.querySelector<SVGElement>('.interview-bar .ribbon');
  if (ribbon) document.addEventListener(FOUND_EVENT, () => drawTicks(ribbon, parts));
  setUpRecordingTexts();
  const player = document.querySelector<HTMLMediaElement>('.interview-bar .player');
  if (player) setUpPlayer(player, parts, ribbon);
}

function setUpPlayer(player: HTMLMediaElement, elements: readonly HTMLElement[], ribbon: SVGElement | null): void {
  const parts = elements.map(readPart);
  const now = document.querySelector<HTMLAnchorElement>('.interview-now a');
  const blocks = [...(ribbon?.querySelectorAll('a') ?? [])];
  const head = createSvgElement('rect', { class: 'playhead', height: 1, width: lengthOf(ribbon) / 250 });
  ribbon?.append(head);
  const follow = setUpFollow(player);
  const sequence = setUpSequence(player, parts, (part) => {
    follow(undefined);
    for (const [i, { element }] of parts.entries()) {
      element.toggleAttribute('data-current', element === part?.element);
      blocks[i]?.classList.toggle('current', element === part?.element);
    }
    const title = part?.element.querySelector('h2 a');
    if (!part || !now || !title) return;
    now.textContent = title.textContent;
    now.hash = part.element.id;
    if (!player.paused) follow(title);
  });
  player.addEventListener('timeupdate', () => {
    const part = sequence.part();
    if (!part) return;
    const at = player.currentTime + EARLIER;
    const lines = [...part.element.querySelectorAll<HTMLElement>('[data-start]')];
    const line = lines.find(({ dataset }) => at >= Number(dataset['start']) && at < Number(dataset['end']));
    if (line) follow(line);
    head.setAttribute('x', String(placeOf(blocks[parts.indexOf(part)], player.currentTime / player.duration || 0)));
  });
  playFromText(sequence, parts);
  const button = document.querySelector<HTMLElement>('[data-play-all]');
  if (button) setUpPlayButton(button, player, () => void (sequence.part() ? player.play() : sequence.next()));
  sequence.openFirst();
  if (location.hash === '#play') whenShown(player, () => void (sequence.part() ? player.play() : sequence.next()));
}

/**
 * Returns a function that marks what is said, and scrolls to it if the reader follows the recording and has what was said before
 * in view: a reader of something else is not taken away from it.
 */
function setUpFollow(player: HTMLMediaElement): (said: Element | undefined) => void {
  const choice = document.querySelector<HTMLInputElement>('.follow input');
  if (choice) rememberBox(choice, 'follow');
  let before: Element | undefined;
  let spoken: Element | undefined;
  return (said) => {
    if (said === spoken) return;
    spoken?.removeAttribute('data-spoken');
    spoken = said;
    if (!said) return;
    said.toggleAttribute('data-spoken', true);
    const isReading = !before || isInView(before);
    before = said;
    if (!player.paused && choice?.checked !== false && isReading) said.scrollIntoView({ block: 'nearest' });
  };
}

/** Plays from what the reader clicks: the button of a segment, a time, or words that have one. */
function playFromText(sequence: ReturnType<typeof setUpSequence>, parts: readonly Part[]): void {
  for (const part of parts.filter(({ src }) => src !== ''))
    part.element.addEventListener('click', (event) => {
      const { target } = event;
      if (!(target instanceof Element) || event.ctrlKey || event.metaKey) return;
      const words = target.closest('.cue-time')?.parentElement?.querySelector<HTMLElement>('[data-start]');
      const line = words ?? target.closest<HTMLElement>('[data-start]');
      if (!line && !target.closest('[data-play]')) return;
      if (!words && getSelection()?.isCollapsed === false) return; // the words are selected to be copied
      event.preventDefault();
      sequence.play(part, Number(line?.dataset['start'] ?? 0));
    });
}

/** Draws where in the interview the words are that the reader looks for. */
function drawTicks(ribbon: SVGElement, parts: readonly HTMLElement[]): void {
  for (const tick of ribbon.querySelectorAll('.tick')) tick.remove();
  const blocks = [...ribbon.querySelectorAll('a')];
  for (const [i, part] of parts.entries())
    for (const mark of part.querySelectorAll('mark.found')) {
      const { top, height } = part.getBoundingClientRect();
      const share = (mark.getBoundingClientRect().top - top) / height;
      const x = placeOf(blocks[i], share);
      ribbon.append(createSvgElement('rect', { class: 'tick', x, height: 1, width: lengthOf(ribbon) / 400 }));
    }
}

/** Returns the position of a share of a segment in the ribbon. */
function placeOf(block: Element | undefined, share: number): number {
  const rect = block?.querySelector('rect');
  return Number(rect?.getAttribute('x') ?? 0) + Number(rect?.getAttribute('width') ?? 0) * share;
}

const lengthOf = (ribbon: SVGElement | null): number => Number(ribbon?.getAttribute('viewBox')?.split(' ')[2] ?? 0);
