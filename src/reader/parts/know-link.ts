/** Adds the moment at which the recording is to the link to the form for what a reader knows. */

/** Makes the link of the page follow its player, if it has both. */
export function setUpKnowLink(): void {
  const link = document.querySelector<HTMLAnchorElement>('.know-link');
  const player = document.querySelector<HTMLMediaElement>('.player');
  if (!link || !player) return;
  const { href } = link;
  player.addEventListener('timeupdate', () => {
    const seconds = Math.round(player.currentTime * 10) / 10;
    link.href = seconds === 0 ? href : `${href}&t=${seconds}`;
  });
}
