/** Controls of a recording: steps of ten seconds, speed, and the citation of a clip. */
import { citeClip, clipBetween, formatMoment, formatTime, readTime, writeMoment } from '../../formats/moments.ts';
import { copyText } from '../browser/copy-text.ts';
import { setUpFold } from '../browser/fold.ts';
import { readPreference, writePreference } from '../browser/preferences.ts';
import { shownProse } from '../parts/citations.ts';
import { isOpenToOthers, pageAddress } from '../parts/share.ts';

/** Seconds. */
const CLIP_LENGTH = 30;

/** Sets up the controls below the player. */
export function setUpPlayerControls(player: HTMLMediaElement): void {
  const controls = document.querySelector<HTMLElement>('.player-controls');
  if (!controls) return;
  for (const button of controls.querySelectorAll<HTMLButtonElement>('[data-skip]'))
    button.addEventListener('click', () => {
      player.currentTime = Math.max(0, player.currentTime + Number(button.dataset['skip']));
    });
  const speed = controls.querySelector<HTMLSelectElement>('[name="speed"]');
  if (speed) {
    const stored = readPreference('speed');
    if ([...speed.options].some(({ value }) => value === stored)) speed.value = stored;
    const apply = () => {
      player.defaultPlaybackRate = Number(speed.value);
      player.playbackRate = Number(speed.value);
    };
    apply();
    speed.addEventListener('change', () => {
      writePreference('speed', speed.value === '1' ? '' : speed.value);
      apply();
    });
  }
  setUpClip(player);
}

/** Adds the times of a clip to the citation that the page shows, with its address if others can open it. */
function setUpClip(player: HTMLMediaElement): void {
  const clip = document.querySelector<HTMLDetailsElement>('.clip');
  const from = clip?.querySelector<HTMLInputElement>('[name="clip-from"]');
  const to = clip?.querySelector<HTMLInputElement>('[name="clip-to"]');
  const shown = clip?.querySelector<HTMLElement>('.clip-citation');
  const hint = clip?.querySelector<HTMLElement>('.clip-hint');
  if (!clip || !from || !to || !shown || !hint) return;

  const read = () => clipBetween(readTime(from.value) ?? 0, readTime(to.value));
  const address = () => `${pageAddress().replace(/#.*$/, '')}${writeMoment(read())}`;
  const show = () => {
    const mistake = findMistake([from, to], player, hint.dataset);
    hint.textContent = mistake;
    shown.hidden = mistake !== '';
    for (const button of clip.querySelectorAll('button')) button.disabled = mistake !== '';
    const times = formatMoment(read(), shown.dataset['pattern'] ?? '');
    shown.textContent = citeClip(shownProse(), times, isOpenToOthers() ? address() : undefined);
  };
  const showPanel = () => {
    show();
    clip.querySelector('div')?.scrollIntoView({ block: 'nearest' });
  };
  setUpFold(clip);
  // The times that a reader typed stay until the player moves on.
  let typedAt: number | undefined;
  clip.addEventListener('toggle', () => {
    if (!clip.open) return;
    if (typedAt === player.currentTime) return showPanel();
    from.value = formatTime(player.currentTime);
    to.value = formatTime(Math.min(player.currentTime + CLIP_LENGTH, player.duration || Number.POSITIVE_INFINITY));
    showPanel();
  });
  for (const input of [from, to])
    input.addEventListener('input', () => {
      typedAt = player.currentTime;
      show();
    });
  document.querySelector('.citations select')?.addEventListener('change', show);
  clip.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-clip]') : null;
    if (!button) return;
    const text = button.dataset['clip'] === 'link' ? address() : (shown.textContent ?? '');
    void copyText(button, text);
  });
}

/** Marks the times that are wrong, and returns what is wrong with the last of them; empty if none is. */
function findMistake(inputs: readonly HTMLInputElement[], { duration }: HTMLMediaElement, words: DOMStringMap): string {
  const end = Number.isFinite(duration) ? Math.ceil(duration) : Number.POSITIVE_INFINITY;
  let mistake = '';
  for (const input of inputs) {
    const time = readTime(input.value);
    const found = time === undefined ? words['unread'] : time > end ? words['late']?.replace('#', formatTime(end)) : '';
    input.setAttribute('aria-invalid', String(found !== ''));
    if (found) mistake = found;
  }
  return mistake;
}
