/** Plays the recordings of a page's parts one after the other: the segments of an interview, or clips of several. */
import { isCovered } from '../parts/covers.ts';

/** A part of the page, and what is heard of its recording. */
export type Part = ReturnType<typeof readPart>;

/** Sets up a player for parts. `onOpen` is called with each part that is opened, and with nothing after the last one. */
export function setUpSequence(player: HTMLMediaElement, parts: readonly Part[], onOpen: (part: Part | undefined) => void) {
  let open: Part | undefined;
  let seekTo = 0;
  // A warning is around a part, or around the words in it.
  const isPlayable = ({ src, element }: Part) => src !== '' && !isCovered(element.querySelector('.covered > *') ?? element);
  const show = (part: Part, seconds: number) => {
    seekTo = seconds;
    if (part.src !== open?.src) player.src = part.src;
    else if (player.readyState > 0) player.currentTime = seconds;
    if (part === open) return;
    open = part;
    onOpen(part);
  };
  const play = (part: Part, seconds = part.start) => {
    if (!isPlayable(part)) return;
    show(part, seconds);
    void player.play().catch(() => undefined); // the browser requires a gesture first; the player can be started by hand
  };
  const close = () => {
    player.pause();
    open = undefined;
    onOpen(undefined);
  };
  const next = () => {
    const following = parts.slice(open ? parts.indexOf(open) + 1 : 0).find(isPlayable);
    if (following) play(following);
    else close();
  };
  player.addEventListener('loadedmetadata', () => {
    if (seekTo > 0) player.currentTime = seekTo;
  });
  player.addEventListener('timeupdate', () => {
    const end = open?.end;
    // Not while it is at the place where the reader or the clip before left it.
    if (end !== undefined && !player.paused && !player.seeking && player.currentTime >= end) next();
  });
  // It has not ended any more if the end of a clip was that of its recording.
  player.addEventListener('ended', () => player.ended && next());
  player.addEventListener('error', () => !player.paused && next());
  return {
    /** Returns the part that is open. */
    part: () => open,
    /** Plays the next part that can be played and that no content warning covers; after the last one, none is open. */
    next,
    /** Opens a part and plays it, from `seconds` or its start. */
    play,
    /** Stops, so that no part is open. */
    close,
    /** Opens the first part that can be played, without playing it. */
    openFirst() {
      const first = parts.find(isPlayable);
      if (first) show(first, first.start);
    },
  };
}

/** Returns a part of the page, with the URL of its recording (or nothing), and where that starts and perhaps ends, in seconds. */
export function readPart(element: HTMLElement) {
  const { src = '', start = '0', end } = element.dataset;
  return { element, src, start: Number(start), end: end === undefined ? undefined : Number(end) };
}

/** Makes a button play and pause. Its words change with what it does. */
export function setUpPlayButton(button: HTMLElement, player: HTMLMediaElement, play: () => void): void {
  const { textContent: words, dataset } = button;
  button.dataset['paused'] = '';
  button.addEventListener('click', () => (player.paused ? play() : player.pause()));
  for (const type of ['play', 'pause'])
    player.addEventListener(type, () => {
      button.textContent = player.paused ? words : (dataset['pause'] ?? '');
      button.toggleAttribute('data-paused', player.paused);
    });
}
