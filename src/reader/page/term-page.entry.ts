/** The voices on the page of a topic, place or facility: plays the clips of different narrators one after the other. */
import { type Part, readPart, setUpPlayButton, setUpSequence } from '../player/sequence.ts';

setUpVoices();

function setUpVoices(): void {
  const section = document.querySelector<HTMLElement>('.voices');
  const player = section?.querySelector<HTMLMediaElement>('.player');
  const hear = section?.querySelector<HTMLElement>('[data-hear]');
  const status = section?.querySelector<HTMLElement>('[role="status"]');
  if (!section || !player || !hear || !status) return;
  const parts = [...section.querySelectorAll('li')].map(readPart);
  const sequence = setUpSequence(player, parts, (part) => {
    for (const { element } of parts) mark(element, element === part?.element);
    status.textContent = part?.element.dataset['status'] ?? '';
    for (const control of section.querySelectorAll<HTMLElement>('.player, [data-next], [data-stop]')) control.hidden = !part;
  });
  setUpPlayButton(hear, player, () => (sequence.part() ? void player.play() : sequence.play(parts[0] as Part)));
  section.querySelector('[data-next]')?.addEventListener('click', () => sequence.next());
  section.querySelector('[data-stop]')?.addEventListener('click', () => {
    sequence.close();
    hear.focus();
  });
}

/** Shows whether a clip is the one that is heard, with its citation. */
function mark(element: HTMLElement, isHeard: boolean): void {
  const citation = element.querySelector('details');
  if (citation && isHeard !== element.hasAttribute('aria-current')) citation.open = isHeard;
  if (isHeard) {
    element.setAttribute('aria-current', 'true');
    element.scrollIntoView({ block: 'nearest', inline: 'start' });
  } else element.removeAttribute('aria-current');
}
