/** Captions from the transcript on the page (a browser loads no caption file on file://), times that lead to their moment, and going on to the next segment. */
import { keep, kept } from './kept.ts';

export function players(): void {
  const player = document.querySelector<HTMLMediaElement>('.player');
  if (!player) return;
  const lines = [...document.querySelectorAll<HTMLElement>('.cues > li')];
  if (lines.length > 0) {
    caption(player, lines);
    lead(player, lines);
  }
  draw(player);
  playlist(player);
  if (location.hash === '#play') {
    player.focus();
    void player.play().catch(() => undefined); // the browser wants a gesture first: the player stands ready
  }
}

/** The lines of the transcript as captions, which the player's own menu switches on and off. */
function caption(player: HTMLMediaElement, lines: HTMLElement[]): void {
  if (!(player instanceof HTMLVideoElement)) return;
  const track = player.addTextTrack('captions', player.dataset['captions'] ?? '', document.documentElement.lang);
  for (const line of lines) {
    const [start, end] = [Number(line.dataset['start']), Number(line.dataset['end'])];
    const text = line.querySelector('.cue-text')?.textContent ?? '';
    if (end > start) track.addCue(new VTTCue(start, end, text.replace(/&/g, '&amp;').replace(/</g, '&lt;')));
  }
  track.mode = kept('captions') === 'off' ? 'hidden' : 'showing';
  player.textTracks.addEventListener('change', () => keep('captions', track.mode === 'showing' ? '' : 'off'));
}

/** Each time becomes a button that leads to its moment; the line that is spoken is marked and kept in sight. */
function lead(player: HTMLMediaElement, lines: HTMLElement[]): void {
  for (const line of lines) {
    const time = line.querySelector('.cue-time');
    if (!time) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cue-time';
    button.textContent = time.textContent;
    button.setAttribute('aria-describedby', named(line.querySelector('.cue-text')));
    button.addEventListener('click', () => {
      player.currentTime = Number(line.dataset['start']);
      void player.play().catch(() => undefined); // as above
    });
    time.replaceWith(button);
  }
  player.addEventListener('timeupdate', () => {
    const now = player.currentTime;
    for (const line of lines) {
      const spoken = now >= Number(line.dataset['start']) && now < Number(line.dataset['end']);
      if (spoken === line.hasAttribute('data-spoken')) continue;
      line.toggleAttribute('data-spoken', spoken);
      const frame = line.closest<HTMLElement>('.reading-text');
      if (spoken && frame) frame.scrollTop = line.offsetTop - frame.clientHeight / 3;
    }
  });
}

/** The drawing of a sound shows how far it is, and leads to the moment that is pointed at; the player itself does the same for keys. */
function draw(player: HTMLMediaElement): void {
  const wave = document.querySelector<SVGElement>('.wave');
  const all = wave?.querySelector('path');
  if (!wave || !all) return;
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
  wave.addEventListener('click', (event) => {
    const { x, width } = wave.getBoundingClientRect();
    if (player.duration > 0 && width > 0) player.currentTime = ((event.clientX - x) / width) * player.duration;
  });
}

let names = 0;
function named(element: Element | null): string {
  if (!element) return '';
  element.id ||= `line-${++names}`;
  return element.id;
}

/** At its end a segment gives way to the next one, where the reader wants that. */
function playlist(player: HTMLMediaElement): void {
  const choice = document.querySelector<HTMLInputElement>('.play-on input');
  if (!choice) return;
  choice.checked = kept('play-on') !== 'off';
  choice.closest('label')?.removeAttribute('hidden');
  choice.addEventListener('change', () => keep('play-on', choice.checked ? '' : 'off'));
  player.addEventListener('ended', () => {
    const items = [...document.querySelectorAll('.playlist > li')];
    const own = items.findIndex((item) => item.querySelector('[aria-current]'));
    const next = items.slice(own + 1).flatMap((item) => item.querySelector<HTMLAnchorElement>('a[href$="#play"]') ?? [])[0];
    if (choice.checked && next) location.href = next.href;
  });
}
