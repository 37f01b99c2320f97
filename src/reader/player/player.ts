/** Connects a recording with captions and waveform, makes captions (file:// loads no files), and plays the next segment. */
import { readMoment, writeMoment } from '../../formats/moments.ts';
import { decodePercent } from '../../model/text/percent.ts';
import { readPreference, rememberBox, writePreference } from '../browser/preferences.ts';
import { whenShown } from '../parts/covers.ts';
import { setUpPlayerControls } from './player-controls.ts';
import { type RecordingTexts, setUpRecordingTexts } from './recording-texts.ts';

/** Sets up the texts of the page and its player, if it has them. */
export function setUpPlayers(): void {
  const texts = setUpRecordingTexts();
  const player = document.querySelector<HTMLMediaElement>('.player');
  const panels = [...document.querySelectorAll<HTMLElement>('.text[data-timed]')];
  const [lines = []] = panels.map(linesIn);
  if (player) {
    addCaptions(player, panels);
    linkTimes(player, panels.flatMap(linesIn));
    followLines(player, panels.flatMap(linesIn));
    followWaveform(player);
    autoplayNext(player);
    setUpPlayerControls(player);
    if (location.hash === '#play')
      whenShown(player, () => {
        player.focus();
        play(player);
      });
  }
  const openAddress = () => openAt(player, texts, lines);
  addEventListener('hashchange', openAddress);
  openAddress();
}

function play(player: HTMLMediaElement): void {
  void player.play().catch(() => undefined); // the browser requires a gesture first; the player can be started by hand
}

/** Opens the moment or the words that the address names. */
function openAt(player: HTMLMediaElement | null, texts: RecordingTexts | undefined, lines: readonly HTMLElement[]): void {
  for (const quoted of document.querySelectorAll<HTMLElement>('[data-quoted]')) delete quoted.dataset['quoted'];
  const [, quote, words, isPlayed] = /^#find=(.+?)(?:&words=([^&]+))?(&play)?$/.exec(location.hash) ?? [];
  if (quote !== undefined) {
    const found = texts?.findQuote(decodePercent(quote));
    if (!found && words !== undefined) texts?.search(decodePercent(words));
    if (!found) return;
    texts?.reveal(found);
    found.dataset['quoted'] = '';
    if (words !== undefined) texts?.search(decodePercent(words), found);
    if (player && found.dataset['start'] !== undefined) seek(player, Number(found.dataset['start']));
    whenShown(found, () => {
      showFound(found);
      if (player && isPlayed !== undefined) play(player);
    });
    return;
  }
  const moment = readMoment(location.hash);
  if (!player || !moment) return;
  seek(player, moment.start, moment.end);
  const line = lines.filter(({ dataset }) => Number(dataset['start']) <= moment.start).pop();
  if (!line) return;
  texts?.reveal(line);
  line.dataset['quoted'] = '';
  whenShown(line, () => showFound(line));
}

/** Scrolls to what the address names, and continues there with the keyboard. */
function showFound(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center' });
}

/** Goes to a moment, as soon as the browser knows the recording. Stops at `end`, once. */
function seek(player: HTMLMediaElement, start: number, end?: number): void {
  const go = () => {
    player.currentTime = start;
  };
  if (player.readyState > 0) go();
  else player.addEventListener('loadedmetadata', go, { once: true });
  endClip?.();
  if (end === undefined) return;
  const stop = () => {
    if (player.currentTime < end) return;
    endClip?.();
    if (player.currentTime < end + 2) player.pause();
  };
  player.addEventListener('timeupdate', stop);
  endClip = () => player.removeEventListener('timeupdate', stop);
}

/** Stops waiting for the end of a clip. */
let endClip: (() => void) | undefined;

/**
 * Seconds by which captions begin and end earlier than they are spoken, so that no jump goes to a moment that is an end and a
 * beginning: Chromium draws a caption at its very end too, below the next one, and browsers round the moment to which they jump.
 */
export const EARLIER = 0.0005;

/** Returns the captions in a text. */
const linesIn = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('.cues > li')];

/** Adds captions, and their translation, from the texts of the page. The player's own menu switches them on and off. */
function addCaptions(player: HTMLMediaElement, panels: readonly HTMLElement[]): void {
  if (!(player instanceof HTMLVideoElement)) return;
  const tracks = panels.flatMap((panel): TextTrack[] => {
    const kind = panel.dataset['kind'];
    if (kind !== 'captions' && kind !== 'translation') return [];
    const language = panel.querySelector('.text-body')?.getAttribute('lang') ?? document.documentElement.lang;
    const label = panel.querySelector('h2')?.textContent?.trim() ?? '';
    const track = player.addTextTrack(kind === 'captions' ? 'captions' : 'subtitles', label, language);
    for (const line of linesIn(panel)) {
      const [start, end] = [Number(line.dataset['start']), Number(line.dataset['end'])];
      const text = line.querySelector('.cue-text')?.textContent ?? '';
      if (end > start)
        track.addCue(new VTTCue(Math.max(0, start - EARLIER), end - EARLIER, text.replace(/&/g, '&amp;').replace(/</g, '&lt;')));
    }
    track.mode = 'disabled';
    return [track];
  });
  const [first] = tracks;
  if (!first) return;
  first.mode = readPreference('captions') === 'off' ? 'hidden' : 'showing';
  player.textTracks.addEventListener('change', () => {
    writePreference('captions', tracks.some(({ mode }) => mode === 'showing') ? '' : 'off');
  });
}

/** Makes each time play from there. The address is that of the moment, so that it can be copied. */
function linkTimes(player: HTMLMediaElement, lines: readonly HTMLElement[]): void {
  for (const line of lines) {
    const start = Number(line.dataset['start']);
    line.querySelector('.cue-time')?.addEventListener('click', (event) => {
      event.preventDefault();
      endClip?.();
      history.replaceState(history.state, '', writeMoment({ start, end: undefined }));
      player.currentTime = start;
      play(player);
    });
  }
}

/** Marks the caption that is spoken, and scrolls to it if the reader follows the recording. */
function followLines(player: HTMLMediaElement, lines: readonly HTMLElement[]): void {
  const follow = document.querySelector<HTMLInputElement>('.follow input');
  if (follow) rememberBox(follow, 'follow');
  player.addEventListener('timeupdate', () => {
    const now = player.currentTime + EARLIER;
    for (const line of lines) {
      const isSpoken = now >= Number(line.dataset['start']) && now < Number(line.dataset['end']);
      if (isSpoken === line.hasAttribute('data-spoken')) continue;
      line.toggleAttribute('data-spoken', isSpoken);
      const text = line.closest('[data-current]')?.querySelector('.text-body');
      if (isSpoken && !player.paused && follow?.checked && text && isInView(text)) line.scrollIntoView({ block: 'nearest' });
    }
  });
}

/** Whether an element is in the window or next to it: a reader of something else is not taken away from it. */
export function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight * 1.2 && bottom > -innerHeight * 0.2;
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

/** Whether the reader is not at work with something else on the page: typing, or moving through it with the keyboard. */
function isListening(player: HTMLMediaElement): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused === player) return true;
  if (focused.closest('.player-buttons, .cues')) return true;
  // After a click on a button, the button does not show that it has the focus.
  const showsFocus = !CSS.supports('selector(:focus-visible)') || focused.matches(':focus-visible');
  return !focused.matches('input, select, textarea') && !showsFocus;
}

/** Opens the next segment at the end of this one, if the reader has selected autoplay and only listens. */
function autoplayNext(player: HTMLMediaElement): void {
  const choice = document.querySelector<HTMLInputElement>('.play-on input');
  if (!choice) return;
  rememberBox(choice, 'play-on');
  player.addEventListener('ended', () => {
    const items = [...document.querySelectorAll('.playlist > li')];
    const own = items.findIndex((item) => item.querySelector('[aria-current]'));
    const next = items.slice(own + 1).flatMap((item) => item.querySelector<HTMLAnchorElement>('a[href$="#play"]') ?? [])[0];
    if (choice.checked && next && isListening(player)) location.href = next.href;
  });
}
