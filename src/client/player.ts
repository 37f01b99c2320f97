/** Connects a recording with its transcript and waveform, makes captions (browsers load no caption file on file://), and plays the next segment. */
import { readPreference, writePreference } from './preferences.ts';

/** Sets up the player of the page, if it has one. */
export function setUpPlayers(): void {
  const player = document.querySelector<HTMLMediaElement>('.player');
  if (!player) return;
  const lines = [...document.querySelectorAll<HTMLElement>('.cues > li')];
  if (lines.length > 0) {
    addCaptions(player, lines);
    linkTimes(player, lines);
  }
  followWaveform(player);
  autoplayNext(player);
  if (location.hash === '#play') {
    player.focus();
    void player.play().catch(() => undefined); // the browser requires a gesture first; the player has the focus
  }
}

/** Adds the cues of the transcript as captions. The player's own menu switches them on and off. */
function addCaptions(player: HTMLMediaElement, lines: HTMLElement[]): void {
  if (!(player instanceof HTMLVideoElement)) return;
  const track = player.addTextTrack('captions', player.dataset['captions'] ?? '', document.documentElement.lang);
  for (const line of lines) {
    const [start, end] = [Number(line.dataset['start']), Number(line.dataset['end'])];
    const text = line.querySelector('.cue-text')?.textContent ?? '';
    if (end > start) track.addCue(new VTTCue(start, end, text.replace(/&/g, '&amp;').replace(/</g, '&lt;')));
  }
  track.mode = readPreference('captions') === 'off' ? 'hidden' : 'showing';
  player.textTracks.addEventListener('change', () => writePreference('captions', track.mode === 'showing' ? '' : 'off'));
}

/** Turns each time into a button that plays from there. Marks the current cue and scrolls it into view. */
function linkTimes(player: HTMLMediaElement, lines: HTMLElement[]): void {
  for (const line of lines) {
    const time = line.querySelector('.cue-time');
    if (!time) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cue-time';
    button.textContent = time.textContent;
    button.setAttribute('aria-describedby', idOf(line.querySelector('.cue-text')));
    button.addEventListener('click', () => {
      player.currentTime = Number(line.dataset['start']);
      void player.play().catch(() => undefined); // as above
    });
    time.replaceWith(button);
  }
  player.addEventListener('timeupdate', () => {
    const now = player.currentTime;
    for (const line of lines) {
      const isSpoken = now >= Number(line.dataset['start']) && now < Number(line.dataset['end']);
      if (isSpoken === line.hasAttribute('data-spoken')) continue;
      line.toggleAttribute('data-spoken', isSpoken);
      const frame = line.closest<HTMLElement>('.reading-text');
      if (isSpoken && frame) frame.scrollTop = line.offsetTop - frame.clientHeight / 3;
    }
  });
}

/** Shows progress in the waveform, and plays from the clicked position. For the keyboard, the player's own controls do this. */
function followWaveform(player: HTMLMediaElement): void {
  const waveform = document.querySelector<SVGElement>('.wave');
  const all = waveform?.querySelector('path');
  if (!waveform || !all) return;
  const played = all.cloneNode() as SVGPathElement;
  played.setAttribute('class', 'wave-played');
  all.after(played);
  const show = () => {
    const share = player.duration > 0 ? player.currentTime / player.duration : 0;
    played.style.clipPath = `inset(0 ${(1 - share) * 100}% 0 0)`;
  };
  show();
  player.addEventListener('timeupdate', show);
  player.addEventListener('seeked', show);
  waveform.addEventListener('click', (event) => {
    const { x, width } = waveform.getBoundingClientRect();
    if (player.duration > 0 && width > 0) player.currentTime = ((event.clientX - x) / width) * player.duration;
  });
}

let ids = 0;
/** Returns the ID of an element. Gives it one if it has none. */
function idOf(element: Element | null): string {
  if (!element) return '';
  element.id ||= `line-${++ids}`;
  return element.id;
}

/** Opens the next segment at the end of this one, if the reader has selected autoplay. */
function autoplayNext(player: HTMLMediaElement): void {
  const choice = document.querySelector<HTMLInputElement>('.play-on input');
  if (!choice) return;
  choice.checked = readPreference('play-on') !== 'off';
  choice.closest('label')?.removeAttribute('hidden');
  choice.addEventListener('change', () => writePreference('play-on', choice.checked ? '' : 'off'));
  player.addEventListener('ended', () => {
    const items = [...document.querySelectorAll('.playlist > li')];
    const own = items.findIndex((item) => item.querySelector('[aria-current]'));
    const next = items.slice(own + 1).flatMap((item) => item.querySelector<HTMLAnchorElement>('a[href$="#play"]') ?? [])[0];
    if (choice.checked && next) location.href = next.href;
  });
}
